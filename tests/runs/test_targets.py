"""Agents that a pack names: on the launch page, by command and over the API."""

import io
import json

import pytest
from django.core.management import call_command
from django.urls import reverse

from packs.access import Role
from runs.models import Agent, Run
from tests.people import client_of, make_member
from tests.runs.evals import eval_test, publish_evals, suite

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


@pytest.fixture
def y(team):
    return Agent.objects.create(team=team, name="y", kind="echo")


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


def start(*arguments):
    """Exit code and answer of `run start`."""
    out = io.StringIO()
    try:
        call_command("run", "start", "evals", *arguments, "--json", stdout=out)
    except SystemExit as leave:
        return leave.code, json.loads(out.getvalue())
    return 0, json.loads(out.getvalue())


def names(started):
    return [entry["name"] for entry in started["agents"]]


def test_the_command_enters_the_agents_that_the_pack_names(matrix, agents, x, y):
    code, started = start("--targets")
    assert (code, names(started), started["trial_count"]) == (0, ["x", "y"], 3)
    assert names(start("--targets", "--agent", "echo", "--agent", "y")[1]) == ["echo", "y", "x"]


def test_a_missing_agent_of_the_pack_is_told_with_those_that_there_are(matrix, agents, x):
    code, told = start("--targets")
    assert (code, told["error"]["code"]) == (2, "missing_targets")
    assert "x" in [choice["name"] for choice in told["error"]["choices"]]
    assert not Run.objects.exists()


def post(user, version, **wanted):
    body = json.dumps({"challenge_pack_version_id": version.pk, **wanted})
    return client_of(user).post("/api/v1/runs/", body, content_type="application/json")


def test_a_request_enters_the_agents_that_the_pack_names(curator, matrix, agents, x, y):
    assert names(post(curator, matrix, targets=True).json()) == ["x", "y"]
    beside = {"targets": True, "agent_deployment_ids": [agents["echo"].pk]}
    assert names(post(curator, matrix, **beside).json()) == ["echo", "x", "y"]


def test_a_request_for_agents_that_are_not_there_is_refused_at_its_field(curator, matrix, version, agents, x):
    for wanted, code in ((matrix, "missing_targets"), (version, "no_targets")):
        (found,) = post(curator, wanted, targets=True).json()["findings"]
        assert (found["code"], found["path"]) == (code, "targets")


def test_whom_a_version_is_meant_for_is_told_over_the_api(curator, matrix, x):
    told = client_of(curator).get(f"/api/v1/versions/{matrix.pk}/targets/").json()
    assert told == [{"name": "x", "agent": x.pk}, {"name": "y", "agent": None}]
    assert client_of(curator).get(f"/api/v1/versions/{matrix.pk}/targets/?input_set=none").status_code == 400


def test_only_the_agents_of_the_chosen_input_set_enter(team, curator, x, y):
    others = {"two.eval.yaml": suite("two", eval_test("c"), targets=["y"])}
    version = publish_evals(team, curator, eval_test("a"), suites=others, targets=["x"])
    for row, name in zip(version.input_sets.order_by("position"), ("x", "y"), strict=True):
        assert names(post(curator, version, targets=True, input_set=row.key).json()) == [name]
    assert names(post(curator, version, targets=True, input_set="all").json()) == ["x", "y"]
