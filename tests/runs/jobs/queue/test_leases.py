"""Claims of trials, and what becomes of those whose worker is gone."""

import os
import subprocess

import pytest
from django.utils import timezone

from runs.jobs.queue.leases import MAX_ATTEMPTS, claim, is_abandoned, new_mark
from runs.jobs.tasks import sweep
from runs.jobs.trials.control import cancel
from runs.launch.launching import launch
from runs.models import Event, RunStatus
from tests.runs.working import lose, work_off

pytestmark = pytest.mark.django_db


def test_a_claimed_trial_is_not_claimed_again(author, version, agents):
    run = launch(author, version, [agents["echo"]])
    first, second = claim(run, 2, new_mark()), claim(run, 5, new_mark())
    assert [len(first), len(second)] == [2, 1]
    assert claim(run, 5, new_mark()) == []


def test_a_trial_that_keeps_killing_its_worker_is_given_up(author, version, agents):
    run = launch(author, version, [agents["echo"]])
    claim(run, 1, new_mark())
    lose(run, attempt=MAX_ATTEMPTS)
    sweep()
    work_off(run)
    assert run.counts == {"passed": 2, "error": 1}
    lost = run.trials.get(status="error")
    assert (lost.fault, lost.stop_reason) == ("machine", "observer_error")


def test_a_mark_of_a_process_that_is_gone_is_told_from_one_that_lives():
    assert not is_abandoned(new_mark())
    host = new_mark().partition("|")[0]
    assert is_abandoned(f"{host}|4194999|x")
    assert not is_abandoned("elsewhere|4194999|x")


def test_a_process_that_ended_counts_as_gone_before_its_parent_looks():
    with subprocess.Popen(["true"]) as process:
        os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
        host = new_mark().partition("|")[0]
        assert is_abandoned(f"{host}|{process.pid}|x")


def test_what_a_lost_attempt_recorded_is_not_told_beside_the_next_one(author, version, agents):
    run = launch(author, version, [agents["echo"]])
    [trial] = claim(run, 1, new_mark())
    half = {"event_type": "tool.call.started", "source": "native_engine", "payload": {"tool_name": "half"}}
    Event.objects.create(trial=trial, sequence=1000, occurred_at=timezone.now(), **half)
    lose(run)
    sweep()
    work_off(run)
    assert run.counts == {"passed": 3}
    assert not Event.objects.filter(trial=trial, sequence=1000).exists()


def test_a_trial_that_is_lost_after_its_run_was_stopped_is_not_tried_again(author, version, agents):
    run = launch(author, version, [agents["echo"]])
    [trial] = claim(run, 1, new_mark())
    cancel(run)
    lose(run)
    sweep()
    trial.refresh_from_db()
    run.refresh_from_db()
    assert (trial.status, trial.stop_reason, run.status) == ("cancelled", "cancelled", RunStatus.CANCELLED)
