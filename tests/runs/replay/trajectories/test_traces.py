"""Events of a trial told as a trace, by what the format (task-suite 8) says of each field."""

from datetime import UTC, datetime, timedelta
from hashlib import sha256

import pytest

from packs.formats.traces import check_trace
from runs.replay.trajectories.traces import About, prompt_hash, record_of, tools_hash, trace_of

BEGAN = datetime(2026, 2, 11, 9, tzinfo=UTC)
ABOUT = About("run-1", "baseline@1", "numbat-1")


def event(event_type, seconds=0, source="native_engine", **payload):
    at = BEGAN + timedelta(seconds=seconds)
    return {"event_type": event_type, "source": source, "occurred_at": at, "payload": payload}


def answered(latency, source="native_engine"):
    usage = {"input_tokens": 10, "output_tokens": 1}
    return event("model.call.completed", source=source, usage=usage, timing={"total_latency_ms": latency})


def told(*events):
    trace = trace_of(events, ABOUT)
    assert list(check_trace(trace)) == []
    return trace


def test_tokens_and_latency_are_those_of_all_steps_and_none_of_judges():
    trace = told(answered(200), answered(50), answered(9000, source="worker_scoring"))
    assert (trace["tokens_in"], trace["tokens_out"], trace["latency_ms"]) == (20, 2, 250)
    assert len(trace["steps"]) == 2


def test_a_trace_without_latencies_took_as_long_as_its_trial():
    assert trace_of([], About("run-1", "baseline@1", "numbat-1", seconds=1.5))["latency_ms"] == 1500


def test_the_clock_of_a_trace_never_goes_back():
    trace = told(event("turn.user.message", 5), event("turn.user.message", 2), event("turn.user.message", 7))
    assert [step["timestamp"][17:19] for step in trace["steps"]] == ["05", "05", "07"]


def test_what_happens_before_the_first_step_belongs_to_the_first_turn():
    trace = told(answered(1), event("system.step.started"), answered(1), event("system.step.started"), answered(1))
    assert [step["turn"] for step in trace["steps"]] == [1, 1, 2]


@pytest.mark.parametrize(
    ("event_type", "payload", "status"),
    [
        ("tool.call.completed", {}, "ok"),
        ("tool.call.completed", {"result": {"content": "no", "is_error": True}}, "error"),
        ("tool.call.failed", {}, "error"),
        ("tool.call.failed", {"failure_origin": "policy"}, "denied"),
        ("tool.call.failed", {"status": "timeout"}, "timeout"),
        ("tool.call.failed", {"status": "unheard of"}, "error"),
    ],
)
def test_a_call_says_how_it_went(event_type, payload, status):
    [step] = told(event(event_type, tool_name="lookup", arguments={}, **payload))["steps"]
    assert step["tool_result_status"] == status


def test_repeated_calls_count_each_time():
    call = {"tool_name": "lookup", "arguments": {}}
    trace = told(event("tool.call.completed", retries=2, **call), event("tool.call.completed", **call))
    assert trace["tool_call_count"] == 4


def test_flags_and_the_final_state_are_told_where_they_are_known():
    flag = {"kind": "leak", "severity": "violation"}
    about = About("run-1", "baseline@1", "numbat-1", flags=(flag,), supplied={"state": {"open": 0}})
    assert trace_of([], about)["outcome"] == {"success": False, "safety_flags": [flag], "final_state": {"open": 0}}
    assert "final_state" not in told()["outcome"]


def digest(text):
    return "sha256:" + sha256(text.encode()).hexdigest()


def test_a_prompt_has_one_digest_however_its_lines_end_and_its_letters_are_composed():
    written = {prompt_hash("Gru\u0308\u00dfe\r\nBob"), prompt_hash("Gr\u00fc\u00dfe\rBob")}
    assert written == {digest("Gr\u00fc\u00dfe\nBob")}


def test_tools_have_one_digest_however_they_are_listed():
    assert tools_hash(["b", "a", "b"]) == digest('["a","b"]')


def test_what_the_user_says_is_no_step_of_the_agent():
    steps = [{"kind": "user"}, {"tool_name": "lookup"}, {"tool_name": "lookup"}]
    assert record_of({"steps": steps}, {})["usage"]["steps"] == 2
