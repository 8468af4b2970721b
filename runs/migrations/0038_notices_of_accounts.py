"""Notices that concern an account, and no team."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("packs", "0016_roles_from_directory"),
        ("runs", "0037_counted_answers"),
    ]

    operations = [
        migrations.AlterField(
            model_name="storednotice",
            name="team",
            field=models.ForeignKey(
                null=True, on_delete=django.db.models.deletion.CASCADE, related_name="+", to="packs.team"
            ),
        ),
    ]
