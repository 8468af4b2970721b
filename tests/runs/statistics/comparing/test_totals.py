"""What the cases of one column add up to."""

import pytest

from runs.statistics.comparing.cells import Sample, cell_of
from runs.statistics.comparing.pairs import Pairs
from runs.statistics.comparing.rows import align
from runs.statistics.comparing.totals import total_of
from runs.statistics.estimates import PassEstimate, wilson
from runs.statistics.shares import Shares


def column(*states):
    return [
        cell_of(
            (str(at), "", "", ""),
            PassEstimate("pass^k", 1, (state,)),
            [Sample(at, 1, state, at / 4, 0.5, None, at + 1)],
        )
        for at, state in enumerate(states)
    ]


def test_what_says_nothing_about_the_agent_is_told_and_not_counted():
    total = total_of(align([column("passed", "failed", "error", "cancelled", "error")], 0), 0)
    assert (total.cases, total.shares) == (Shares(1, 2, 5), Shares(1, 2, 5))
    assert total.cases.interval == wilson(1, 2)
    assert total.unjudged == [("error", 2), ("cancelled", 1)]
    assert (total.score, total.cost_usd, total.tokens, total.seconds) == (pytest.approx(0.125), 2.5, None, 3)
    assert total.pairs is None


def test_a_column_is_paired_with_the_base():
    rows = align([column("passed", "failed"), column("failed", "failed", "passed")], 1)
    assert total_of(rows, 0).pairs == Pairs(fixed=1, neither=1)
    assert total_of(rows, 0).cases.planned == 2


def test_nothing_adds_up_to_nothing():
    total = total_of([], 0)
    assert (total.cases, total.shares, total.seconds) == (Shares(0, 0, 0), Shares(0, 0, 0), None)
