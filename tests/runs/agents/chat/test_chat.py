"""Agents that a model plays."""

import pytest

from packs.formats.task import Budgets, Environment
from runs.engine.outcome import Verdict
from runs.replay.causes import Fault
from tests.openai_server import Answer, calls, trouble
from tests.runs.agents.talking import KEY, make_web, talk
from tests.runs.tasks import make_task, payload, types

TOOLS = {
    "custom": [
        {
            "name": "track",
            "description": "Where a parcel is.",
            "parameters": {"type": "object", "properties": {"id": {"type": "string"}}, "required": ["id"]},
            "implementation": {"type": "mock", "strategy": "lookup", "lookup_key": "id", "responses": {"*": "hub"}},
        }
    ]
}


@pytest.fixture
def web():
    web = make_web()
    yield web
    web.close()


def in_mode(mode, **more):
    return make_task(environment=Environment(mode=mode, tools=TOOLS), **more)


def test_one_reply_is_the_answer_of_a_prompt(model_server, web):
    model_server.reply("It is at the hub.")
    outcome, events = talk(in_mode("prompt_eval"), model_server, web, config={"system": "Be brief.", "temperature": 0})
    assert (outcome.verdict, outcome.final_output) == (Verdict.PASSED, "It is at the hub.")
    [request] = model_server.requests
    assert request["messages"] == [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": "Where is it?"},
    ]
    assert "tools" not in request
    done = payload(events, "model.call.completed")
    assert (done["provider_key"], done["provider_model_id"], done["output_text"]) == (
        "acme",
        "small",
        outcome.final_output,
    )
    assert done["usage"] == {
        "input_tokens": 7,
        "output_tokens": 3,
        "total_tokens": 10,
        "cost_usd": pytest.approx(37e-6),
    }
    assert done["timing"]["ttft_ms"] <= done["timing"]["total_latency_ms"]
    assert payload(events, "system.run.completed")["total_tokens"] == 10


def test_a_model_uses_the_tools_of_the_pack_until_it_answers(model_server, web):
    model_server.script([calls(track='{"id": "PX-1"}'), "It is at the hub."])
    outcome, events = talk(in_mode("native"), model_server, web)
    assert outcome.verdict is Verdict.PASSED
    assert types(events)[1:10] == [
        "system.step.started",
        "model.call.started",
        "model.call.completed",
        "tool.call.started",
        "tool.call.completed",
        "system.step.completed",
        "system.step.started",
        "model.call.started",
        "model.call.completed",
    ]
    first, second = model_server.requests
    assert "track" in [tool["function"]["name"] for tool in first["tools"]]
    assert second["messages"][-2]["tool_calls"][0]["function"] == {"name": "track", "arguments": '{"id": "PX-1"}'}
    assert second["messages"][-1]["role"] == "tool"
    assert "hub" in second["messages"][-1]["content"]
    assert payload(events, "tool.call.completed")["tool_call_id"] == second["messages"][-1]["tool_call_id"]


def test_a_handed_in_answer_ends_the_work(model_server, web):
    model_server.answer = lambda request: calls(submit='{"answer": "the hub"}', track='{"id": "PX-1"}')
    outcome, events = talk(in_mode("native"), model_server, web)
    assert (outcome.final_output, len(model_server.requests)) == ("the hub", 1)
    assert types(events).count("tool.call.started") == 1


def test_a_wrong_call_is_told_to_the_model_and_the_trial_goes_on(model_server, web):
    model_server.script([calls(track="{broken", fly="{}"), "the hub"])
    outcome, events = talk(in_mode("native"), model_server, web)
    assert outcome.verdict is Verdict.PASSED
    assert types(events).count("tool.call.failed") == 2
    assert [message["role"] for message in model_server.requests[1]["messages"]][-2:] == ["tool", "tool"]


def test_files_of_the_workspace_can_be_written_and_are_graded(model_server, web):
    model_server.script(
        [calls(write_file='{"path": "note.txt", "content": "hub"}', read_file='{"path": "note.txt"}'), "hub"]
    )
    _, events = talk(in_mode("native"), model_server, web)
    results = [event["payload"]["result"] for event in events if event["event_type"] == "tool.call.completed"]
    assert [result["is_error"] for result in results] == [False, False]
    assert "hub" in results[1]["content"]


def test_a_conversation_tells_the_model_what_was_said_before(model_server, web):
    turns = [{"message": "Hi."}, {"message": "Where is it?", "expects": [{"kind": "contains", "value": "hub"}]}]
    conversation = {"phases": [{"id": "one", "actor": "scripted", "trigger": "always", "turns": turns}]}
    model_server.script(["Hello.", "At the hub."])
    outcome, events = talk(in_mode("multi_turn", conversation=conversation), model_server, web)
    assert outcome.final_output == "At the hub."
    told = [(message["role"], message["content"]) for message in model_server.requests[1]["messages"]]
    assert told == [("system", "Where is it?"), ("user", "Hi."), ("assistant", "Hello."), ("user", "Where is it?")]
    steps = [event["payload"]["step_index"] for event in events if event["event_type"] == "system.step.started"]
    assert steps == [1, 2]


def test_a_research_task_is_one_call_of_the_responses_api(model_server, web):
    model_server.reply("A report on the hub.")
    outcome, events = talk(in_mode("responses"), model_server, web, config={"provider_tools": [{"type": "web_search"}]})
    assert (outcome.final_output, model_server.paths) == ("A report on the hub.", ["/v1/responses"])
    assert payload(events, "model.call.completed")["usage"]["total_tokens"] == 16


@pytest.mark.parametrize(
    ("budgets", "reason"),
    [
        (Budgets(steps=2), "step_limit"),
        (Budgets(tool_calls=2), "tool_limit"),
        (Budgets(total_tokens=25), "token_limit"),
        (Budgets(cost_usd=0.00004), "cost_limit"),
        (Budgets(wall_seconds=0.5), "timeout"),
        (Budgets(), "step_limit"),
    ],
)
def test_each_limit_ends_the_work_with_a_reason_of_its_own(model_server, web, budgets, reason):
    call = calls(track='{"id": "PX-1"}')
    call.delay = 0.2 if reason == "timeout" else 0
    model_server.answer = lambda request: call
    outcome, _ = talk(in_mode("native", budgets=budgets), model_server, web, config={"max_steps": 3})
    assert (outcome.stop_reason, outcome.fault) == (reason, Fault.AGENT)
    assert len(model_server.requests) <= 4


@pytest.mark.parametrize(
    ("answer", "verdict", "fault"),
    [
        (trouble(400, f"context length exceeded by {KEY}"), Verdict.FAILED, Fault.AGENT),
        (Answer(raw=f"<html>{KEY}".encode()), Verdict.ERROR, Fault.MACHINE),
        (trouble(401, f"no such key {KEY}"), Verdict.ERROR, Fault.MACHINE),
    ],
)
def test_trouble_of_the_endpoint_is_not_trouble_of_the_agent(model_server, web, answer, verdict, fault):
    model_server.answer = lambda request: answer
    outcome, events = talk(in_mode("prompt_eval"), model_server, web)
    assert (outcome.verdict, outcome.fault) == (verdict, fault)
    failed = payload(events, "system.run.failed")
    assert ("provider_failure" in failed) == (fault is Fault.MACHINE)
    assert KEY not in str(events) + str(outcome)


def test_a_key_that_an_endpoint_repeats_reaches_nothing(model_server, web):
    model_server.script([calls(write_file=f'{{"path": "{KEY}.txt", "content": "{KEY}"}}'), f"the hub, {KEY}"])
    outcome, events = talk(in_mode("native"), model_server, web)
    assert outcome.verdict is Verdict.PASSED
    assert KEY not in str(events) + str(outcome)
