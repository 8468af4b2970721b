"""Traces of run folders: written from a transcript, and read back as one."""

import pytest

from runs.replay.trajectories.agentv import Result
from runs.replay.trajectories.agentv.traces import messages_in, projection, trace_document, usage_in

CALL = {"tool": "look", "input": {"q": 1}, "output": "hub", "status": "error", "duration_ms": 250.0}
MESSAGES = [
    {"role": "user", "content": "Where?"},
    {"role": "assistant", "content": "At the hub", "tool_calls": [{**CALL, "end_time": "2026-01-02T03:04:05+00:00"}]},
]


def result(**more):
    facts = {
        "test_id": "a",
        "suite": "one",
        "target": "scout",
        "timestamp": "2026-01-02T03:04:06+00:00",
        "score": 1.0,
        "status": "ok",
        "messages": MESSAGES,
        "token_usage": {"input": 3, "output": 2, "cached": 1},
        "cost_usd": 0.5,
        "duration_ms": 900,
        "start_time": "2026-01-02T03:04:05+00:00",
        "end_time": "2026-01-02T03:04:06+00:00",
    }
    return Result(**{**facts, **more})


def spans_of(document):
    return {span["name"]: span for span in document["trace"]["spans"]}


def test_agent_messages_and_calls_are_spans_below_each_other():
    document = trace_document(result(), "one.eval.yaml", "run-1")
    agent, chat, call = document["trace"]["spans"]
    assert [agent["parent_span_id"], chat["parent_span_id"], call["parent_span_id"]] == [
        None,
        agent["span_id"],
        chat["span_id"],
    ]
    assert agent["span_id"] == document["trace"]["root_span_id"]
    assert int(call["end_time_unix_nano"]) - int(call["start_time_unix_nano"]) == 250 * 10**6
    assert call["status"]["code"] == "ERROR"
    assert document["conversion_warnings"][0]["span_id"] == call["span_id"]


def test_a_trace_is_read_back_as_its_transcript_with_what_was_used():
    document = trace_document(result(), "one.eval.yaml", "run-1")
    asked, answered = messages_in(document)
    assert (asked, answered["content"]) == (MESSAGES[0], "At the hub")
    (call,) = answered["tool_calls"]
    assert {name: call[name] for name in CALL} == CALL
    assert call["id"] == spans_of(document)["execute_tool look"]["attributes"]["tool.id"]
    assert usage_in(document) == {
        "token_usage": {"input": 3, "output": 2, "cached": 1},
        "cost_usd": 0.5,
        "duration_ms": 900,
    }


def test_each_attempt_is_a_projection_of_its_own_and_the_same_one_every_time():
    ids = [projection(result(attempt=attempt), "s", "run-1")["projection_identity"]["id"] for attempt in (0, 1, 0)]
    assert ids[0] == ids[2] != ids[1]


def test_a_trial_that_broke_says_why_in_its_root():
    document = trace_document(result(status="execution_error", error="It fell over.", messages=[]), "s", "r")
    (agent,) = document["trace"]["spans"]
    assert agent["status"] == {"code": "ERROR", "message": "It fell over."}
    assert [event["name"] for event in agent["events"]] == ["exception"]


@pytest.mark.parametrize("trace", [{}, {"trace": []}, {"trace": {"spans": [1, {"events": {}}], "root_span_id": None}}])
def test_what_is_no_trace_tells_nothing(trace):
    assert messages_in(trace) == []
    assert usage_in(trace) == {}


@pytest.mark.parametrize("ended", ["9" * 5_000, "9" * 30, "253402300800000000000", "soon"])
def test_a_span_with_a_time_that_no_calendar_has_tells_none(ended):
    document = trace_document(result(), "one.eval.yaml", "run-1")
    span = spans_of(document)["execute_tool look"]
    span["end_time_unix_nano"] = ended
    (call,) = messages_in(document)[1]["tool_calls"]
    assert (call["end_time"], "id" in call) == (MESSAGES[1]["tool_calls"][0]["end_time"], False)


def test_messages_without_numbers_come_first_and_odd_places_are_nobodys():
    document = trace_document(result(), "one.eval.yaml", "run-1")
    agent, _, call = document["trace"]["spans"]
    agent["events"][0]["attributes"]["agentv.transcript.message.index"] = "first"
    call["attributes"]["agentv.message.index"] = [1]
    assert [message["role"] for message in messages_in(document)] == ["user", "assistant"]
