"""Runs may take replies of models that their team keeps."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("packs", "0010_search_entries"), ("runs", "0026_connection_calls")]

    operations = [
        migrations.AddField(
            "run",
            "response_cache",
            models.CharField(
                choices=[("off", "Off"), ("read", "Read"), ("write", "Read and write")], default="off", max_length=10
            ),
        ),
        migrations.CreateModel(
            "StoredReply",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("key", models.CharField(max_length=64)),
                ("sealed_reply", models.TextField()),
                ("created_at", models.DateTimeField(auto_now_add=True, db_index=True)),
                (
                    "team",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="packs.team",
                    ),
                ),
            ],
            options={
                "constraints": [models.UniqueConstraint(fields=("team", "key"), name="one_stored_reply_per_key")],
            },
        ),
    ]
