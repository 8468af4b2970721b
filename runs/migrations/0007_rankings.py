import django.db.models.deletion
from django.db import migrations, models

import packs.columns


class Migration(migrations.Migration):
    dependencies = [
        ("runs", "0006_usage_of_attempts"),
    ]

    operations = [
        migrations.CreateModel(
            name="Ranking",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("case_position", models.PositiveIntegerField(default=0)),
                ("number", models.PositiveIntegerField(default=1)),
                ("trials", models.JSONField(default=list)),
                ("calls", packs.columns.DocumentField(blank=True, default=dict)),
                ("error", models.TextField(blank=True)),
                ("lease", models.CharField(blank=True, max_length=64)),
                ("lease_until", models.DateTimeField(blank=True, null=True)),
                ("claims", models.PositiveIntegerField(default=0)),
                ("finished_at", models.DateTimeField(blank=True, null=True)),
                (
                    "run",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="rankings",
                        to="runs.run",
                    ),
                ),
            ],
            options={
                "ordering": ["case_position", "number"],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("run", "case_position", "number"), name="one_ranking_per_case_and_number"
                    )
                ],
            },
        ),
    ]
