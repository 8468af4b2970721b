"""The judges of a trial on its page."""

import json
import re
from importlib import import_module

import pytest
from django.apps import apps
from django.urls import reverse

from runs.jobs.tasks import execute_rankings, execute_trials
from runs.jobs.trials.control import cancel
from runs.launch.launching import launch
from runs.models import Run, Trial
from runs.views.agents.advice import ADVICE
from runs.views.trials.judges import NOT_RANKED, PROBLEMS
from tests.openai_server import trouble
from tests.runs.connections import make_connection
from tests.runs.judged_packs import RANKING, RUBRIC, judged_text
from tests.runs.studio_packs import pack_text, publish_text
from tests.runs.working import work_off

BOTH = (
    "{key: safe, mode: assertion, models: [gpt-small, gpt-large], samples: 1, context_from: [final_output], "
    "assertion: It is <safe>., consensus: {aggregation: majority_vote, flag_on_disagreement: true}}"
)


@pytest.fixture
def judges(team, model_server, local_endpoints):
    make_connection(team, model_server, model_list=[{"name": "gpt-small"}, {"name": "gpt-large"}])
    model_server.reply('{"score": 4, "pass": true, "reasoning": "It says <where>."}')
    return model_server


def begin(team, author, agents, *specs):
    version = publish_text(team, author, judged_text(1, *specs))
    return launch(author, version, [agents["reference"], agents["echo"]])


def page(client, trial):
    answer = client.get(reverse("runs:trial", args=[trial.pk]))
    assert answer.status_code == 200
    return answer


def test_each_sample_is_shown_with_its_reason_reply_and_step(team, author, as_author, agents, judges):
    trial = work_off(begin(team, author, agents, RUBRIC)).trials.first()
    answer = page(as_author, trial)
    [judge] = answer.context["judges"]
    [model] = judge["models"]
    assert (judge["problem"], model["score"], len(model["calls"])) == (None, 0.75, 2)
    first, second = model["calls"]
    assert (first["reason"], first["tokens"], first["number"]) == ("It says <where>.", 10, 1)
    assert "score" in first["reply"].text
    assert [message.label for message in first["prompt"]] == ["system", "user"]
    assert not second["prompt"]
    text = answer.content.decode()
    assert "It says &lt;where&gt;." in text
    assert f"event={first['event']}" in text


def test_models_that_disagree_are_shown_apart(team, author, as_author, agents, judges):
    judges.answer = lambda request: json.dumps({"pass": request["model"] == "gpt-small", "reasoning": "so"})
    trial = work_off(begin(team, author, agents, BOTH)).trials.first()
    [judge] = page(as_author, trial).context["judges"]
    assert {each["model"]: each["score"] for each in judge["models"]} == {"gpt-small": 1.0, "gpt-large": 0.0}
    assert (judge["spread"], judge["confidence"]) == (100, "low")


UNREACHED = ("The model could not be asked", ADVICE["authentication"])


@pytest.mark.parametrize(
    ("entry", "problem"), [("I cannot say.", PROBLEMS["no_usable_reply"]), (trouble(401), UNREACHED)]
)
def test_why_there_is_no_score_is_said_with_what_to_do(team, author, as_author, agents, judges, entry, problem):
    judges.script([entry])
    trial = work_off(begin(team, author, agents, RUBRIC)).trials.first()
    [judge] = page(as_author, trial).context["judges"]
    assert judge["problem"] == problem


def test_without_a_connection_the_page_says_what_to_set_up(team, author, as_author, agents):
    trial = work_off(begin(team, author, agents, RUBRIC)).trials.first()
    answer = page(as_author, trial)
    assert answer.context["judges"][0]["problem"] == PROBLEMS["not_connected"]
    assert "gpt-small" in answer.content.decode()


def test_what_could_not_be_judged_has_no_score(team, author, as_author, agents):
    text = judged_text(1, RUBRIC).replace("      dimensions:\n", "      strategy: hybrid\n      dimensions:\n")
    run = launch(author, publish_text(team, author, text), [agents["reference"]])
    trial = work_off(run).trials.get()
    assert trial.scorecard["strategy"] == "hybrid"
    assert (trial.status, trial.score, run.agents.get().summary["overall_score"]) == ("undecided", None, None)
    shown = as_author.get(reverse("runs:show", args=[run.pk])).content.decode()
    assert re.search(r'<dt>Score</dt>\s*<dd>\s*<span class="muted">–</span>', shown)
    # What was stored as a score of 0 before is taken back.
    run.trials.update(score=0.0)
    run.agents.update(summary={"overall_score": 0.0, "trials": 1})
    import_module("runs.migrations.0024_no_score_without_a_verdict").take_back(apps, None)
    assert (run.trials.get().score, run.agents.get().summary) == (None, {"overall_score": None, "trials": 1})


def test_a_dimension_without_a_point_is_not_ticked(team, author, as_author, agents):
    version = publish_text(team, author, pack_text({"default": 1}))
    trial = work_off(launch(author, version, [agents["empty"]])).trials.get()
    text = page(as_author, trial).content.decode()
    table = text[text.index("Contribution") :]
    assert (trial.status, "share--red" in table) == ("failed", True)
    assert '#check"' not in table[: table.index("</table>")]


def test_a_ranking_is_awaited_and_then_shown_with_the_labels(team, author, as_author, agents, judges):
    run = begin(team, author, agents, RANKING)
    judges.reply('{"ranking": ["B", "A"], "reasoning": "B is better"}')
    for _ in range(3):
        execute_trials(run.pk)
    trial = Trial.objects.filter(run=run).first()
    waiting = page(as_author, trial)
    assert waiting.context["awaits_ranking"]
    assert "data-poll" in waiting.content.decode()
    execute_rankings(run.pk)
    ranked = page(as_author, trial)
    assert not ranked.context["awaits_ranking"]
    [judge] = ranked.context["judges"]
    assert judge["is_shared"]
    calls = judge["models"][0]["calls"]
    assert {call["label"] for call in calls} <= {"A", "B"}
    assert all(call["reply"] for call in calls)
    assert any(call["prompt"] for call in calls)


def test_a_ranking_that_a_cancelled_run_never_made_is_not_awaited(team, author, as_author, agents, judges):
    run = begin(team, author, agents, RANKING)
    for _ in range(3):
        execute_trials(run.pk)
    cancel(Run.objects.get(pk=run.pk))
    execute_rankings(run.pk)
    answer = page(as_author, Trial.objects.filter(run=run).first())
    assert not answer.context["awaits_ranking"]
    assert answer.context["judges"][0]["problem"] == NOT_RANKED
