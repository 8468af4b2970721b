"""Time limits and cancelling."""

import pytest

from runs.agents.endpoints.contract import EndpointFailed, Trouble
from runs.agents.endpoints.watch import Watch


def failure(act):
    with pytest.raises(EndpointFailed) as caught:
        act()
    return caught.value.trouble


def test_a_narrower_limit_never_widens_the_outer_one():
    assert Watch.of(100).within(1).left() <= 1
    assert Watch.of(1).within(100).left() <= 1
    assert Watch.of(None).within(1).left() <= 1
    assert Watch.of(None).left() is None


def test_the_end_of_the_time_and_cancelling_are_told_apart():
    assert failure(Watch.of(0).check) is Trouble.TIMEOUT
    assert failure(Watch.of(0, lambda: True).check) is Trouble.CANCELLED
    Watch.of(None).check()


def test_sleeping_ends_early_when_nobody_wants_it_any_more():
    asked = iter([False, True])
    assert failure(lambda: Watch.of(None, lambda: next(asked)).sleep(3600)) is Trouble.CANCELLED
    assert failure(lambda: Watch.of(0.05).sleep(3600)) is Trouble.TIMEOUT
