"""Keys for the API get scopes, teams, a pack, and the address of their last use.

Keys that are there already were made without a limit: they keep all scopes, in all teams of their users, and their end.
"""

import django.db.models.deletion
from django.db import migrations, models

ALL_SCOPES = ["read", "edit", "run", "review", "administer"]


def allow_everything(apps, schema_editor):
    apps.get_model("packs", "Token").objects.update(scopes=ALL_SCOPES)


class Migration(migrations.Migration):
    dependencies = [("packs", "0004_job_attempts")]

    operations = [
        migrations.AddField("token", "last_used_from", models.CharField(blank=True, default="", max_length=64), False),
        migrations.AddField("token", "scopes", models.JSONField(default=list)),
        migrations.AddField("token", "is_for_all_teams", models.BooleanField(default=True)),
        migrations.AddField("token", "teams", models.ManyToManyField(blank=True, related_name="+", to="packs.team")),
        migrations.AddField(
            "token",
            "pack",
            models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="+",
                to="packs.pack",
            ),
        ),
        migrations.RunPython(allow_everything, migrations.RunPython.noop),
    ]
