import pytest
from django.urls import reverse

from packs.access import Role
from runs.launch.launching import Options, launch
from runs.models import Agent, Trial
from tests.people import client_of, make_member
from tests.runs.evals import eval_test, publish_evals, suite
from tests.runs.working import work_off

pytestmark = pytest.mark.django_db


@pytest.fixture
def curator(team):
    return make_member(team, Role.CURATOR)


@pytest.fixture
def foretold(team, curator):
    """What the launch page says of a version with an agent and some choices."""
    agent = Agent.objects.create(team=team, name="x", kind="scripted", config={"default": {"output": "done"}})

    def ask(version, **choices):
        query = {"version": version.pk, "agent": agent.pk, "nonce": "n", "trials": "", "set": "all", **choices}
        return client_of(curator).get(reverse("runs:new"), query).context["forecast"]

    return ask


def test_a_cost_limit_of_the_pack_makes_the_number_of_trials_the_largest_one(team, curator, foretold):
    version = publish_evals(team, curator, eval_test("a"), trials={"count": 4, "cost_limit_usd": 0.5})
    told = foretold(version)
    assert told["total"] == 4
    [limit] = told["limits"]
    assert "0.5 US dollars" in limit
    # A single trial is made whatever it costs.
    assert foretold(version, trials="1")["limits"] == []


def test_a_budget_of_the_pack_is_told_until_another_is_chosen(team, curator, foretold):
    version = publish_evals(team, curator, eval_test("a"), budget_usd=3)
    [limit] = foretold(version)["limits"]
    assert "3 US dollars" in limit
    assert foretold(version, cost="1")["limits"] == []


def test_budgets_of_several_input_sets_are_told_from_the_least_to_the_most(team, curator, foretold):
    other = {"two.eval.yaml": suite("two", eval_test("b"), budget_usd=7, fail_on_error=True)}
    version = publish_evals(team, curator, eval_test("a"), suites=other, budget_usd=3)
    costs, stops = foretold(version)["limits"]
    assert "3 to 7 US dollars" in costs
    assert "error" in stops


def test_nothing_is_told_of_limits_where_the_pack_has_none_or_nothing_is_chosen(team, curator, foretold):
    assert foretold(publish_evals(team, curator, eval_test("a")))["limits"] == []
    two = publish_evals(team, curator, eval_test("a"), slug="b", suites={"t.eval.yaml": suite("t", eval_test("b"))})
    told = foretold(two, set="")
    assert (told["total"], told["limits"], told["needs_set"]) == (0, [], True)


def test_the_page_says_how_long_a_launch_takes_what_it_costs_and_what_it_can_tell(team, curator, foretold):
    version = publish_evals(team, curator, *(eval_test(f"case-{number}") for number in range(20)))
    first = foretold(version, trials="1", at_once="4")
    assert (first["seconds"], first["cost"], first["unknown"], first["is_measured"]) == (None, None, ("x",), False)
    # The widest spread of 20 differences: (2.093 + 0.842) * sqrt(0.5 / 20) is 46.4 points.
    assert first["difference"] == 47
    run = work_off(launch(curator, version, [Agent.objects.get(name="x")], Options(trials=2)))
    Trial.objects.filter(run=run).update(status="passed", seconds=8.0, cost_usd=0.015)
    then = foretold(version, trials="1", at_once="4")
    assert (then["seconds"], then["cost"], then["unknown"]) == (40, "$0.30", ())
    # One agent alone does not say how two differ.
    assert not then["is_measured"]
