"""Budgets of a whole run."""

from datetime import timedelta

import pytest
from django.utils import timezone

from packs.access import Role
from runs.jobs.trials.budgets import spent, stop_at_limits
from runs.jobs.trials.retrying import retry
from runs.launch.launching import Options, launch
from runs.launch.refusals import LaunchRefused
from runs.models import Agent, Run, RunStatus
from runs.models.trials import JUDGED
from tests.people import make_member
from tests.runs.evals import eval_test, publish_evals, suite
from tests.runs.working import work_off

pytestmark = pytest.mark.django_db


@pytest.fixture
def agent(team):
    """An agent that uses a hundred tokens for each answer."""
    call = {"type": "model.call.completed", "payload": {"usage": {"total_tokens": 100, "cost_usd": 0.25}}}
    config = {"default": {"output": "It is at the hub.", "events": [call]}}
    return Agent.objects.create(team=team, name="s", kind="scripted", config=config)


@pytest.fixture
def curator(team):
    return make_member(team, Role.CURATOR)


@pytest.mark.parametrize("budgets", [{"total_tokens": 150}, {"cost_usd": 0.3}])
def test_no_trial_begins_once_the_budget_of_the_run_is_used_up(author, version, agent, budgets):
    run = work_off(launch(author, version, [agent], Options(budgets=budgets)))
    assert (run.status, run.counts) == (RunStatus.CANCELLED, {"passed": 2, "cancelled": 1})
    stopped = run.trials.get(status="cancelled")
    assert (stopped.stop_reason, stopped.fault) == ("run_budget", "")
    assert stopped.error


def test_a_run_takes_no_longer_than_its_time(author, version, agent):
    run = launch(author, version, [agent], Options(budgets={"wall_seconds": 60}))
    assert not stop_at_limits(run)
    Run.objects.filter(pk=run.pk).update(started_at=timezone.now() - timedelta(seconds=61))
    assert work_off(run).counts == {"cancelled": 3}


def test_what_earlier_attempts_used_up_counts(author, version, agent):
    run = work_off(launch(author, version, [agent]))
    assert spent(run) == {"cost_usd": 0.75, "total_tokens": 300}
    run.trials.update(status="error")
    retry(run)
    assert spent(run) == {"cost_usd": 0.75, "total_tokens": 300}


def test_a_run_ends_once_its_pass_rates_are_known_as_exactly_as_was_asked(team, curator, agent):
    version = publish_evals(team, curator, *(eval_test(f"case-{number:02}") for number in range(40)))
    options = Options(budgets={"interval_points": 10}, concurrency=1)
    run = work_off(launch(curator, version, [agent], options))
    judged = run.trials.filter(status__in=JUDGED)
    # Of equal verdicts, 16 are the fewest whose Wilson interval is at most 20 points wide: 3.84 / (16 + 3.84) = 0.194.
    assert (run.status, judged.count()) == (RunStatus.COMPLETED, 16)
    left = run.trials.filter(status="cancelled")
    assert set(left.values_list("stop_reason", "fault")) == {("precise_enough", "")}
    assert "10 percentage points" in left.first().error
    # The cases that were tried are no first part of the set: that might be the easier one.
    assert sorted(judged.values_list("case_position", flat=True)) != list(range(16))
    assert (run.trial_shares.judged, run.trial_shares.planned) == (16, 40)


def test_a_run_goes_on_while_the_pass_rate_of_any_agent_is_not_known(team, curator, agent):
    version = publish_evals(team, curator, *(eval_test(f"case-{number:02}") for number in range(20)))
    other = Agent.objects.create(team=team, name="other", kind="echo")
    run = launch(curator, version, [agent, other], Options(budgets={"interval_points": 20}))
    run.trials.filter(run_agent__agent=agent).update(status="passed")
    assert not stop_at_limits(run)
    run.trials.filter(run_agent__agent=other).update(status="error")
    assert not stop_at_limits(run)
    run.trials.filter(run_agent__agent=other, case_position__lt=19).update(status="failed")
    assert stop_at_limits(run)


def test_what_is_no_budget_is_refused(author, version, agent):
    for budgets in ({"cost_usd": 0}, {"money": 1}, {"total_tokens": 1.5}):
        with pytest.raises(LaunchRefused) as refused:
            launch(author, version, [agent], Options(budgets=budgets))
        assert refused.value.code == "invalid_budgets"


def test_the_budget_of_an_only_input_set_is_that_of_its_run_unless_the_launch_says_otherwise(team, curator, agent):
    version = publish_evals(team, curator, *map(eval_test, "abcd"), budget_usd=0.5, workers=1)
    run = launch(curator, version, [agent])
    assert (run.budgets, run.set_limits, run.concurrency) == ({"cost_usd": 0.5}, {}, 1)
    assert work_off(run).counts == {"failed": 2, "cancelled": 2}
    free = launch(curator, version, [agent], Options(budgets={"cost_usd": 9}, concurrency=2))
    assert (free.budgets, free.set_limits, free.concurrency) == ({"cost_usd": 9}, {}, 2)


def test_each_input_set_has_a_budget_of_its_own_where_several_run(team, curator, agent):
    others = {"two.eval.yaml": suite("two", *map(eval_test, "xyz"), budget_usd=0.25)}
    version = publish_evals(team, curator, *map(eval_test, "abc"), suites=others, budget_usd=0.5)
    run = work_off(launch(curator, version, [agent], Options(input_set="all", concurrency=1)))
    assert run.budgets == {}
    assert states(run) == {
        **{"a": "failed", "b": "failed", "c": "cancelled"},
        **{"x": "failed", "y": "cancelled", "z": "cancelled"},
    }
    stopped = run.trials.filter(status="cancelled")
    assert set(stopped.values_list("stop_reason", flat=True)) == {"run_budget"}


def test_an_input_set_that_stops_on_errors_tries_no_more_cases_of_the_agent_that_broke(team, curator, agent):
    others = {"two.eval.yaml": suite("two", *map(eval_test, "xy"))}
    version = publish_evals(team, curator, *map(eval_test, "abc"), suites=others, fail_on_error=True, workers=1)
    config = {"default": {"output": "done"}, "answers": {"b": {"error": "out of order"}}}
    broken = Agent.objects.create(team=team, name="broken", kind="scripted", config=config)
    run = work_off(launch(curator, version, [agent, broken], Options(input_set="all")))
    assert states(run, "s") == dict.fromkeys("abcxy", "failed")
    assert states(run, "broken") == {"a": "passed", "b": "failed", "c": "cancelled", "x": "passed", "y": "passed"}
    stopped = run.trials.get(status="cancelled")
    assert (stopped.stop_reason, "'b'" in stopped.error) == ("stopped_on_error", True)


def states(run, agent="s"):
    return dict(run.trials.filter(run_agent__name=agent).values_list("case_key", "status"))
