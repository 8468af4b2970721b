from datetime import UTC, datetime

import pytest

from packs.formats.task import Budgets
from runs.agents.contract import AgentFailed
from runs.engine.budgets import Spending
from runs.engine.recorder import Recorder, shape_of, time_of


def test_a_time_is_read_from_text_or_taken_as_it_is():
    at = datetime(2026, 3, 1, 10, tzinfo=UTC)
    assert time_of({"occurred_at": "2026-03-01T10:00:00Z"}) == at
    assert time_of({"occurred_at": "2026-03-01T10:00:00"}) == at
    assert time_of({"occurred_at": at}) == at


def test_a_time_that_cannot_be_read_is_left_to_the_clock():
    assert time_of({"occurred_at": "yesterday"}) is None
    assert time_of({}) is None
    assert time_of({"occurred_at": 20260301}) is None


@pytest.mark.parametrize("text", ["0001-01-01T00:00:00+05:00", "9999-12-31T23:59:59-05:00"])
def test_a_time_that_no_database_keeps_is_left_to_the_clock(text):
    assert time_of({"occurred_at": text}) is None


def test_a_recorded_event_keeps_who_told_it():
    events = []
    recorder = Recorder("native_engine", events.append)
    for source in ("grader_verification", None, 7):
        recorder.copy({"event_type": "tool.call.completed", "source": source, "payload": {}})
    assert [event["source"] for event in events] == ["grader_verification", "hosted_external", "hosted_external"]


@pytest.mark.parametrize("payload", ["text", [1], 7, False])
def test_a_recorded_event_whose_payload_is_no_object_is_refused(payload):
    with pytest.raises(AgentFailed, match="must be an object"):
        shape_of({"event_type": "tool.call.completed", "payload": payload})


def test_what_was_used_up_before_a_wait_counts_after_it():
    recorder = Recorder("native_engine", [].append, Spending(Budgets(tool_calls=1)))
    recorder.take_up([{"event_type": "tool.call.completed", "payload": {"tool_name": "t"}}])
    with pytest.raises(AgentFailed) as failure:
        recorder.record("tool.call.started", {"tool_name": "t"})
    assert failure.value.stop_reason == "tool_limit"
