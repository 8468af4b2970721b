import django.db.models.deletion
from django.db import migrations, models

import packs.columns


class Migration(migrations.Migration):
    dependencies = [("runs", "0011_gates")]

    operations = [
        migrations.CreateModel(
            name="TrialRecord",
            fields=[
                (
                    "trial",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="record",
                        serialize=False,
                        to="runs.trial",
                    ),
                ),
                ("record", packs.columns.DocumentField()),
            ],
        ),
    ]
