"""Agents behind an address."""

import json

import pytest

from runs.engine.outcome import Verdict
from runs.replay.causes import Fault
from tests.openai_server import Answer, trouble
from tests.runs.agents.talking import make_web, talk
from tests.runs.tasks import make_task, payload, types


@pytest.fixture
def web():
    web = make_web()
    yield web
    web.close()


def post(model_server, web, task=None, **config):
    secrets = {"AGENT_KEY": "hush-4711"}
    config = {"address": f"{model_server.url}/agent", "max_retries": 1, **config}
    return talk(task or make_task(), model_server, web, kind="http", config=config, secrets=secrets)


def answer_of(**value):
    return Answer(raw=json.dumps(value).encode())


def test_the_task_is_posted_and_what_comes_back_is_recorded(model_server, web):
    called = {"type": "tool.call.completed", "payload": {"tool_name": "track"}}
    model_server.answer = lambda request: answer_of(output="the hub", events=[called])
    outcome, events = post(model_server, web, headers={"Authorization": "Bearer ${secrets.AGENT_KEY}"})
    assert (outcome.verdict, outcome.final_output) == (Verdict.PASSED, "the hub")
    assert payload(events, "tool.call.completed") == {"tool_name": "track"}
    [request] = model_server.requests
    assert (request["prompt"], request["message"], request["history"]) == ("Where is it?", "Where is it?", [])
    assert not {"reference", "hidden", "graders"} & request.keys()
    assert model_server.headers[0]["authorization"] == "Bearer hush-4711"
    assert "hush" not in str(events) + str(outcome)


def test_plain_text_is_an_answer(model_server, web):
    model_server.answer = lambda request: Answer(raw=b"the hub", headers={"Content-Type": "text/plain"})
    assert post(model_server, web)[0].final_output == "the hub"


def test_each_turn_of_a_conversation_carries_what_was_said(model_server, web):
    turns = [{"message": "Hi."}, {"message": "Where?"}]
    conversation = {"phases": [{"id": "one", "actor": "scripted", "trigger": "always", "turns": turns}]}
    model_server.answer = lambda request: answer_of(output=f"hub {request['turn']}")
    outcome, _ = post(model_server, web, make_task(conversation=conversation))
    assert outcome.final_output == "hub 1"
    history = [{"role": "user", "content": "Hi."}, {"role": "assistant", "content": "hub 0"}]
    assert model_server.requests[1]["history"] == history


def test_trouble_that_passes_is_tried_again(model_server, web):
    model_server.script([trouble(503, retry_after=0), answer_of(output="the hub")])
    assert post(model_server, web)[0].final_output == "the hub"


@pytest.mark.parametrize(
    "answer",
    [
        trouble(400),
        trouble(500),
        Answer(raw=b"{broken"),
        answer_of(text="hub"),
        answer_of(output=3),
        answer_of(output="hub", events=[{"type": "turn.completed"}]),
        answer_of(output="hub", events=["tool"]),
        answer_of(output="hub", events=3),
    ],
)
def test_what_cannot_be_used_is_the_agents_fault(model_server, web, answer):
    model_server.answer = lambda request: answer
    outcome, _ = post(model_server, web)
    assert (outcome.verdict, outcome.fault) == (Verdict.FAILED, Fault.AGENT)


def test_a_slow_agent_is_stopped_at_its_time_limit(model_server, web):
    model_server.reply("late", delay=60)
    outcome, _ = post(model_server, web, timeout_seconds=0.2, max_retries=0)
    assert (outcome.stop_reason, outcome.fault) == ("timeout", Fault.AGENT)


@pytest.mark.parametrize(
    "config",
    [
        {"address": "http://127.0.0.1:9/"},
        {"address": "http://169.254.169.254/latest/meta-data"},
        {"headers": {"Authorization": "${secrets.NOBODY}"}},
    ],
)
def test_an_address_that_is_not_reached_says_nothing_about_the_agent(model_server, web, config):
    outcome, events = post(model_server, web, max_retries=0, **config)
    assert (outcome.verdict, outcome.fault) == (Verdict.ERROR, Fault.MACHINE)
    assert types(events)[:2] == ["system.run.started", "system.run.failed"]
    assert model_server.requests == []
