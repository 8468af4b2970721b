"""Choosing who answers for the models that a pack names."""

import json

import pytest
from django.urls import reverse

from packs.importing import import_pack
from packs.publish import publish
from runs.launch.launching import Options, launch
from runs.models import Run
from tests.runs.connections import make_connection
from tests.runs.evals import eval_test, publish_evals
from tests.runs.judged_packs import RUBRIC, judged_text
from tests.runs.studio_packs import publish_text

URL = reverse("runs:new")


@pytest.fixture
def judged(team, author):
    return publish_text(team, author, judged_text(1, RUBRIC))


def models_of(client, version, **more):
    answer = client.get(URL, {"version": version.pk, **more})
    assert answer.status_code == 200
    return answer.context["models"](), answer.content.decode()


def test_a_pack_without_judges_asks_for_no_models(as_author, version, agents):
    assert models_of(as_author, version)[0] == []


def test_the_page_says_what_each_model_is_for_and_who_answers(as_author, team, judged, agents, model_server):
    [card], _ = models_of(as_author, judged)
    assert (card["name"], card["uses"], card["usual"]) == ("gpt-small", ["judge tone"], None)
    listed = make_connection(team, model_server, model_list=[{"name": "gpt-small"}])
    [card], _ = models_of(as_author, judged)
    assert card["usual"].connection == listed


def test_a_chosen_model_stands_in_and_is_kept_for_the_next_run(
    as_author, team, other_team, judged, agents, model_server
):
    make_connection(other_team, model_server, name="theirs")
    own = make_connection(team, model_server, model_list=[{"name": "own/model"}])
    [card], text = models_of(as_author, judged)
    [(value, _)] = card["choices"]
    assert f'value="{value}"' in text
    form = {"version": judged.pk, "agent": agents["echo"].pk, "trials": "1", "answer:gpt-small": value}
    assert as_author.post(URL, form).status_code == 302
    run = Run.objects.get()
    assert run.connections == {"gpt-small": {"connection": own.pk, "model": "own/model"}}
    [again], _ = models_of(as_author, judged)
    assert again["chosen"] == value
    as_author.post(reverse("runs:again", args=[run.pk]))
    assert Run.objects.order_by("-pk").first().connections == run.connections


def test_the_configuration_of_a_run_says_who_was_chosen(as_author, team, author, judged, agents, model_server):
    own = make_connection(team, model_server)
    chosen = {"gpt-small": {"connection": own.pk, "model": "small"}}
    run = launch(author, judged, [agents["echo"]], Options(connections=chosen))
    address = reverse("runs:configuration", args=[run.pk])
    assert as_author.get(address).context["answers"] == [
        {"name": "gpt-small", "model": "small", "connection": own.name}
    ]
    own.delete()
    assert as_author.get(address).context["answers"][0]["connection"] == ""


def test_a_connection_of_another_team_is_refused_at_its_place(as_author, other_team, judged, agents, model_server):
    theirs = make_connection(other_team, model_server)
    form = {"version": judged.pk, "agent": agents["echo"].pk, "trials": "1", "answer:gpt-small": f"{theirs.pk}/small"}
    answer = as_author.post(URL, form)
    assert (answer.status_code, answer.context["refused"].code) == (422, "invalid_connections")
    assert answer.context["place"] == "models"


def test_the_same_launch_is_shown_as_a_command_and_as_a_call(as_author, team, judged, agents, model_server):
    own = make_connection(team, model_server)
    found = as_author.get(
        URL, {"version": judged.pk, "agent": agents["echo"].pk, "answer:gpt-small": f"{own.pk}/small"}
    ).context["forecast"]
    assert f"--model gpt-small={own.pk}/small" in found["command"]
    assert json.loads(found["call"])["connections"] == {"gpt-small": {"connection": str(own.pk), "model": "small"}}


def test_models_that_graders_ask_are_shown_too(as_author, team, author, agents):
    suite = b"$schema: agentv-eval-v2\nname: s\ntests:\n  - {id: a, criteria: Be kind., input: Hello}\n"
    version = publish(import_pack(team, author, {"s.eval.yaml": suite}, "s"), author)
    [card], _ = models_of(as_author, version)
    assert (card["name"], card["uses"], card["usual"]) == ("judge", ["grader criteria"], None)


def test_the_targets_file_of_a_pack_names_the_judges_of_its_targets(as_author, team, author, agents):
    targets = {"targets": [{"name": "small", "provider": "mock", "grader_target": "strict"}]}
    judged = eval_test("a", assertions=["Says it politely."])
    version = publish_evals(
        team, author, judged, suites={".agentv/targets.yaml": targets}, targets=["small", {"name": "other"}]
    )
    assert [card["name"] for card in models_of(as_author, version)[0]] == ["strict"]
