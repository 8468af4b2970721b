"""Teams whose members need a second factor."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("packs", "0016_roles_from_directory"),
    ]

    operations = [
        migrations.AddField(
            model_name="team",
            name="needs_second_factor",
            field=models.BooleanField(
                default=False,
                help_text="Members who sign in with a password must set one up before anything else.",
                verbose_name="members need a second factor",
            ),
        ),
    ]
