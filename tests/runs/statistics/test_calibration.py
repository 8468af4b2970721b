from random import Random
from statistics import pstdev

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runs.statistics.agreement import cohen
from runs.statistics.calibration import (
    Confusion,
    Judged,
    confusion_of,
    kappa_error,
    score_alpha,
    verdict_alpha,
)

COUNTS = st.integers(0, 40)


def judged(confusion):
    kinds = ((True, True), (False, True), (True, False), (False, False))
    counts = (confusion.both_pass, confusion.judge_only, confusion.people_only, confusion.both_fail)
    return [Judged(*kind) for kind, count in zip(kinds, counts, strict=True) for _ in range(count)]


def test_a_judge_is_counted_against_people():
    found = confusion_of(judged(Confusion(20, 5, 10, 15)))
    assert found == Confusion(20, 5, 10, 15)
    assert (found.true_positives.passed, found.true_positives.judged) == (20, 30)
    assert (found.true_negatives.passed, found.true_negatives.judged) == (15, 20)
    assert (found.base_rate.pass_rate, found.agreed.pass_rate) == (0.6, 0.7)
    # Cohen's kappa of this table stands in many texts.
    assert found.kappa == pytest.approx(0.4)


def test_the_error_of_kappa_is_that_of_the_book():
    # Fleiss, Levin and Paik (2003), table 18.1 and formula 18.16: kappa 0.68, standard error 0.087.
    table = [[75, 1, 4], [5, 4, 1], [0, 0, 10]]
    kappa = cohen(
        [(row, at) for row, counts in enumerate(table) for at, count in enumerate(counts) for _ in range(count)]
    )
    assert kappa == pytest.approx(0.676, abs=5e-4)
    assert kappa_error(table, kappa) == pytest.approx(0.087, abs=1e-3)


def test_the_error_of_kappa_is_how_far_drawn_tables_lie_apart():
    draw = Random(5)
    shares = (0.45, 0.1, 0.15, 0.3)
    kappas = []
    for _ in range(800):
        drawn = draw.choices(range(4), shares, k=200)
        kappas.append(Confusion(*(drawn.count(kind) for kind in range(4))).kappa)
    error = kappa_error([[450, 150], [100, 300]], Confusion(450, 100, 150, 300).kappa)
    assert error * (1000 / 200) ** 0.5 == pytest.approx(pstdev(kappas), rel=0.1)


@given(COUNTS, COUNTS, COUNTS, COUNTS)
def test_kappa_lies_in_its_interval_and_near_alpha(both, judge, people, neither):
    found = Confusion(both, judge, people, neither)
    if found.kappa is None:
        assert found.kappa_interval is None
        return
    low, high = found.kappa_interval
    assert -1 <= low <= found.kappa + 1e-9
    assert found.kappa - 1e-9 <= high <= 1
    # Both take chance off agreement, alpha with one distribution for both: it is never above kappa by more than 1 / n.
    assert verdict_alpha(judged(found)) <= found.kappa + 1 / found.n + 1e-9
    # Who is the judge makes no difference to kappa.
    assert Confusion(both, people, judge, neither).kappa == pytest.approx(found.kappa)


def test_a_judge_below_the_least_agreement_is_doubtful_once_enough_is_labelled():
    assert Confusion().standing(0.6) == "unknown"
    assert Confusion(0, 5, 4, 0).standing(0.6) == "few"
    assert Confusion(3, 3, 2, 3).standing(0.6) == "doubtful"
    assert Confusion(9, 1, 0, 9).standing(0.6) == "agrees"
    assert Confusion(12, 0, 0, 0).standing(0.6) == "agrees"
    # It passes what people fail as often as not: kappa is 0 although nine of ten verdicts are the same.
    assert Confusion(18, 2, 0, 0).standing(0.6) == "doubtful"


def test_scores_are_compared_where_both_gave_one():
    said = [Judged(True, True, 1.0, 0.75), Judged(False, True, 0.0, 0.25), Judged(True, True, None, 1.0)]
    # Two pairs 0.25 apart, of all six pairs of their four values: 1 - 3 * 0.125 / 2.5.
    assert score_alpha(said) == pytest.approx(0.85)
    assert score_alpha([Judged(True, False, None, 1.0)]) is None
