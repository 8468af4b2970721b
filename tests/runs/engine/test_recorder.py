from datetime import UTC, datetime

import pytest

from runs.engine.recorder import time_of


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
