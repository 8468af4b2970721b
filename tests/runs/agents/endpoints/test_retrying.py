"""Asking again."""

from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest

from runs.agents.endpoints.contract import EndpointFailed, Trouble
from runs.agents.endpoints.retrying import pause_after, read_retry_after, retry
from runs.agents.endpoints.watch import Watch


def always(trouble, retry_after=0.0):
    numbers = []

    def attempt(number):
        numbers.append(number)
        raise EndpointFailed(trouble, "No.", retry_after)

    return attempt, numbers


@pytest.mark.parametrize(
    ("trouble", "asked"),
    [
        (Trouble.RATE_LIMITED, 3),
        (Trouble.SERVER, 3),
        (Trouble.UNREACHABLE, 3),
        (Trouble.TIMEOUT, 3),
        (Trouble.REFUSED, 1),
        (Trouble.AUTHENTICATION, 1),
        (Trouble.BAD_REPLY, 1),
        (Trouble.NOT_ALLOWED, 1),
        (Trouble.CANCELLED, 1),
    ],
)
def test_only_trouble_that_may_pass_is_tried_again(trouble, asked):
    attempt, numbers = always(trouble)
    with pytest.raises(EndpointFailed):
        retry(attempt, Watch(), 2)
    assert numbers == list(range(1, asked + 1))


@pytest.mark.parametrize(("asked", "seconds"), [(3600.0, None), (5.0, 2.0)])
def test_a_pause_that_is_too_long_is_not_begun(asked, seconds):
    attempt, numbers = always(Trouble.RATE_LIMITED, asked)
    with pytest.raises(EndpointFailed):
        retry(attempt, Watch.of(seconds), 5)
    assert numbers == [1]


def test_pauses_grow_to_a_limit_and_are_spread_out():
    assert 0.25 <= pause_after(1, None) <= 0.5
    assert 1.0 <= pause_after(3, None) <= 2.0
    assert pause_after(50, None) <= 30
    assert pause_after(1, 7.0) == 7.0


def test_a_retry_after_header_is_a_number_or_a_date():
    assert read_retry_after("2.5") == 2.5
    assert read_retry_after("Wed, 01 Jan 2020 00:00:00 GMT") == 0
    later = format_datetime(datetime.now(UTC) + timedelta(seconds=60))
    assert 55 < read_retry_after(later) <= 60
    assert read_retry_after("soon") is None
    assert read_retry_after("") is None
    assert read_retry_after("-3") is None
    assert read_retry_after("nan") is None
