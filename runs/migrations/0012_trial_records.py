import uuid

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

import packs.columns


class Migration(migrations.Migration):
    dependencies = [
        ("packs", "0001_initial"),
        ("runs", "0011_gates"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

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
        migrations.CreateModel(
            name="RecordUpload",
            fields=[
                ("token", models.UUIDField(default=uuid.uuid4, primary_key=True, serialize=False)),
                ("name", models.CharField(max_length=300)),
                ("wish", models.JSONField(default=dict)),
                ("expires_at", models.DateTimeField()),
                (
                    "blob",
                    models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name="+", to="packs.blob"),
                ),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "version",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to="packs.packversion"
                    ),
                ),
            ],
        ),
    ]
