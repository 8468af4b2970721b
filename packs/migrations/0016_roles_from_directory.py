"""Roles that follow from groups of the directory, apart from those that people gave."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("packs", "0015_audit_events")]

    operations = [
        migrations.AddField(
            model_name="membership",
            name="is_from_directory",
            field=models.BooleanField(default=False, editable=False),
        ),
    ]
