"""Judges in a run: who answers for their models, and what is left of it in the rows."""

import json

import pytest

from runs.jobs.tasks import execute_rankings, execute_trials
from runs.jobs.trials.budgets import spent
from runs.jobs.trials.judges import bench_of
from runs.launch.launching import launch
from runs.models import ConnectionCall, Event, Run, RunStatus, Trial
from tests.openai_server import Answer
from tests.runs.connections import PRICED, make_connection
from tests.runs.judged_packs import RANKING, RUBRIC, judged_text
from tests.runs.studio_packs import publish_text
from tests.runs.working import work_off

GOOD = json.dumps({"score": 5, "confidence": "high", "reasoning": "It says where."})


@pytest.fixture
def judged_version(team, author):
    return publish_text(team, author, judged_text(2))


def run_with(author, version, agents, **connections):
    run = launch(author, version, [agents["reference"]])
    Run.objects.filter(pk=run.pk).update(connections=connections)
    return work_off(Run.objects.get(pk=run.pk))


def test_the_team_s_connection_answers_and_decides(team, author, agents, judged_version, model_server, local_endpoints):
    make_connection(team, model_server, model_list=[{"name": "gpt-small"}])
    model_server.reply(GOOD)
    run = run_with(author, judged_version, agents)
    assert run.counts == {"passed": 2}
    [details] = Trial.objects.filter(run=run).first().scorecard["llm_judge_details"]
    assert (details["normalized_score"], details["sample_count"]) == (1.0, 2)
    assert Event.objects.filter(trial__run=run, event_type="model.call.completed", source="worker_scoring").count() == 4
    assert {request["model"] for request in model_server.requests} == {"gpt-small"}


def test_what_judges_use_up_counts_against_the_budget_of_a_run(
    team, author, agents, judged_version, model_server, local_endpoints
):
    make_connection(team, model_server, model_list=[{**PRICED, "name": "gpt-small"}])
    model_server.reply(GOOD)
    run = run_with(author, judged_version, agents)
    [first, second] = run.trials.all()
    assert first.judge_tokens
    assert first.judge_cost_usd
    assert (first.total_tokens, first.cost_usd) == (None, None)
    assert spent(run) == {
        "cost_usd": first.judge_cost_usd + second.judge_cost_usd,
        "total_tokens": first.judge_tokens + second.judge_tokens,
    }


def test_another_model_stands_in_where_that_was_chosen(
    team, author, agents, judged_version, model_server, local_endpoints
):
    other = make_connection(team, model_server, model_list=[{"name": "own"}])
    model_server.reply(GOOD)
    run_with(author, judged_version, agents, **{"gpt-small": {"connection": other.pk, "model": "own"}})
    assert {request["model"] for request in model_server.requests} == {"own"}


def test_without_a_connection_trials_are_undecided_and_say_what_to_do(author, agents, judged_version):
    run = run_with(author, judged_version, agents)
    assert run.counts == {"undecided": 2}
    [details] = Trial.objects.filter(run=run).first().scorecard["llm_judge_details"]
    assert details["payload"]["problem"] == "not_connected"


def test_a_worker_with_threads_asks_several_at_once_and_leaves_no_connection_behind(version, agents, author, settings):
    run = launch(author, version, [agents["echo"]])
    assert bench_of(run, lambda: False).threads == 1
    settings.TRIAL_THREADS = 16
    assert bench_of(run, lambda: False).threads == 4


@pytest.mark.django_db(transaction=True)
def test_a_worker_with_threads_asks_judges_and_ranks(team, author, agents, model_server, local_endpoints, settings):
    settings.TRIAL_THREADS = 4
    make_connection(team, model_server, model_list=[{"name": "gpt-small"}], max_concurrent=3)
    model_server.answer = lambda request: Answer('{"score": 5, "ranking": ["A", "B"]}', together=2)
    version = publish_text(team, author, judged_text(3, RUBRIC, RANKING))
    run = launch(author, version, [agents["reference"], agents["echo"]])
    execute_trials(run.pk)
    execute_rankings(run.pk)
    run.refresh_from_db()
    assert (run.status, run.counts) == (RunStatus.COMPLETED, {"passed": 6})
    assert len(model_server.requests) == 6 * 2 + 3 * 2
    assert 1 < model_server.most_busy <= 3
    assert not ConnectionCall.objects.exists()
