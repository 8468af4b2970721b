"""What earlier runs of a pack say of a planned one."""

import random

import pytest

from packs.access import Role
from runs.jobs.scores.overruling import Wanted, overrule
from runs.jobs.trials.retrying import retry
from runs.launch.estimating import estimate, mean_spread
from runs.launch.launching import Options, launch
from runs.models import Agent, Trial
from runs.statistics.planning import WIDEST, Moments, smallest_difference
from tests.people import make_member
from tests.runs.evals import eval_test, publish_evals
from tests.runs.working import work_off

pytestmark = pytest.mark.django_db


@pytest.fixture
def curator(team):
    return make_member(team, Role.CURATOR)


def agent_of(team, name="x"):
    return Agent.objects.get_or_create(team=team, name=name, defaults={"kind": "echo"})[0]


@pytest.fixture
def version(team, curator):
    return publish_evals(team, curator, *(eval_test(f"case-{number}") for number in range(6)))


def run_of(version, user, agents, trials=1, **columns):
    """A run in which every trial has these columns."""
    run = work_off(launch(user, version, agents, Options(trials=trials)))
    Trial.objects.filter(run=run).update(**columns)
    return run


def set_of(version):
    return version.input_sets.get().key


def test_time_and_cost_are_those_of_the_last_run_of_each_agent(team, curator, version):
    one, other = agent_of(team), agent_of(team, "y")
    run_of(version, curator, [one], status="passed", seconds=90.0, cost_usd=9.0)
    run_of(version, curator, [one], status="passed", seconds=2.0, cost_usd=0.25, judge_cost_usd=0.25)
    run_of(version, curator, [other], status="failed", seconds=4.0, cost_usd=1.0)
    found = estimate(version.pack, set_of(version), [one, other], cases=6, total=36, concurrency=3)
    assert found.seconds == pytest.approx(18 * (2 + 4) / 3)
    assert found.cost_usd == pytest.approx(18 * (0.5 + 1.0))
    assert found.unknown == ()


@pytest.mark.parametrize("cache", ["read", "write"])
def test_a_run_that_took_answers_from_the_cache_does_not_say_how_long_they_take(team, curator, version, cache):
    one = agent_of(team)
    run_of(version, curator, [one], status="passed", seconds=2.0)
    repeated = run_of(version, curator, [one], status="passed", seconds=0.001)
    type(repeated).objects.filter(pk=repeated.pk).update(response_cache=cache)
    assert estimate(version.pack, set_of(version), [one], 6, 6, 1).seconds == pytest.approx(12)


def test_an_agent_without_an_earlier_run_has_no_time_and_no_cost(team, curator, version):
    known, new = agent_of(team), agent_of(team, "new")
    run_of(version, curator, [known], status="passed", seconds=2.0)
    found = estimate(version.pack, set_of(version), [known, new], 6, 12, 8)
    assert (found.seconds, found.cost_usd, found.unknown) == (None, None, ("new",))
    # Nobody knows what the trials of the known one cost.
    alone = estimate(version.pack, set_of(version), [known], 6, 6, 1)
    assert (alone.seconds, alone.cost_usd, alone.unknown) == (pytest.approx(12), None, ())


def test_errors_and_other_packs_say_nothing(team, curator, version):
    one = agent_of(team)
    run_of(version, curator, [one], status="error", seconds=500.0)
    other = publish_evals(team, curator, eval_test("a"), slug="other")
    run_of(other, curator, [one], status="passed", seconds=500.0)
    assert estimate(version.pack, set_of(version), [one], 6, 6, 1).unknown == ("x",)


def test_the_difference_that_is_found_stands_on_how_agents_differed(team, curator, version):
    """Two agents that agree in every trial leave nothing to chance; before that the widest spread is taken."""
    one, other = agent_of(team), agent_of(team, "y")
    before = estimate(version.pack, set_of(version), [one, other], 6, 12, 8)
    assert (before.difference, before.is_measured) == (smallest_difference(WIDEST, 6, 1), False)
    run_of(version, curator, [one, other], trials=2, status="passed")
    after = estimate(version.pack, set_of(version), [one, other], 6, 12, 8)
    assert (after.difference, after.is_measured) == (0, True)


def test_runs_of_another_input_set_say_nothing_of_this_one(team, curator, version):
    run_of(version, curator, [agent_of(team), agent_of(team, "y")], trials=2, status="passed")
    assert not estimate(version.pack, "other", [agent_of(team)], 6, 6, 8).is_measured


def test_a_new_run_is_looked_at_at_once(team, curator, version):
    rng = random.Random(3)
    agents = [agent_of(team), agent_of(team, "y")]
    run_of(version, curator, agents, trials=4, status="passed")
    assert estimate(version.pack, set_of(version), agents, 6, 48, 8).difference == 0
    run = run_of(version, curator, agents, trials=4, status="passed")
    for trial in Trial.objects.filter(run=run):
        Trial.objects.filter(pk=trial.pk).update(status=rng.choice(["passed", "failed"]))
    assert estimate(version.pack, set_of(version), agents, 6, 48, 8).difference > 0


def test_a_run_whose_errors_were_retried_is_looked_at_anew(team, curator, version):
    agents = [agent_of(team), agent_of(team, "y")]
    run = run_of(version, curator, agents, trials=2, status="error")
    assert not estimate(version.pack, set_of(version), agents, 6, 24, 8).is_measured
    assert retry(run) == 24
    work_off(run)
    assert estimate(version.pack, set_of(version), agents, 6, 24, 8).is_measured


def test_a_run_of_which_a_trial_was_overruled_is_looked_at_anew(team, curator, version):
    agents = [agent_of(team), agent_of(team, "y")]
    run = work_off(launch(curator, version, agents, Options(trials=2)))
    assert estimate(version.pack, set_of(version), agents, 6, 24, 8).difference == 0
    trial = run.trials.first()
    overrule(trial, curator, Wanted(trial.grades.get().key, "fail", "It only says so."))
    assert estimate(version.pack, set_of(version), agents, 6, 24, 8).difference > 0


def test_columns_without_common_cases_have_no_spread():
    assert mean_spread([]) is None
    assert mean_spread([{("a",): Moments(1, 1, 1)}, {("b",): Moments(1, 1, 1)}]) is None
