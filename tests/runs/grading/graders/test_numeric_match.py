import pytest

from runs.grading.graders.numeric_match import find_number, read_number
from tests.runs.grading.graders.grading import graded, outcome


@pytest.mark.parametrize(
    ("text", "number"),
    [
        (" 1e3\n", 1000),
        ("0x10p0", 16),
        ("-inf", float("-inf")),
        ("1,000", None),
        ("1e999", None),
        ("", None),
        ("٣", None),
    ],
)
def test_a_whole_text_is_a_number_or_not(text, number):
    assert read_number(text) == number


@pytest.mark.parametrize(
    ("text", "number"),
    [("Total: $1,234.50 USD", 1234.5), ("97%", 97), ("10 out of 100", 10), ("minus -2.5e1", -25), ("none", None)],
)
def test_the_first_number_is_found_in_a_text(text, number):
    assert find_number(text) == number


@pytest.mark.parametrize(
    ("actual", "expected", "config", "verdict"),
    [
        ("42", "42.0", {}, "pass"),
        ("9.6", "10", {"absolute_tolerance": 0.4}, "fail"),
        ("9.5", "10", {"absolute_tolerance": 0.5}, "pass"),
        ("95", "100", {"relative_tolerance": 0.05}, "pass"),
        ("100.4", "100", {"absolute_tolerance": 0.5, "relative_tolerance": 0.0001}, "pass"),
        ("0.1", "0", {"relative_tolerance": 0.5}, "fail"),
        ("0", "0", {"relative_tolerance": 0}, "pass"),
        ("100.09", "100", {"tolerance": 0.001}, "pass"),
        ("100.09", "100", {"tolerance_mode": "absolute", "tolerance": 0.05}, "fail"),
        ("3.14159", "3.14", {"significant_digits": 3}, "pass"),
        ("-0.00012345", "-0.000123", {"significant_digits": 3}, "pass"),
        # A half is rounded away from zero, neither down nor to the even digit.
        ("2.5", "3", {"significant_digits": 1}, "pass"),
        ("2.5", "2", {"significant_digits": 1}, "fail"),
        ("-2.5", "-3", {"significant_digits": 1}, "pass"),
        ("0.125", "0.13", {"significant_digits": 2}, "pass"),
        ("1250", "1300", {"significant_digits": 2}, "pass"),
        ("1249", "1200", {"significant_digits": 2}, "pass"),
        ("1000", "1001", {"significant_digits": 4}, "fail"),
        ("1000", "1001", {"significant_digits": 3}, "pass"),
        ("0", "0.4", {"significant_digits": 1}, "fail"),
        ("2.6", "2", {"significant_digits": 1, "absolute_tolerance": 1}, "pass"),
        ("2.6", "2", {"significant_digits": 1, "absolute_tolerance": 0.9}, "fail"),
        ("inf", "Inf", {"significant_digits": 3}, "pass"),
        ("inf", "Inf", {}, "pass"),
    ],
)
def test_numbers_are_compared_within_any_tolerance(actual, expected, config, verdict):
    assert outcome(graded("numeric_match", actual, expected, **config)) == verdict


def test_an_expected_value_that_is_no_number_is_the_authors_mistake():
    assert outcome(graded("numeric_match", "1", "one")) == "pack_error"
    assert outcome(graded("numeric_match", "one", "1")) == "evaluator_error"


@pytest.mark.parametrize(
    "config",
    [
        {"tolerance": 1, "absolute_tolerance": 1},
        {"tolerance_mode": "both"},
        {"significant_digits": 1.5},
    ],
)
def test_tolerances_that_contradict_each_other_are_refused(config):
    assert outcome(graded("numeric_match", "1", "1", **config)) == "pack_error"
