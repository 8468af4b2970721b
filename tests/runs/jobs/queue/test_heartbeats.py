"""What keeps leases alive, and what a job hears of its runs."""

from datetime import timedelta

import pytest
from django.db import InterfaceError
from django.utils import timezone

from runs.jobs.queue.heartbeats import EXTENSION_SECONDS, Heartbeat
from runs.jobs.queue.leases import claim, new_mark
from runs.jobs.queue.shares import take_share
from runs.jobs.trials.control import cancel, pause
from runs.launch.launching import launch
from runs.models import Share

pytestmark = pytest.mark.django_db


class Job:
    """What a heartbeat asks of a job."""

    def __init__(self, run, trials, mark):
        self.mark, self.runs, self.trials = mark, [run.pk], [trial.pk for trial in trials]
        self.heard = None

    def held_trials(self):
        return self.trials

    def runs_at_work(self):
        return self.runs

    def hear(self, cancelled, resting):
        self.heard = (list(cancelled), list(resting))


@pytest.fixture
def run(author, version, agents):
    return launch(author, version, [agents["echo"]])


def test_leases_and_shares_of_the_job_are_extended_and_no_others(run):
    mark = new_mark()
    mine, others = claim(run, 1, mark), claim(run, 1, new_mark())
    take_share(run, 1, mark)
    soon = timezone.now() + timedelta(seconds=5)
    run.trials.update(lease_until=soon)
    Share.objects.update(until=soon)
    Heartbeat(Job(run, [*mine, *others], mark)).extend()
    assert run.trials.get(pk=mine[0].pk).lease_until > soon
    assert run.trials.get(pk=others[0].pk).lease_until == soon
    assert Share.objects.get().until > soon


def test_what_a_job_does_not_hold_any_more_is_not_extended(run):
    mark, other = new_mark(), new_mark()
    run.concurrency = 3
    run.save()
    ended, dropped = claim(run, 2, mark)
    take_share(run, 1, other)
    soon = timezone.now() + timedelta(seconds=5)
    run.trials.update(lease_until=soon)
    Share.objects.update(until=soon)
    run.trials.filter(pk=ended.pk).update(status="passed")
    Heartbeat(Job(run, [ended], mark)).extend()
    assert set(run.trials.filter(pk__in=[ended.pk, dropped.pk]).values_list("lease_until", flat=True)) == {soon}
    assert Share.objects.get().until == soon


def test_leases_are_extended_now_and_again_and_not_with_every_beat(run):
    mark = new_mark()
    [mine] = claim(run, 1, mark)
    soon = timezone.now() + timedelta(seconds=5)
    run.trials.update(lease_until=soon)
    heartbeat = Heartbeat(Job(run, [mine], mark))
    heartbeat.extended_at = timezone.now() + timedelta(hours=1)
    heartbeat.beat()
    assert run.trials.get(pk=mine.pk).lease_until == soon
    heartbeat.extended_at = timezone.now() - timedelta(seconds=EXTENSION_SECONDS)
    heartbeat.beat()
    assert run.trials.get(pk=mine.pk).lease_until > soon


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("trouble", [InterfaceError, RuntimeError("changed size during iteration")])
def test_after_a_database_that_is_away_or_a_mistake_of_ours_the_next_beat_counts(run, trouble):
    class Troubled(Job):
        def held_trials(self):
            held, self.trials = self.trials, [mine.pk]
            if not held:
                raise trouble
            return held

    mark = new_mark()
    [mine] = claim(run, 1, mark)
    soon = timezone.now() + timedelta(seconds=5)
    run.trials.update(lease_until=soon)
    heartbeat = Heartbeat(Troubled(run, [], mark))
    heartbeat.extended_at = timezone.now() - timedelta(seconds=EXTENSION_SECONDS)
    heartbeat._beat_once()
    assert run.trials.get(pk=mine.pk).lease_until == soon
    heartbeat._beat_once()
    assert run.trials.get(pk=mine.pk).lease_until > soon


def test_a_job_hears_of_paused_and_of_cancelled_runs(run):
    job = Job(run, [], new_mark())
    heartbeat = Heartbeat(job)
    heartbeat.beat()
    assert job.heard == ([], [])
    claim(run, 1, new_mark())
    pause(run)
    heartbeat.beat()
    assert job.heard == ([], [run.pk])
    cancel(run)
    heartbeat.beat()
    assert job.heard[0] == [run.pk]
