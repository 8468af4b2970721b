"""Claims of trials, and what becomes of those whose worker is gone."""

import pytest

from runs.jobs.queue.leases import MAX_ATTEMPTS, claim, is_abandoned, new_mark
from runs.jobs.tasks import sweep
from runs.launch.launching import launch
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
