import pytest

from packs.access import Role
from runs.launch.launching import launch
from runs.launch.planning import asked_trials
from runs.models import Agent
from tests.people import make_member
from tests.runs.evals import eval_test, publish_evals

pytestmark = pytest.mark.django_db


@pytest.fixture
def curator(team):
    return make_member(team, Role.CURATOR)


def test_a_run_has_no_trials_of_cases_that_are_for_other_agents(team, curator):
    only = {"execution": {"targets": ["x"]}}
    version = publish_evals(
        team, curator, eval_test("a"), eval_test("b", **only), targets=["x", "y"], trials={"count": 2}
    )
    agents = [Agent.objects.create(team=team, name=name, kind="echo") for name in "xyz"]
    run = launch(curator, version, agents)
    tried = list(run.trials.filter(case_key="b").order_by("pk").values_list("run_agent__name", flat=True))
    assert (tried, run.trial_count) == (["x", "x", "z", "z"], 10)
    assert asked_trials(run) is None


def test_a_run_keeps_the_rule_and_the_threshold_of_its_cases(team, curator, agents):
    suite = {"trials": {"count": 3, "strategy": "mean"}, "threshold": 0.6}
    run = launch(curator, publish_evals(team, curator, eval_test("a"), **suite), [agents["echo"]])
    plan = run.plans.get()
    assert (plan.count, plan.rule, plan.threshold) == (3, "mean", 0.6)
