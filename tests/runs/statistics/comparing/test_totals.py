"""What the cases of one column add up to."""

import pytest

from runs.statistics.comparing.cells import Sample, cell_of
from runs.statistics.comparing.pairs import Pairs
from runs.statistics.comparing.rows import align
from runs.statistics.comparing.totals import totals_of
from runs.statistics.estimates import PassEstimate, wilson
from runs.statistics.planning import Needed
from runs.statistics.shares import Shares
from runs.statistics.sums import Sum


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
    [total] = totals_of(align([column("passed", "failed", "error", "cancelled", "error")], 0), 1)
    assert (total.cases, total.shares) == (Shares(1, 2, 5), Shares(1, 2, 5))
    assert total.cases.interval == wilson(1, 2)
    assert total.unjudged == [("error", 2), ("cancelled", 1)]
    assert (total.score, total.cost.known, total.tokens.known, total.seconds) == (pytest.approx(0.125), 2.5, None, 3)
    assert (total.pairs, total.scores, total.needed) == (None, None, None)


def test_what_some_trials_cost_is_the_least_that_all_cost():
    cells = column("passed", "failed", "error")
    cells += [
        cell_of(("x", "", "", ""), PassEstimate("pass^k", 1, (state,)), [Sample(9, 1, state)])
        for state in ("passed", "error")
    ]
    [total] = totals_of(align([cells], 0), 1)
    assert (total.cost, total.tokens) == (Sum(1.5, 1), Sum(None, 3))


def test_a_column_is_paired_with_the_base():
    rows = align([column("passed", "failed"), column("failed", "failed", "passed")], 1)
    assert totals_of(rows, 2)[0].pairs == Pairs(fixed=1, neither=1)
    assert totals_of(rows, 2)[0].cases.planned == 2


def test_nothing_adds_up_to_nothing():
    [total] = totals_of([], 1)
    assert (total.cases, total.shares, total.seconds) == (Shares(0, 0, 0), Shares(0, 0, 0), None)


def tried(*cases):
    """A column of cases that are tried several times: how many of how many trials pass."""
    return [
        cell_of(
            (str(at), "", "", ""),
            PassEstimate("pass^k", 1, tuple(states := ["failed"] * (trials - passed) + ["passed"] * passed)),
            [Sample(100 * at + number, number, state, float(state == "passed")) for number, state in enumerate(states)],
        )
        for at, (passed, trials) in enumerate(cases)
    ]


def test_chances_are_corrected_for_the_number_of_columns():
    base, better = column(*["failed"] * 8), column(*["passed"] * 7, "failed")
    [_, alone] = totals_of(align([base, better], 0), 2)
    assert (alone.pairs.p_value, alone.pairs.corrected, alone.pairs.says) == (pytest.approx(2 / 2**7), None, "better")
    [_, *four] = totals_of(align([base, better, better, better, better], 0), 5)
    assert [total.pairs.corrected for total in four] == pytest.approx([4 * 2 / 2**7] * 4)
    assert {total.pairs.says for total in four} == {"unclear"}


def test_what_would_decide_a_difference_is_told_until_it_is_decided():
    base, better = tried(*[(0, 4)] * 20), tried(*[(4, 4)] * 20)
    [first, few] = totals_of(align([base, [*better[:3], *base[3:]]], 0), 2)
    assert few.pairs.says == "too_few"
    # The differences have the mean 0.15 and the variance 0.134, all of it between cases.
    assert few.needed == Needed(0.15, None, 49)
    assert first.needed is None
    [_, decided] = totals_of(align([base, better], 0), 2)
    assert (decided.pairs.says, decided.needed) == ("better", None)


def test_scores_are_compared_case_by_case():
    base = [
        cell_of((str(at), "", "", ""), PassEstimate("pass^k", 1, ("passed",)), [Sample(at, 1, "passed", at / 20)])
        for at in range(8)
    ]
    better = [
        cell_of(
            (str(at), "", "", ""),
            PassEstimate("pass^k", 1, ("passed",)),
            [Sample(at, 1, "passed", at / 20 + 0.1 + at % 2 / 50)],
        )
        for at in range(8)
    ]
    [_, total] = totals_of(align([base, better], 0), 2)
    assert total.pairs.says == "equal"
    # By hand: mean 0.11, deviation 0.01069 of 8 differences, so t is 29.1 with 7 degrees of freedom.
    assert total.scores.mean.mean == pytest.approx(0.11)
    assert total.scores.mean.error == pytest.approx(0.010690449676496976 / 8**0.5)
    assert total.scores.p_value < 1e-6
    assert total.is_graded
