import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("packs", "0006_checkpoints_and_travels"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="GitFolder",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("address", models.CharField(max_length=500)),
                ("branch", models.CharField(max_length=200)),
                ("folder", models.CharField(blank=True, max_length=500)),
                ("user_name", models.CharField(blank=True, max_length=200)),
                ("secret", models.CharField(blank=True, max_length=120)),
                ("host_keys", models.TextField(blank=True)),
                ("commit", models.CharField(blank=True, max_length=64)),
                ("fetched_commit", models.CharField(blank=True, max_length=64)),
                ("fetched_at", models.DateTimeField(null=True)),
                ("synced_at", models.DateTimeField(null=True)),
                (
                    "base",
                    models.ForeignKey(
                        null=True, on_delete=django.db.models.deletion.PROTECT, related_name="+", to="packs.blob"
                    ),
                ),
                (
                    "fetched",
                    models.ForeignKey(
                        null=True, on_delete=django.db.models.deletion.PROTECT, related_name="+", to="packs.blob"
                    ),
                ),
                (
                    "pack",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE, related_name="git_folder", to="packs.pack"
                    ),
                ),
                (
                    "synced_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
        ),
    ]
