import pytest

from runs.replay import index_steps
from runs.replay.trajectories.records import events_of

TIMES = [f"2026-02-11T09:00:0{second}Z" for second in range(6)]


def trace(*steps):
    told = [{"timestamp": at, "tool_name": "lookup", **step} for at, step in zip(TIMES, steps, strict=False)]
    return {"task_id": "a", "trace": {"steps": told, "outcome": {}}}


def steps_of(record):
    """Type, index and time of the events that begin and end turns, and of the others their type."""
    _, events = events_of(record)
    return [
        (event["event_type"].rpartition(".")[2], event["payload"]["step_index"], event["occurred_at"][-3:-1])
        for event in events
        if event["event_type"].startswith("system.step.")
    ]


def test_every_turn_of_an_agent_begins_and_ends():
    record = trace({"turn": 1}, {"turn": 1}, {"turn": 2})
    assert steps_of(record) == [
        ("started", 1, "00"),
        ("completed", 1, "01"),
        ("started", 3, "02"),
        ("completed", 3, "02"),
    ]


def test_steps_without_a_turn_are_turns_of_their_own():
    assert [told[:2] for told in steps_of(trace({}, {}))] == [
        ("started", 1),
        ("completed", 1),
        ("started", 2),
        ("completed", 2),
    ]


def test_a_turn_that_goes_on_after_words_of_the_user_counts_once():
    record = trace({"turn": 1}, {"kind": "user", "text": "Well?"}, {"turn": 1}, {"turn": 2})
    assert [told[:2] for told in steps_of(record) if told[0] == "started"] == [("started", 1), ("started", 4)]


@pytest.mark.parametrize("steps", [[{"turn": 1}, {"turn": 2}], [{}, {"kind": "user"}, {}], [{"kind": "user"}], []])
def test_nothing_of_a_trace_that_has_ended_is_interrupted(steps):
    _, events = events_of(trace(*steps))
    told = [
        {"sequence_number": number, "source": "recorded", "occurred_at": "2026-02-11T09:00:00Z", **event}
        for number, event in enumerate(events, 1)
    ]
    assert 0 not in index_steps(told).ends
