"""Shares, each of a denominator that its name says."""

from fractions import Fraction

import pytest

from runs.statistics.estimates import wilson
from runs.statistics.shares import Shares, shares_of, spelled, suite_pass_rate


def test_the_pass_rate_is_of_what_was_judged_and_the_coverage_of_all_that_was_planned():
    counts = {"passed": 7, "failed": 2, "error": 3, "undecided": 1, "cancelled": 4, "held": 1, "queued": 2}
    shares = shares_of(counts)
    assert shares == Shares(passed=7, judged=9, planned=20)
    assert (shares.pass_rate, shares.coverage) == (float(Fraction(7, 9)), float(Fraction(9, 20)))
    assert (shares.failed, shares.missing) == (2, 11)
    assert shares.as_dict("case_") == {
        "case_pass_rate": 7 / 9,
        "case_coverage": 9 / 20,
        "case_wilson95": list(wilson(7, 9)),
    }


@pytest.mark.parametrize("state", ["error", "undecided", "cancelled", "left_out", "waiting", "queued", "odd"])
def test_what_is_no_verdict_is_no_failure_and_does_not_vanish(state):
    shares = shares_of({"passed": 1, state: 1})
    assert (shares.pass_rate, shares.coverage) == (1.0, 0.5)


def test_ten_errors_of_ten_have_no_pass_rate():
    shares = shares_of({"error": 10})
    assert shares.as_dict() == {"pass_rate": None, "coverage": 0.0, "wilson95": None}
    assert shares_of({}).coverage is None


def test_a_suite_counts_open_tasks_among_its_members():
    assert suite_pass_rate(1, 4) == 0.25


@pytest.mark.parametrize(
    ("share", "text"),
    [(None, "–"), (0.0, "0 %"), (0.001, "< 1 %"), (2 / 3, "67 %"), (0.999, "> 99 %"), (1.0, "100 %")],
)
def test_all_and_nothing_are_said_only_where_they_are_meant(share, text):
    assert spelled(share) == text


@pytest.mark.parametrize(
    ("share", "text"), [(0.0, "0.0 %"), (0.0001, "< 0.1 %"), (2 / 3, "66.7 %"), (0.9996, "> 99.9 %"), (1.0, "100.0 %")]
)
def test_with_a_decimal_as_well(share, text):
    assert spelled(share, digits=1) == text


def test_words_name_the_coverage_unless_everything_is_judged():
    assert shares_of({"passed": 1, "failed": 1}).described == "pass rate 50 % (1 of 2 judged)"
    assert (
        shares_of({"passed": 1, "error": 1}).described
        == "pass rate 100 % (1 of 1 judged), coverage 50 % (1 of 2 judged)"
    )
