from datetime import UTC, datetime

from runs.engine.recorder import time_of


def test_a_time_is_read_from_text_or_taken_as_it_is():
    at = datetime(2026, 3, 1, 10, tzinfo=UTC)
    assert time_of({"occurred_at": "2026-03-01T10:00:00Z"}) == at
    assert time_of({"occurred_at": "2026-03-01T10:00:00"}) == at
    assert time_of({"occurred_at": at}) == at


def test_a_time_that_cannot_be_read_is_left_to_the_clock():
    assert time_of({"occurred_at": "yesterday"}) is None
    assert time_of({}) is None
