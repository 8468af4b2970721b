"""Trials that are tried again by themselves."""

import pytest

from runs.jobs.trials.control import cancel
from runs.jobs.trials.repeating import repeat_broken
from runs.launch.launching import Options, launch
from runs.models import Agent, Attempt, Run, Trial
from tests.openai_server import trouble
from tests.runs.connections import make_connection
from tests.runs.gated import gated_run, publish_suites, suite_files, task
from tests.runs.working import work_off

pytestmark = pytest.mark.django_db

ONE = {
    "evals/config.yml": suite_files()["evals/config.yml"],
    "evals/golden/capital_1.yaml": task("capital_1", "golden"),
}


@pytest.fixture
def suites(team, author):
    return publish_suites(team, author, files=ONE)


@pytest.fixture
def chat(suites, team, model_server, local_endpoints):
    make_connection(team, model_server, max_retries=0)
    config = {"connection": "models", "model": "small"}
    return Agent.objects.create(team=team, name="chat", kind="chat", config=config)


def ended(run):
    return sorted(run.trials.values_list("status", flat=True))


def test_a_trial_that_the_machine_broke_is_tried_again_by_itself(suites, author, chat, model_server):
    model_server.script([trouble(500), "Lisbon", trouble(500), trouble(500), "Lisbon"])
    run = work_off(launch(author, suites, [chat]))
    assert ended(run) == ["passed"] * 3
    assert Attempt.objects.filter(status="error", replaced_by=None).count() == 3


def test_after_two_repeats_it_stays_as_it_is(suites, author, chat, model_server):
    model_server.answer = lambda request: trouble(500)
    run = work_off(launch(author, suites, [chat], Options(trials=1)))
    assert ended(run) == ["error"]
    assert (len(model_server.requests), Attempt.objects.count()) == (3, 2)


def test_a_verdict_that_is_certain_is_not_waited_for(suites, author, chat, model_server):
    model_server.script(["Madrid", trouble(500), "Lisbon"])
    run = work_off(launch(author, suites, [chat], Options(concurrency=1)))
    assert ended(run) == ["error", "failed", "passed"]
    assert not Attempt.objects.exists()


def test_formats_that_do_not_ask_for_it_leave_errors_to_people(version, author, team, model_server, local_endpoints):
    make_connection(team, model_server, max_retries=0)
    config = {"connection": "models", "model": "small"}
    model_server.answer = lambda request: trouble(500)
    agent = Agent.objects.create(team=team, name="chat", kind="chat", config=config)
    run = work_off(launch(author, version, [agent]))
    assert set(ended(run)) == {"error"}
    assert not Attempt.objects.exists()


def test_what_the_pack_or_the_agent_did_wrong_is_not_repeated(suites, author):
    run = gated_run(author, suites, capital_1="Madrid")
    Trial.objects.filter(run=run, number=1).update(status="error", fault="pack")
    assert repeat_broken(run) == 0


def test_a_run_that_was_stopped_is_not_taken_up_again(suites, author, chat):
    run = launch(author, suites, [chat])
    Trial.objects.filter(run=run, number=1).update(status="error", fault="machine")
    Run.objects.filter(pk=run.pk).update(status="running")
    cancel(run)
    work_off(run)
    assert not Attempt.objects.exists()
