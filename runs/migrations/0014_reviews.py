import re

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models
from django.utils import timezone

import packs.columns

GIVEN = re.compile(r"(\d+) of (\d+) reviews")


def ask_for_what_waits(apps, schema_editor):
    """Grades that wait for people from before there were requests; their reasons say how many reviews are missing."""
    Grade, ReviewRequest = apps.get_model("runs", "Grade"), apps.get_model("runs", "ReviewRequest")
    waiting = Grade.objects.filter(kind="suite.human_review", state="unavailable").values_list("trial", "key", "reason")
    now = timezone.now()
    rows = []
    for trial, key, reason in waiting.iterator():
        found = GIVEN.search(reason)
        needed = int(found[2]) - int(found[1]) if found else 1
        rows.append(ReviewRequest(trial_id=trial, grader_key=key, needed=max(needed, 1), asked_at=now))
    ReviewRequest.objects.bulk_create(rows, batch_size=500, ignore_conflicts=True)


class Migration(migrations.Migration):
    dependencies = [
        ("runs", "0013_tryouts"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="ReviewRequest",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("grader_key", models.CharField(max_length=255)),
                ("needed", models.PositiveIntegerField(default=1)),
                ("asked_at", models.DateTimeField()),
                ("settled_at", models.DateTimeField(blank=True, null=True)),
                ("withdrawn_at", models.DateTimeField(blank=True, null=True)),
                (
                    "trial",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="review_requests", to="runs.trial"
                    ),
                ),
            ],
            options={"ordering": ["id"]},
        ),
        migrations.CreateModel(
            name="Review",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("scores", packs.columns.DocumentField(default=dict)),
                ("comment", models.TextField(blank=True)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("updated_at", models.DateTimeField(auto_now=True)),
                (
                    "reviewer",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "request",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="reviews",
                        to="runs.reviewrequest",
                    ),
                ),
            ],
            options={"ordering": ["id"]},
        ),
        migrations.AddIndex(
            model_name="reviewrequest",
            index=models.Index(
                condition=models.Q(("settled_at__isnull", True), ("withdrawn_at__isnull", True)),
                fields=["id"],
                name="review_requests_that_wait",
            ),
        ),
        migrations.AddConstraint(
            model_name="reviewrequest",
            constraint=models.UniqueConstraint(
                condition=models.Q(("withdrawn_at__isnull", True)),
                fields=("trial", "grader_key"),
                name="one_review_request_per_grader",
            ),
        ),
        migrations.AddConstraint(
            model_name="review",
            constraint=models.UniqueConstraint(fields=("request", "reviewer"), name="one_review_per_person"),
        ),
        migrations.RunPython(ask_for_what_waits, migrations.RunPython.noop),
    ]
