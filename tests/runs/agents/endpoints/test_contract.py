"""What asking a model gives."""

import pytest

from runs.agents.endpoints.contract import Usage


@pytest.mark.parametrize(
    ("usage", "total"),
    [(Usage(3, 4), 7), (Usage(3, None), 3), (Usage(None, 4), 4), (Usage(0, 0), 0), (Usage(), None)],
)
def test_total_tokens_are_the_known_ones(usage, total):
    assert usage.total_tokens == total
