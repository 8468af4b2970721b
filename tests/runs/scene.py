"""Things that tests do inside a studio of its own; each answers with JSON on standard output."""

import json
import sys
import time

from django.contrib.auth.models import User
from django.db.models import Count, Max

from packs.access import Role
from packs.models import Team
from runs.jobs import cancel, worker_health
from runs.launch import launch
from runs.models import Agent, Event, Run, Share, Trial
from tests.people import make_member
from tests.runs.studio_packs import pack_text, publish_text


def begin(cases, delay, until=0):
    """Publish a pack, start a run of a slow agent and wait until so many of its trials are done."""
    config = {"default": {"output": "It is at the hub."}, "delay_seconds": delay}
    return start(cases, "scripted", config, until)


def start(cases, kind, config, until=0):
    """Publish a pack, start a run of an agent and wait until so many of its trials are done."""
    team, _ = Team.objects.get_or_create(slug="default", defaults={"name": "Default team"})
    user = User.objects.filter(memberships__team=team).first() or make_member(team, Role.ADMINISTRATOR)
    number = Run.objects.count()
    agent = Agent.objects.create(team=team, name=f"agent {number}", kind=kind, config=config)
    slug = f"parcels-{number}"
    run = launch(user, publish_text(team, user, pack_text({"default": cases}, slug=slug), slug), [agent])
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


def stop(number):
    """Cancel a run, and say how long it took to end."""
    began = time.monotonic()
    cancel(Run.objects.get(pk=number))
    return {**audit(number, 30), "seconds": time.monotonic() - began}


def wholeness(number):
    """Whether every event of a run is there once: trials whose events are not 1, 2, 3 ... to the number they state."""
    trials = Trial.objects.filter(run=number)
    facts = trials.annotate(stored=Count("events"), last=Max("events__sequence"))
    wrong = [trial.pk for trial in facts if not trial.stored == trial.last == trial.event_count]
    open_shares = Share.objects.filter(run=number).count()
    held = trials.exclude(lease="").count()
    return {"wrong": wrong, "shares": open_shares, "held": held}


def workers():
    """How many workers are alive."""
    return worker_health().workers


ACTS = {
    "begin": begin,
    "start": start,
    "audit": audit,
    "stop": stop,
    "wholeness": wholeness,
    "workers": workers,
}


def act(name, *arguments):
    sys.stdout.write(json.dumps(ACTS[name](*arguments)))
