"""Traces of trials (task-suite 8.1)."""

from datetime import UTC, datetime

import pytest

from packs.formats.traces import check_record, is_trace, moment, read_trace

TRACE = {
    **{
        "run_id": "r1",
        "agent_version": "a1",
        "model_id": "m1",
        "steps": [],
        "outcome": {"success": True, "safety_flags": []},
    },
    **{"prompt_hash": f"sha256:{'0' * 64}", "tool_allowlist_hash": f"sha256:{'1' * 64}"},
    **{"tokens_in": 0, "tokens_out": 0, "latency_ms": 0, "tool_call_count": 0},
}
CALL = {
    **{"timestamp": "2026-01-02T00:00:00Z", "kind": "tool", "tool_name": "look", "tool_args": {}},
    **{"retries": 0, "tool_result_status": "ok"},
}


def codes(value):
    return [(finding.code, finding.path) for finding in check_record(value)]


def test_findings_stand_at_the_trace_inside_of_its_record():
    broken = TRACE | {"prompt_hash": "sha256:short"}
    assert codes({"trial": {"trace": broken}}) == [("task_suite.E706", ("trial", "trace", "prompt_hash"))]
    assert codes({"trace": TRACE | {"tokens_in": -1}})[0] == ("task_suite.E702", ("trace", "tokens_in"))


def test_what_is_not_a_trace_is_not_checked_as_one():
    assert not is_trace({"steps": []})
    assert codes({"steps": []}) == codes("text") == []


@pytest.mark.parametrize(
    ("change", "code", "name"),
    [
        ({"kind": "robot"}, "E702", "kind"),
        ({"tool_name": ""}, "E702", "tool_name"),
        ({"tool_args": []}, "E702", "tool_args"),
        ({"tool_result_status": "odd"}, "E705", "tool_result_status"),
        ({"retries": -1}, "E702", "retries"),
        ({"latency_ms": "1"}, "E702", "latency_ms"),
        ({"timestamp": "2026-01-02T00:00:00"}, "E702", "timestamp"),
        ({"timestamp": "2026-01-01T00:00:00Z"}, "W703", "timestamp"),
    ],
)
def test_what_is_wrong_with_a_step_stands_at_its_field(change, code, name):
    trace = TRACE | {"steps": [CALL, CALL | change], "tool_call_count": 2}
    assert (f"task_suite.{code}", ("steps", 1, name)) in codes(trace)


def test_a_step_of_a_model_needs_no_call_and_any_other_does():
    bare = {"timestamp": CALL["timestamp"]}
    assert codes(TRACE | {"steps": [bare | {"kind": "model"}]}) == []
    missing = [path[-1] for code, path in codes(TRACE | {"steps": [bare]}) if code == "task_suite.E701"]
    assert sorted(missing) == ["retries", "tool_args", "tool_name", "tool_result_status"]


def test_text_that_is_not_an_object_has_a_finding_and_no_trace():
    trace, findings = read_trace("[1]")
    assert trace is None
    assert findings


def test_a_moment_needs_a_zone():
    assert moment("2026-01-02T03:04:05Z") == datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
    assert [moment(value) for value in ("2026-01-02T03:04:05", "soon", 5, None)] == [None] * 4
