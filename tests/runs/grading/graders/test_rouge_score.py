import json

import pytest

from runs.grading.graders.rouge_score import MAX_TOKENS
from tests.runs.grading.graders.grading import graded, outcome


@pytest.mark.parametrize(
    ("actual", "expected", "config", "score"),
    [
        ("police killed the gunman", "police kill the gunman", {}, 0.75),
        ("a b c", "a c d", {"variant": "rouge-1"}, 0.666667),
        ("a b c d", "a b d c", {"variant": "rouge-2"}, 0.333333),
        ("a b", "a b c d", {"variant": "rouge-1", "beta": 2}, 0.555556),
        ("x y", json.dumps(["a b", "x z"]), {}, 0.5),
        ("", "", {}, 0),
    ],
)
def test_the_score_is_the_best_over_the_references(actual, expected, config, score):
    assert round(graded("rouge_score", actual, expected, **config).score, 6) == score


@pytest.mark.parametrize("config", [{"variant": "rouge-9"}, {"beta": 0}, {"beta": 1e9}])
def test_an_unusable_configuration_is_the_authors_mistake(config):
    assert outcome(graded("rouge_score", "a", "a", **config)) == "pack_error"


def test_more_words_than_the_limit_are_not_compared():
    assert outcome(graded("rouge_score", "a " * (MAX_TOKENS + 1), "a")) == "evaluator_error"
