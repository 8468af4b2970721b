"""Things that tests do inside a studio of its own; each answers with JSON on standard output."""

import json
import os
import signal
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

from django.contrib.auth.models import User
from django.db import connection
from django.db.models import Count, Max, Sum

from packs.access import Role
from packs.models import Team
from runs.jobs.queue.workers import worker_health
from runs.jobs.scores.overruling import Wanted, overrule
from runs.jobs.scores.reviewing import ReviewRefused, review
from runs.jobs.trials.control import cancel
from runs.launch.launching import launch
from runs.models import Agent, CaseChange, CaseCount, Event, Grade, ReviewRequest, Run, Share, Trial
from runs.models.case_counting import keep_case_counts
from runs.results.playback import index_of, search_events, steps_at
from tests.people import make_member
from tests.runs.queues import begin_run
from tests.runs.reviews import begin_reviewed, requests_of, reviewed_task, scores
from tests.runs.studio_packs import pack_text, publish_text
from tests.runs.tallied import check_case_counts, check_trial_counts
from tests.runs.working import work_off

# What an agent that calls tools often leaves behind.
CALLS = [
    {"type": "tool.call.completed", "payload": {"tool_name": f"tool{number}", "result": {"content": 'say "hüb"\n'}}}
    for number in range(250)
]


def begin(cases, delay, until=0, victim=0):
    """Publish a pack, start a run of a slow agent and wait until so many of its trials are done.

    A victim, the number of a group of processes, is killed in that moment: nobody else could be told in time.
    """
    config = {"default": {"output": "It is at the hub."}, "delay_seconds": delay}
    begun = start(cases, "scripted", config, until)
    if victim:
        os.killpg(victim, signal.SIGKILL)
    return begun


def start(cases, kind, config, until=0):
    """Publish a pack, start a run of an agent and wait until so many of its trials are done."""
    team, _ = Team.objects.get_or_create(slug="default", defaults={"name": "Default team"})
    user = User.objects.filter(memberships__team=team).first() or make_member(team, Role.ADMINISTRATOR)
    number = Run.objects.count()
    agent = Agent.objects.create(team=team, name=f"agent {number}", kind=kind, config=config)
    slug = f"parcels-{number}"
    run = launch(user, publish_text(team, user, pack_text({"default": cases}, slug=slug), slug), [agent])
    done = Trial.objects.filter(run=run, finished_at__isnull=False)
    deadline = time.monotonic() + 240
    while done.count() < until and time.monotonic() < deadline:
        time.sleep(0.01)
    return {"run": run.pk}


def audit(number, seconds=0):
    """What the rows say about a run, at its end or after so many seconds."""
    deadline = time.monotonic() + seconds
    while Run.objects.get(pk=number).finished_at is None and time.monotonic() < deadline:
        time.sleep(0.05)
    run = Run.objects.get(pk=number)
    if run.finished_at:
        check_trial_counts(run)
        check_case_counts(run)
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


def search_replay(texts):
    """Make a trial with many calls: how many events hold each text, and whether windows add up to the whole replay."""
    number = start(1, "scripted", {"default": {"output": "hub", "events": CALLS}})["run"]
    trial = work_off(Run.objects.get(pk=number)).trials.get()
    index = index_of(trial)
    places = range(len(index))
    windows = [steps_at(trial, index, places[first : first + 100]) for first in range(0, len(index), 100)]
    names = [step.get("tool_name") for window in windows for step in window if step.get("tool_name")]
    whole = names == [call["payload"]["tool_name"] for call in CALLS]
    return {"found": [len(search_events(trial, text)) for text in texts], "whole": whole}


def count_at_once():
    """Two workers count cases while a third one ends trials: what they kept, and what is left to count."""
    run = Run.objects.get(pk=start(120, "scripted", {"default": {}})["run"])
    trials = list(run.trials.values_list("pk", flat=True))

    def end():
        for trial in trials:
            Trial.objects.filter(pk=trial).update(status="passed", score=1.0)
        connection.close()

    def count():
        for _ in range(30):
            keep_case_counts(run.pk)
        connection.close()

    with ThreadPoolExecutor() as pool:
        for done in [pool.submit(act) for act in (end, count, count)]:
            done.result()
    keep_case_counts(run.pk)
    check_case_counts(run)
    kept = CaseCount.objects.filter(run=run).aggregate(Sum("passed"))["passed__sum"]
    return {"passed": kept, "left": CaseChange.objects.filter(run=run).count()}


def stop(number):
    """Cancel a run, and say what its rows are like in the end."""
    cancel(Run.objects.get(pk=number))
    return audit(number, 240)


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


def review_at_once(needed):
    """Have two people review each trial of a run at the same moment; what they were told, and what became of it."""
    team, _ = Team.objects.get_or_create(slug="default", defaults={"name": "Default team"})
    known = User.objects.filter(memberships__team=team)
    roles = (Role.ADMINISTRATOR, Role.REVIEWER)
    people = [known.filter(memberships__role=role).first() or make_member(team, role) for role in roles]
    task = reviewed_task(min_reviewers=needed, critical=True)
    run = begin_reviewed(team, people[0], task, slug=f"reviewed-{needed}")
    requests = requests_of(run)
    given = [(row, user, scores(mark, mark)) for row in requests for user, mark in zip(people, (4, 1), strict=True)]
    together = Barrier(len(given))

    def give(row, user, said):
        together.wait()
        try:
            return review(row, user, said)
        except ReviewRefused as refused:
            return refused.code
        finally:
            connection.close()

    with ThreadPoolExecutor(len(given)) as pool:
        told = list(pool.map(lambda entry: give(*entry), given))
    events = Event.objects.filter(event_type="grader.review.recorded", trial__run=run)
    grades = Grade.objects.filter(trial__run=run, key="human_review")
    run.refresh_from_db()
    return {
        "last": [sorted(told[at : at + 2], key=str) for at in range(0, len(told), 2)],
        "events": [events.filter(trial=row.trial_id).count() for row in requests],
        "opinions": [sorted(said["score"] / 4 for said in event.payload["human"]) for event in events],
        "grades": [grade.score for grade in grades],
        "counts": run.counts,
        "waiting": ReviewRequest.objects.waiting().filter(trial__run=run).count(),
    }


def overrule_at_once():
    """Have somebody overrule the grader of each failed trial of a run but one, all at the same moment."""
    team, _ = Team.objects.get_or_create(slug="default", defaults={"name": "Default team"})
    user = User.objects.filter(memberships__team=team).first() or make_member(team, Role.ADMINISTRATOR)
    run = begin_run(team, user, cases=5, answer="It is lost.", slug="overruled")
    trials = list(run.trials.order_by("pk")[:4])
    together = Barrier(len(trials))

    def say(trial):
        together.wait()
        try:
            overrule(trial, user, Wanted(trial.grades.get().key, "pass", "It is where it is."))
        finally:
            connection.close()

    with ThreadPoolExecutor(len(trials)) as pool:
        list(pool.map(say, trials))
    check_trial_counts(run)
    run.refresh_from_db()
    return {"counts": run.counts, "rate": run.trial_shares.pass_rate, "passed": run.agents.get().summary["passed"]}


def invite():
    """A team with an administrator; their name."""
    team, _ = Team.objects.get_or_create(slug="default", defaults={"name": "Default team"})
    return {"user": make_member(team, Role.ADMINISTRATOR).username}


ACTS = {
    "invite": invite,
    "overrule_at_once": overrule_at_once,
    "search_replay": search_replay,
    "count_at_once": count_at_once,
    "review_at_once": review_at_once,
    "begin": begin,
    "start": start,
    "audit": audit,
    "stop": stop,
    "wholeness": wholeness,
    "workers": workers,
}


def act(name, *arguments):
    sys.stdout.write(json.dumps(ACTS[name](*arguments)))
