import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

import packs.columns


class Migration(migrations.Migration):
    dependencies = [
        ("packs", "0001_initial"),
        ("runs", "0012_trial_records"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Tryout",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("node", models.PositiveBigIntegerField()),
                ("case_key", models.CharField(max_length=255)),
                ("revision", models.PositiveIntegerField(default=0)),
                ("output", models.TextField(blank=True)),
                ("files", packs.columns.DocumentField(blank=True, null=True)),
                ("judges", packs.columns.DocumentField(blank=True, default=list)),
                (
                    "status",
                    models.CharField(
                        choices=[
                            ("queued", "Waits for a worker"),
                            ("running", "Is being judged"),
                            ("completed", "Judged"),
                            ("failed", "Not judged"),
                        ],
                        default="queued",
                        max_length=20,
                    ),
                ),
                ("verdict", models.CharField(blank=True, max_length=20)),
                ("score", models.FloatField(null=True)),
                ("fault", models.CharField(blank=True, max_length=20)),
                ("error", models.TextField(blank=True)),
                ("scorecard", packs.columns.DocumentField(blank=True, default=dict)),
                ("calls", packs.columns.DocumentField(blank=True, default=list)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("touched_at", models.DateTimeField(auto_now_add=True)),
                ("finished_at", models.DateTimeField(blank=True, null=True)),
                (
                    "created_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "pack",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="tryouts", to="packs.pack"
                    ),
                ),
            ],
            options={
                "ordering": ["-id"],
                "indexes": [models.Index(fields=["pack", "node"], name="tryouts_of_a_case")],
            },
        ),
    ]
