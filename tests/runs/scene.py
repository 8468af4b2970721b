"""Things that tests do inside a studio of its own; each answers with JSON on standard output."""

import json
import sys
import time

from django.db.models import Count

from packs.access import Role
from packs.models import Team
from runs.jobs import worker_health
from runs.launch import launch
from runs.models import Agent, Event, Run, Trial
from tests.people import make_member
from tests.runs.studio_packs import pack_text, publish_text


def begin(cases, delay, until=0):
    """Publish a pack, start a run of a slow agent and wait until so many of its trials are done."""
    team = Team.objects.create(slug="default", name="Default team")
    user = make_member(team, Role.ADMINISTRATOR)
    config = {"default": {"output": "It is at the hub."}, "delay_seconds": delay}
    agent = Agent.objects.create(team=team, name="slow", kind="scripted", config=config)
    version = publish_text(team, user, pack_text({"default": cases}))
    run = launch(user, version, [agent])
    done = Trial.objects.filter(run=run, finished_at__isnull=False)
    deadline = time.monotonic() + 60
    while done.count() < until and time.monotonic() < deadline:
        time.sleep(0.01)
    return {"run": run.pk}


def audit(number, seconds=0):
    """What the rows say about a run, at its end or after so many seconds."""
    deadline = time.monotonic() + seconds
    while Run.objects.get(pk=number).finished_at is None and time.monotonic() < deadline:
        time.sleep(0.05)
    run = Run.objects.get(pk=number)
    trials = list(Trial.objects.filter(run=run).annotate(stored=Count("events")))
    return {
        "status": run.status,
        "counts": run.counts,
        "done": sum(trial.finished_at is not None for trial in trials),
        "attempts": max(trial.attempt for trial in trials),
        "repeated": sum(trial.attempt > 1 for trial in trials),
        "events_right": all(trial.stored == trial.event_count for trial in trials),
        "events": Event.objects.filter(trial__run=run).count(),
        "ended": Event.objects.filter(trial__run=run, event_type="scoring.completed").count(),
        "workers": worker_health().workers,
    }


def act(name, *arguments):
    sys.stdout.write(json.dumps({"begin": begin, "audit": audit}[name](*arguments)))
