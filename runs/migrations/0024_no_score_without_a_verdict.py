"""Scores of 0 that formats gave to trials without a verdict are none."""

from django.db import migrations
from django.db.models import Avg

JUDGED = ("passed", "failed")


def take_back(apps, schema_editor):
    trials, agents = apps.get_model("runs", "Trial").objects, apps.get_model("runs", "RunAgent").objects
    scored = trials.exclude(status__in=JUDGED).filter(score__isnull=False)
    changed = list(scored.order_by().values_list("run_agent", flat=True).distinct())
    scored.update(score=None)
    for agent in agents.filter(pk__in=changed).exclude(summary={}):
        agent.summary["overall_score"] = trials.filter(run_agent=agent).aggregate(mean=Avg("score"))["mean"]
        agent.save(update_fields=["summary"])


class Migration(migrations.Migration):
    dependencies = [("runs", "0023_fill_trial_seconds")]
    operations = [migrations.RunPython(take_back, migrations.RunPython.noop, elidable=True)]
