import pytest

from tests.runs.grading.graders.grading import graded, outcome


@pytest.mark.parametrize(
    ("actual", "expected", "config", "score"),
    [
        ("he llo", "hello", {}, 1),
        ("hello world", "hello word", {}, 0.826094),
        ("ab", "abc", {"char_order": 3, "beta": 1}, 0.736842),
        ("", " ", {}, 1),
        ("", "a", {}, 0),
        ("HELLO", "hello", {"case_insensitive": True}, 1),
    ],
)
def test_the_score_is_that_of_the_formula(actual, expected, config, score):
    assert round(graded("chrf_score", actual, expected, **config).score, 6) == score


def test_so_many_orders_over_long_texts_are_not_tried():
    assert outcome(graded("chrf_score", "ab" * 5_000, "ba" * 5_000, char_order=9_999)) == "evaluator_error"
