"""Whether a difference of pass rates can be chance."""

import pytest

from runs.statistics.comparing.cells import Cell, Sample
from runs.statistics.comparing.pairs import Pairs, clustered_pairs_of, pairs_of


def cell(verdict):
    return Cell("a", "", "", "", verdict, verdict, False, None, (Sample(1, 1, verdict),))


def test_the_interval_is_that_of_the_published_example():
    """Newcombe 1998, table of 50 pairs: 36 in both, 12 and 2 in one alone, none in neither."""
    pairs = Pairs(both=36, regressed=2, fixed=12, neither=0)
    assert pairs.delta == pytest.approx(0.2)
    assert pairs.interval == pytest.approx((0.0569, 0.3404), abs=5e-5)


@pytest.mark.parametrize(
    ("both", "regressed", "fixed", "neither", "low", "high"),
    [
        (40, 9, 3, 20, -0.1769787, 0.0127050),
        (5, 5, 6, 6, -0.2315069, 0.3128785),
        (2, 7, 9, 1, -0.2852863, 0.4633256),
    ],
    ids=["agreeing", "agreeing by less than the correction", "disagreeing"],
)
def test_the_interval_minds_how_far_both_sides_agree(both, regressed, fixed, neither, low, high):
    """Computed apart from this code by method 10 of the same paper."""
    assert Pairs(both, regressed, fixed, neither).interval == pytest.approx((low, high), abs=1e-6)


def test_the_interval_of_the_other_direction_is_its_mirror():
    low, high = Pairs(40, 9, 3, 20).interval
    mirrored = Pairs(40, 3, 9, 20).interval
    assert (-high, -low) == pytest.approx(mirrored)


@pytest.mark.parametrize(
    ("regressed", "fixed", "p_value"),
    [(0, 0, 1.0), (0, 5, 0.0625), (6, 0, 0.03125), (2, 12, 0.012939453125), (10, 10, 1.0)],
)
def test_the_exact_test_gives_the_two_sided_binomial_chance(regressed, fixed, p_value):
    assert Pairs(3, regressed, fixed, 1).p_value == pytest.approx(p_value)


def test_many_differing_cases_overflow_nothing():
    pairs = Pairs(0, 4000, 6000, 0)
    assert 0 <= pairs.p_value < 1e-80
    assert pairs.says == "better"


@pytest.mark.parametrize(
    ("pairs", "says"),
    [
        (Pairs(), "nothing"),
        (Pairs(both=900, neither=100), "equal"),
        (Pairs(both=900, fixed=5), "too_few"),
        (Pairs(regressed=6), "worse"),
        (Pairs(regressed=4, fixed=6), "unclear"),
        (Pairs(both=36, regressed=2, fixed=12), "better"),
    ],
)
def test_what_can_be_said_of_a_difference(pairs, says):
    assert pairs.says == says


def test_without_pairs_there_is_no_difference():
    assert (Pairs().delta, Pairs().interval) == (None, None)


def test_cases_that_a_side_lacks_or_did_not_decide_are_no_pairs():
    one, other, broken = cell("pass"), cell("fail"), cell("incomplete")
    found = pairs_of([(one, one), (one, other), (other, one), (other, other), (one, None), (None, one), (broken, one)])
    assert found == Pairs(1, 1, 1, 1)


@pytest.mark.parametrize(("difference", "p_value"), [(0.0, 1.0), (0.5, 2.0**-2)])
def test_scores_that_all_differ_by_the_same_are_told_apart_by_their_sign_alone(difference, p_value):
    scores = clustered_pairs_of([[difference]] * 3)
    assert (scores.mean.interval, scores.p_value) == (None, p_value)
