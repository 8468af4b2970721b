"""Pausing and resuming; cancelling has its tests beside the end of a run."""

import pytest

from runs.jobs.queue.leases import claim, new_mark
from runs.jobs.tasks import execute_trials, sweep
from runs.jobs.trials.control import cancel, pause, resume
from runs.launch.launching import launch
from runs.models import RunStatus
from tests.runs.working import lose, work_off

pytestmark = pytest.mark.django_db


@pytest.fixture
def run(author, version, agents):
    return launch(author, version, [agents["echo"]])


def test_a_paused_run_begins_no_trial_until_it_is_resumed(run):
    assert pause(run)
    assert not pause(run)
    execute_trials(run.pk)
    assert claim(run, 5, new_mark()) == []
    assert sweep(starting=True) == 0
    run.refresh_from_db()
    assert (run.status, run.trials.filter(status="queued").count()) == (RunStatus.PAUSED, 3)
    assert resume(run)
    assert not resume(run)
    assert work_off(run).counts == {"passed": 3}


def test_a_run_whose_last_trial_ends_while_it_is_paused_has_ended(run):
    for trial in claim(run, 3, new_mark()):
        trial.status = "passed"
        trial.save()
    pause(run)
    sweep()
    run.refresh_from_db()
    assert run.status == RunStatus.COMPLETED
    assert not resume(run)


def test_trials_of_a_lost_worker_wait_while_their_run_is_paused(run):
    claim(run, 3, new_mark())
    pause(run)
    lose(run)
    sweep()
    run.refresh_from_db()
    assert run.status == RunStatus.PAUSED
    assert run.trials.filter(status="queued").count() == 3


def test_a_paused_run_can_be_cancelled(run):
    pause(run)
    assert cancel(run)
    run.refresh_from_db()
    assert run.status == RunStatus.CANCELLED
