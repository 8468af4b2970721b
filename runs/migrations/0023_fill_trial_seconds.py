"""How long agents worked in the trials that are there, as far as their events tell."""

from datetime import datetime, timedelta

from django.db import migrations

ENDS = ("system.run.completed", "system.run.failed")
BATCH = 500
MILLISECOND = timedelta(milliseconds=1)


def fill(apps, schema_editor):
    trials, events = apps.get_model("runs", "Trial").objects, apps.get_model("runs", "Event").objects
    keys = list(trials.filter(finished_at__isnull=False).order_by("pk").values_list("pk", flat=True))
    for start in range(0, len(keys), BATCH):
        some = keys[start : start + BATCH]
        told = events.filter(trial__in=some, event_type__in=("system.run.started", *ENDS)).order_by("trial", "sequence")
        began: dict[int, datetime] = {}
        found: dict[int, float] = {}
        for trial, kind, at, payload in told.values_list("trial", "event_type", "occurred_at", "payload"):
            reported = payload.get("latency_ms") if kind == ENDS[0] else None
            if payload.get("is_untimed") is True:
                continue
            if kind not in ENDS:
                began.setdefault(trial, at)
            elif isinstance(reported, int | float) and not isinstance(reported, bool):
                found[trial] = max(0.0, reported / 1000)
            elif trial in began:
                found[trial] = max(0, (at - began[trial]) // MILLISECOND) / 1000
        rows = trials.filter(pk__in=found).only("pk")
        for row in rows:
            row.seconds = found[row.pk]
        trials.bulk_update(rows, ["seconds"], BATCH)


class Migration(migrations.Migration):
    dependencies = [("runs", "0022_trial_seconds")]
    operations = [migrations.RunPython(fill, migrations.RunPython.noop, elidable=True)]
