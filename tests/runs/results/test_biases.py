"""Biases that show across the agents of a run, and what finding them takes."""

import json
import re

import pytest

from runs.jobs.tasks import execute_rankings, execute_trials
from runs.launch.launching import launch
from runs.models import Agent
from runs.results.asking import asking_of
from runs.results.biases import plain_name
from runs.results.judgings import judgings_of
from tests.runs.connections import make_connection
from tests.runs.grading.judges.benches import prompt_of, scores
from tests.runs.judged_packs import judged_text
from tests.runs.results.test_judgings import ONE, PRICED, scored
from tests.runs.studio_packs import publish_text

pytestmark = pytest.mark.django_db
RANKING = (
    "{key: best, mode: n_wise, model: gpt-small, samples: 1, context_from: [final_output], prompt: Which is best?}"
)
MINE = "Written by gpt-small."


def answer(request):
    """Agents sign what they write. Rubrics prefer what gpt-small signed where it judges; rankings repeat the order."""
    prompt = prompt_of(request)
    if "Be kind" in prompt:
        return scores(5 if MINE in prompt and request["model"] == "gpt-small" else 3)
    if shown := re.findall(r"candidate ([A-Z]): final_output", prompt):
        return json.dumps({"ranking": sorted(set(shown))})
    return f"Written by {request['model']}."


@pytest.fixture
def run(team, author, model_server, local_endpoints):
    """Four cases that two models answer; one of them judges."""
    connection = make_connection(team, model_server, model_list=PRICED, max_retries=0)
    model_server.answer = answer
    agents = [
        Agent.objects.create(team=team, name=name, kind="chat", config={"connection": connection.name, "model": name})
        for name in ("gpt-small", "large")
    ]
    found = launch(author, publish_text(team, author, judged_text(4, ONE, RANKING)), agents)
    for _ in range(5):
        execute_trials(found.pk)
    execute_rankings(found.pk)
    found.refresh_from_db()
    return found


def test_a_probe_shows_that_rankings_repeat_the_order_and_asks_only_them(run):
    said = asking_of(run)["swapped"]
    row = scored(run, probe="swapped")
    (bias,) = judgings_of(row, run.agents.first()).biases.orders
    assert (bias.judge, bias.effect.mean.clusters, bias.effect.mean.mean) == ("best", 4, 1.0)
    assert row.summary["judging"]["calls"] == said["calls"] == 4
    assert row.summary["judging"]["cost_usd"] == pytest.approx(said["cost_usd"])


def test_another_judge_shows_what_a_model_gives_its_own_answers(run):
    connection = run.team.connections.get()
    row = scored(run, asks="all", connections={"gpt-small": {"connection": connection.pk, "model": "large"}})
    found = judgings_of(row, run.agents.first()).biases.own
    assert [(each.judge, each.model, each.is_shared) for each in found if each.judge == "tone"] == [
        ("tone", "gpt-small", True),
        ("tone", "large", True),
    ]
    assert {each.effect.mean.mean for each in found if each.judge == "tone"} == {0.5}
    assert row.summary["judging"]["calls"] == asking_of(run)["all"]["calls"] == 12


def test_pages_and_api_say_both(as_author, run):
    row = scored(run, probe="swapped")
    page = as_author.get(f"/runs/rescores/{row.pk}/compare/")
    assert "What standing first gains" in page.content.decode()
    said = as_author.get(f"/api/v1/rescores/{row.pk}/comparison/").json()
    assert said["order_effects"][0]["effect"] == 1.0
    assert as_author.get(f"/api/v1/runs/{run.pk}/rescores/estimate/").json() == asking_of(run)
    form = as_author.get(f"/runs/{run.pk}/rescores/").content.decode()
    assert "about 4 calls" in form
    assert "is the model of gpt-small" in form


def test_a_gateway_does_not_make_another_model_of_it():
    assert plain_name("OpenAI/GPT-small") == plain_name("gpt-small")
    assert plain_name(None) == ""
