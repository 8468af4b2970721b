"""Jobs with several threads, and several runs at once."""

import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from celery.signals import worker_shutting_down
from django.db import connection
from django.utils import timezone

from runs.jobs.queue import heartbeats, leases
from runs.jobs.queue.leases import release_lost
from runs.jobs.tasks import execute_trials
from runs.jobs.trials import execution
from runs.jobs.trials.execution import Shift
from runs.launch.launching import launch
from runs.models import Agent, Event, Run, Share
from tests.openai_server import Answer
from tests.runs.connections import make_connection
from tests.runs.studio_packs import pack_text, publish_text
from tests.services import wait_until

pytestmark = pytest.mark.django_db(transaction=True)


def scripted(team, name, delay):
    config = {"default": {"output": "It is at the hub."}, "delay_seconds": delay}
    return Agent.objects.create(team=team, name=name, kind="scripted", config=config)


@pytest.fixture
def start(author, team):
    """Launches a run of an agent (unless one is given: that takes so long for each of so many cases)."""

    def begin(cases, delay=0, concurrency=8, slug="parcels", agent=None):
        version = publish_text(team, author, pack_text({"default": cases}, slug=slug), slug=slug)
        run = launch(author, version, [agent or scripted(team, slug, delay)])
        Run.objects.filter(pk=run.pk).update(concurrency=concurrency)
        run.refresh_from_db()
        return run

    return begin


@pytest.fixture
def asking(team, model_server, local_endpoints):
    """An agent whose model answers when a test lets it."""
    make_connection(team, model_server)
    config = {"connection": "models", "model": "small"}
    return Agent.objects.create(team=team, name="asking", kind="chat", config=config)


def most_at_once(run, what="system.run"):
    """How many trials were at work at the same moment, or at something else, by their events."""
    starts = Event.objects.filter(trial__run=run, event_type=f"{what}.started").values_list("occurred_at", flat=True)
    ends = Event.objects.filter(trial__run=run, event_type=f"{what}.completed").values_list("occurred_at", flat=True)
    moments = sorted([*((at, 1) for at in starts), *((at, -1) for at in ends)])
    level, highest = 0, 0
    for _, step in moments:
        level += step
        highest = max(highest, level)
    return highest


def test_slow_trials_run_side_by_side_up_to_the_concurrency_of_their_run(start, asking, model_server):
    model_server.reply("It is at the hub.", together=3, delay=0.2)
    run = start(9, concurrency=3, agent=asking)
    Shift(threads=8).work(run)
    run.refresh_from_db()
    assert run.counts == {"passed": 9}
    assert model_server.most_busy == most_at_once(run) == 3
    assert not Share.objects.exists()
    assert not any(trial.attempt > 1 or trial.lease for trial in run.trials.all())


def test_an_agent_with_a_limit_of_its_own_never_has_more_at_work_and_one_job_works_off_its_run(start):
    run = start(6, 0.05, concurrency=8)
    Agent.objects.update(concurrency=2)
    Shift(threads=8).work(run)
    run.refresh_from_db()
    assert run.counts == {"passed": 6}
    assert most_at_once(run) <= 2


def test_a_quick_run_does_not_wait_for_the_end_of_a_slow_one(start, asking, model_server):
    slow = start(12, concurrency=8, slug="slow", agent=asking)
    quick = start(10, slug="quick")

    def answer(request):
        """The first four wait until the other run has begun, and those after them until it has ended."""
        moment = "started_at" if len(model_server.requests) <= 4 else "finished_at"
        seen = Run.objects.filter(pk=quick.pk, **{f"{moment}__isnull": False})
        try:
            wait_until(seen.exists, f"{moment} of the quick run", seconds=120)
        finally:
            connection.close()
        return "It is at the hub."

    model_server.answer = answer
    Shift(threads=4).work(slow)
    slow.refresh_from_db()
    quick.refresh_from_db()
    assert (slow.counts, quick.counts) == ({"passed": 12}, {"passed": 10})


def test_a_run_without_threads_leaves_the_rest_to_the_next_job(start, monkeypatch):
    monkeypatch.setattr(execution, "TURN_SECONDS", 0.5)
    run = start(4, 0.3)
    shift = Shift(threads=1)
    shift.work(run)
    assert shift.unfinished == [run.pk]
    assert run.trials.filter(status="queued").exists()


def test_leases_are_kept_while_more_trials_are_claimed(start):
    run = start(40)
    shift = Shift(threads=8)
    shift._join(run)
    [lane] = shift.lanes
    ended = threading.Event()

    def ask():
        while not ended.is_set():
            shift.held_trials()

    interval = sys.getswitchinterval()
    # Threads take turns so often that one comes between any two steps of another.
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(1) as pool:
            heartbeat = pool.submit(ask)
            try:
                for _ in range(40):
                    lane.claim(1)
            finally:
                ended.set()
            heartbeat.result()
    finally:
        sys.setswitchinterval(interval)
    assert len(shift.held_trials()) == 40


def test_a_trial_that_takes_longer_than_a_lease_is_run_once(start, asking, model_server, monkeypatch):
    monkeypatch.setattr(leases, "LEASE_SECONDS", 5)
    monkeypatch.setattr(heartbeats, "LEASE_SECONDS", 5)
    monkeypatch.setattr(heartbeats, "BEAT_SECONDS", 0.1)
    monkeypatch.setattr(heartbeats, "EXTENSION_SECONDS", 0.1)
    model_server.reply("It is at the hub.", together=3)
    run = start(2, agent=asking)
    thread = threading.Thread(target=lambda: (Shift(threads=2).work(run), connection.close()))
    thread.start()
    wait_until(lambda: run.trials.filter(status="running").count() == 2, "both at work")
    end = timezone.now() + timedelta(seconds=6)
    while timezone.now() < end:
        release_lost()
        time.sleep(0.05)
    model_server.let_go()
    thread.join()
    assert [trial.attempt for trial in run.trials.all()] == [1, 1]
    assert {trial.status for trial in run.trials.all()} == {"passed"}


@pytest.fixture
def answering(team, model_server, local_endpoints):
    """An agent behind an address that answers when so many requests are there."""

    def make(together):
        model_server.answer = lambda request: Answer(
            raw=b"It is at the hub.", headers={"Content-Type": "text/plain"}, together=together, delay=0.3
        )
        return Agent.objects.create(team=team, name="answering", kind="http", config={"address": model_server.url})

    return make


def test_a_process_has_hundreds_of_trials_at_work_that_wait_for_their_agents(start, answering, model_server):
    run = start(260, concurrency=250, agent=answering(250))
    Shift(threads=500).work(run)
    run.refresh_from_db()
    assert run.counts == {"passed": 260}
    assert model_server.most_busy == 250
    assert not Share.objects.exists()


def test_no_more_trials_wait_than_a_process_has_threads(start, answering, model_server):
    run = start(60, concurrency=250, agent=answering(40))
    Shift(threads=40).work(run)
    run.refresh_from_db()
    assert run.counts == {"passed": 60}
    assert model_server.most_busy == 40


def test_of_a_run_with_a_limit_only_a_few_trials_are_at_work(start, answering, model_server, settings):
    settings.BUSY_THREADS = 3
    run = start(12, concurrency=50, agent=answering(3))
    Run.objects.filter(pk=run.pk).update(budgets={"cost_usd": 5.0})
    run.refresh_from_db()
    Shift(threads=50).work(run)
    run.refresh_from_db()
    assert run.counts == {"passed": 12}
    assert model_server.most_busy == 3


def test_programs_are_as_few_at_once_as_ever(start, team, settings):
    settings.BUSY_THREADS, settings.SANDBOX, settings.ALLOW_LOCAL_COMMANDS = 3, "local", True
    config = {"arguments": ["sh", "-c", "sleep 0.1; echo hub"]}
    agent = Agent.objects.create(team=team, name="program", kind="command", config=config)
    run = start(24, concurrency=50, agent=agent)
    Shift(threads=50).work(run)
    run.refresh_from_db()
    assert run.counts == {"passed": 24}
    assert max(most_at_once(run), most_at_once(run, "sandbox.command")) <= 3


def test_a_worker_that_is_to_end_begins_no_more_trials(start):
    run = start(3)
    worker_shutting_down.send(sender="worker@here", sig="TERM", how="Warm", exitcode=0)
    try:
        execute_trials(run.pk)
    finally:
        execution.STOPPING[0] = 0
    assert [trial.status for trial in run.trials.all()] == ["queued"] * 3
