import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


def note_travels(apps, schema_editor):
    """Edits that are undone now were undone when they were last touched."""
    edits = apps.get_model("packs", "Edit").objects.filter(undone=True).order_by()
    travel = apps.get_model("packs", "Travel")
    found = edits.values_list("pack_id", "group").annotate(last=models.Max("touched"))
    travel.objects.bulk_create(
        [travel(pack_id=pack, group=group, revision=last, undone=True) for pack, group, last in found.iterator()], 2000
    )


class Migration(migrations.Migration):
    dependencies = [
        ("packs", "0005_scopes_of_keys"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Checkpoint",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("revision", models.PositiveIntegerField()),
                ("name", models.CharField(max_length=120)),
                ("at", models.DateTimeField(auto_now_add=True)),
                (
                    "author",
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
                        on_delete=django.db.models.deletion.CASCADE, related_name="checkpoints", to="packs.pack"
                    ),
                ),
            ],
            options={
                "ordering": ["-revision", "-id"],
            },
        ),
        migrations.CreateModel(
            name="Travel",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("revision", models.PositiveIntegerField()),
                ("group", models.UUIDField()),
                ("undone", models.BooleanField()),
                (
                    "pack",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="travels", to="packs.pack"
                    ),
                ),
            ],
            options={
                "ordering": ["-revision"],
                "indexes": [models.Index(fields=["pack", "revision"], name="packs_trave_pack_id_31a9a8_idx")],
            },
        ),
        migrations.RunPython(note_travels, migrations.RunPython.noop),
    ]
