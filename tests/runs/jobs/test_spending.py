"""Budgets of a whole run."""

from datetime import timedelta

import pytest
from django.utils import timezone

from runs.jobs import retry
from runs.jobs.spending import spent, stop_when_used_up
from runs.launch import LaunchRefused, Options, launch
from runs.models import Agent, Run, RunStatus
from tests.runs.working import work_off

pytestmark = pytest.mark.django_db


@pytest.fixture
def agent(team):
    """An agent that uses a hundred tokens for each answer."""
    call = {"type": "model.call.completed", "payload": {"usage": {"total_tokens": 100, "cost_usd": 0.25}}}
    config = {"default": {"output": "It is at the hub.", "events": [call]}}
    return Agent.objects.create(team=team, name="s", kind="scripted", config=config)


@pytest.mark.parametrize("budgets", [{"total_tokens": 150}, {"cost_usd": 0.3}])
def test_no_trial_begins_once_the_budget_of_the_run_is_used_up(author, version, agent, budgets):
    run = work_off(launch(author, version, [agent], Options(budgets=budgets)))
    assert (run.status, run.counts) == (RunStatus.CANCELLED, {"passed": 2, "cancelled": 1})
    stopped = run.trials.get(status="cancelled")
    assert (stopped.stop_reason, stopped.fault) == ("run_budget", "")
    assert stopped.error


def test_a_run_takes_no_longer_than_its_time(author, version, agent):
    run = launch(author, version, [agent], Options(budgets={"wall_seconds": 60}))
    assert not stop_when_used_up(run)
    Run.objects.filter(pk=run.pk).update(started_at=timezone.now() - timedelta(seconds=61))
    assert work_off(run).counts == {"cancelled": 3}


def test_what_earlier_attempts_used_up_counts(author, version, agent):
    run = work_off(launch(author, version, [agent]))
    assert spent(run) == {"cost_usd": 0.75, "total_tokens": 300}
    run.trials.update(status="error")
    retry(run)
    assert spent(run) == {"cost_usd": 0.75, "total_tokens": 300}


def test_what_is_no_budget_is_refused(author, version, agent):
    for budgets in ({"cost_usd": 0}, {"money": 1}, {"total_tokens": 1.5}):
        with pytest.raises(LaunchRefused) as refused:
            launch(author, version, [agent], Options(budgets=budgets))
        assert refused.value.code == "invalid_budgets"
