"""What is read from events, in whatever order and shape they come."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runs.grading.graders.evidence.recording import _READERS, in_sequence, record
from tests.runs.grading.graders.grading import event, events

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)
MEMBERS = st.sampled_from(
    [
        "key",
        "entries",
        "usage",
        "tool_name",
        "arguments",
        "result",
        "turn_index",
        "content",
        "final_output",
        "latency_ms",
    ]
)


@given(st.sampled_from(sorted(_READERS)), st.dictionaries(MEMBERS, JSON, max_size=6) | JSON)
def test_no_payload_of_any_shape_raises(event_type, payload):
    record([{"event_type": event_type, "sequence_number": 1, "payload": payload}])


def test_the_sequence_number_orders_events_and_unnumbered_ones_come_last_by_time():
    late = {"event_type": "b", "sequence_number": 2, "occurred_at": "2026-01-01"}
    early = {"event_type": "a", "sequence_number": 1, "occurred_at": "2026-01-02"}
    loose = {"event_type": "c", "occurred_at": "2025-01-01"}
    later = {"event_type": "c", "occurred_at": "2025-01-02"}
    assert in_sequence([later, late, loose, early]) == [early, late, loose, later]


def test_a_call_that_completed_with_an_error_failed():
    recording = record(
        events(
            (
                "tool.call.completed",
                {"tool_name": " x ", "result": {"is_error": True, "content": '{"error": "boom "}'}},
            ),
            ("tool.call.failed", {"tool_name": "y", "result": {"content": "plain"}}),
            ("tool.call.failed", {}),
            ("tool.call.completed", {"tool_name": "z", "arguments": {"b": 1, "a": 2}}),
        )
    )
    assert [(call.name, call.failed, call.error) for call in recording.tool_calls] == [
        ("x", True, "boom"),
        ("y", True, "plain"),
        ("z", False, ""),
    ]
    assert recording.failures == 3
    assert recording.tool_calls[2].signature == ("z", '{"a":2,"b":1}')


@pytest.mark.parametrize(
    ("payload", "is_out"),
    [
        ({"failure_origin": "Policy"}, True),
        ({"result": {"content": "Tool is not available in this runtime"}}, True),
        ({"failure_origin": "primitive"}, False),
    ],
)
def test_a_refused_call_is_out_of_scope(payload, is_out):
    (call,) = record([event("tool.call.failed", tool_name="x", **payload)]).tool_calls
    assert call.is_out_of_scope is is_out


def usage(**tokens):
    return "model.call.completed", {"provider_key": "p", "provider_model_id": "m", "usage": tokens}


@pytest.mark.parametrize(
    ("pairs", "tokens"),
    [
        ([usage(input_tokens=1, output_tokens=2), usage(input_tokens=3)], (4, 2, 6)),
        ([usage(input_tokens=1, total_tokens=9)], (1, 0, 9)),
        (
            [usage(input_tokens=1), ("system.run.completed", {"input_tokens": 10, "usage": {"output_tokens": 5}})],
            (10, 5, 15),
        ),
        ([("system.run.completed", {"total_tokens": 7})], (None, None, 7)),
        ([("model.call.completed", {"usage": {"input_tokens": "many"}})], (None, None, None)),
    ],
)
def test_tokens_come_from_the_completion_or_else_from_the_calls(pairs, tokens):
    found = record(events(*pairs)).tokens
    assert (found.input, found.output, found.total) == tokens


def test_the_last_capture_of_a_check_counts():
    captures = [
        ("grader.verification.file_captured", {"key": "f", "exists": True, "content": "old"}),
        ("grader.verification.file_captured", {"key": "f", "exists": True, "content": "new", "truncated": True}),
        ("grader.verification.file_captured", {"exists": True, "content": "no key"}),
    ]
    files = record(events(*captures)).files
    assert {key: (file.content, file.truncated) for key, file in files.items()} == {"f": ("new", True)}


def test_no_call_is_made_undone_by_what_is_said_of_its_repetitions():
    told = event("tool.call.completed", 1, tool_name="t", retries=-1)
    assert record([told]).tool_calls[0].retries == 0
