import pytest

from tests.runs.grading.graders.grading import graded, outcome


@pytest.mark.parametrize("actual", ["true", " Yes\n", "1", "TRUE"])
def test_words_for_true_are_equal(actual):
    assert outcome(graded("boolean_assert", actual, "yes")) == "pass"
    assert outcome(graded("boolean_assert", actual, "0")) == "fail"


def test_other_words_are_errors_of_whoever_wrote_them():
    assert outcome(graded("boolean_assert", "maybe", "true")) == "evaluator_error"
    assert outcome(graded("boolean_assert", "true", "on")) == "pack_error"
