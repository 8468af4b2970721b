import pytest
from django.urls import reverse

from packs.access import Role
from runs.models import Agent, Run
from tests.people import client_of, make_member
from tests.runs.evals import eval_test, publish_evals

pytestmark = pytest.mark.django_db


@pytest.fixture
def curator(team):
    return make_member(team, Role.CURATOR)


@pytest.fixture
def matrix(team, curator):
    """A suite for the agents x and y, one test of which only x tries."""
    only = {"execution": {"targets": ["x"]}}
    return publish_evals(team, curator, eval_test("a"), eval_test("b", **only), targets=["x", {"name": "y"}])


@pytest.fixture
def x(team):
    return Agent.objects.create(team=team, name="x", kind="echo")


def page(user, version, **more):
    return client_of(user).get(reverse("runs:new"), {"version": version.pk, **more})


def test_agents_that_bear_the_names_in_the_pack_are_chosen_and_missing_ones_are_told(curator, matrix, agents, x):
    shown = page(curator, matrix)
    assert [card["row"].name for card in shown.context["agents"] if card["chosen"]] == ["x"]
    assert [(target.name, target.agent) for target in shown.context["targets"]] == [("x", x), ("y", None)]
    assert shown.context["missing_targets"] == ["y"]
    assert b'id="missing-targets"' in shown.content
    Agent.objects.create(team=matrix.pack.team, name="y", kind="echo")
    assert b'id="missing-targets"' not in page(curator, matrix).content


def test_agents_of_others_and_those_that_are_switched_off_are_none(curator, matrix, agents, x, other_team):
    Agent.objects.filter(pk=x.pk).update(is_active=False)
    Agent.objects.create(team=other_team, name="y", kind="echo")
    shown = page(curator, matrix)
    assert shown.context["missing_targets"] == ["x", "y"]
    assert [card["row"].name for card in shown.context["agents"] if card["chosen"]] == ["reference"]


def test_the_forecast_counts_what_each_agent_tries(curator, matrix, agents, x):
    y = Agent.objects.create(team=matrix.pack.team, name="y", kind="echo")
    chosen = [x.pk, y.pk, agents["echo"].pk]
    assert page(curator, matrix, nonce="n", agent=chosen, trials="").context["forecast"]["total"] == 5
    assert page(curator, matrix, nonce="n", agent=chosen, trials="3").context["forecast"]["total"] == 15
    client_of(curator).post(reverse("runs:new"), {"version": matrix.pk, "trials": "3", "agent": chosen})
    assert Run.objects.get().trial_count == 15


def test_a_pack_that_names_nobody_says_nothing_of_targets(curator, version, agents):
    assert b'id="targets"' not in page(curator, version).content
