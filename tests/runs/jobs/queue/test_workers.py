import gc
import os
from datetime import timedelta
from types import SimpleNamespace

import pytest
from celery.signals import worker_process_init, worker_ready, worker_shutdown
from django.db import InterfaceError
from django.utils import timezone

from runs.jobs.queue.leases import claim, new_mark
from runs.jobs.queue.workers import SILENCE_SECONDS, Caretaker, alive_slots, is_at_work, worker_health
from runs.jobs.tasks import attempt, sweep
from runs.launch.launching import launch
from runs.models import WorkerBeat
from tests.services import wait_until

pytestmark = pytest.mark.django_db


class Worker:
    """A worker, as it names itself in its signs of life."""

    hostname, controller = "worker@here", SimpleNamespace(concurrency=3)


def beat(name, age=0.0, slots=2):
    now = timezone.now()
    return WorkerBeat.objects.create(name=name, seen_at=now - timedelta(seconds=age), started_at=now, slots=slots)


def test_a_worker_that_is_silent_counts_as_gone_within_five_seconds():
    assert SILENCE_SECONDS < 5
    beat("alive", slots=3)
    beat("silent", age=SILENCE_SECONDS + 0.1)
    health = worker_health()
    assert (health.workers, health.late, health.slots) == (1, 1, 3)


def test_trials_that_wait_while_nobody_works_are_stuck(author, version, agents):
    assert not worker_health().is_stuck
    launch(author, version, [agents["echo"]])
    assert worker_health().queued == 3
    assert worker_health().is_stuck
    beat("alive")
    assert not worker_health().is_stuck


def test_trials_are_not_stuck_while_the_sign_of_life_of_a_worker_is_only_late(author, version, agents):
    launch(author, version, [agents["echo"]])
    beat("late", age=SILENCE_SECONDS + 1)
    assert not worker_health().is_stuck
    assert alive_slots() == 0


def test_the_newest_sign_of_life_is_that_of_the_worker_heard_of_last():
    beat("old", age=60)
    newest = beat("new", age=3)
    assert worker_health().newest == newest.seen_at
    assert alive_slots() == 2


def test_without_any_worker_ever_there_is_no_sign_of_life():
    assert worker_health().newest is None


def test_a_caretaker_says_that_it_lives_and_sweeps_at_once_and_then_now_and_again():
    sweeps = []
    keeper = Caretaker("worker@here", 4, lambda *, starting: sweeps.append(starting))
    keeper.beat()
    keeper.beat()
    assert sweeps == [True]
    keeper.swept_at -= timedelta(seconds=10)
    keeper.beat()
    assert sweeps == [True, False]
    assert WorkerBeat.objects.get().slots == 4


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("trouble", [InterfaceError, KeyError])
def test_a_caretaker_goes_on_living_whatever_goes_wrong_in_a_sweep(trouble):
    beats = []

    def sweeping(*, starting):
        beats.append(starting)
        if len(beats) > 1:
            keeper.stopped.set()
        raise trouble

    keeper = Caretaker("worker@here", 4, sweeping)
    keeper.run()
    assert beats == [True, True]
    assert worker_health().workers == 1


def test_a_repair_that_breaks_keeps_no_other_from_being_made():
    made = []

    def broken():
        raise ValueError

    for repair in (broken, lambda: made.append("other")):
        attempt(repair)
    assert made == ["other"]


def test_a_database_that_is_away_ends_the_repairs():
    def away():
        raise InterfaceError

    with pytest.raises(InterfaceError):
        attempt(away)


def test_a_new_process_of_a_worker_keeps_what_is_loaded_out_of_its_collections():
    gc.unfreeze()
    worker_process_init.send(sender=None)
    try:
        assert gc.get_freeze_count() > 10_000
    finally:
        gc.unfreeze()


def test_beats_of_long_ago_are_forgotten():
    beat("old", age=7200)
    beat("other", age=60)
    Caretaker("new", 1, sweep).beat()
    assert sorted(WorkerBeat.objects.values_list("name", flat=True)) == ["new", "other"]


@pytest.mark.django_db(transaction=True)
def test_a_caretaker_that_stops_takes_back_its_own_sign_of_life():
    beat("other")
    keeper = Caretaker("worker@here", 4, sweep)
    keeper.beat()
    keeper.start()
    keeper.stop()
    assert not keeper.is_alive()
    assert list(WorkerBeat.objects.values_list("name", flat=True)) == ["other"]


@pytest.mark.django_db(transaction=True)
def test_a_worker_is_known_by_its_process_too_as_another_may_have_its_name():
    worker_ready.send(sender=Worker)
    try:
        wait_until(lambda: alive_slots() == 3, "a sign of life")
        assert WorkerBeat.objects.get().name == f"worker@here {os.getpid()}"
    finally:
        worker_shutdown.send(sender=Worker)
    assert not WorkerBeat.objects.exists()


def test_a_host_whose_workers_have_no_trial_is_not_at_work(author, version, agents):
    run = launch(author, version, [agents["echo"]])
    claim(run, 1, "elsewhere|1|x")
    assert not is_at_work()
    [trial] = claim(run, 1, new_mark())
    assert is_at_work()
    run.trials.filter(pk=trial.pk).update(status="passed")
    assert not is_at_work()
