import json

import pytest

from tests.runs.grading.graders.grading import graded, outcome


@pytest.mark.parametrize(
    ("actual", "expected", "config", "score"),
    [
        ("the cat sat on mat", "the cat sat on the mat", {}, 0.57893),
        ("the dog sat", "the cat sat on the mat", {}, 0),
        ("the dog sat", "the cat sat on the mat", {"smoothing": "method1"}, 0.176858),
        ("hello there", json.dumps(["hi there", "hello there"]), {"max_ngram": 2}, 1),
        ("", "", {}, 1),
        ("", "a", {}, 0),
        ("a b", json.dumps(["a b c", "a"]), {"max_ngram": 1}, 1),
    ],
)
def test_the_score_is_that_of_the_formula(actual, expected, config, score):
    assert round(graded("bleu_score", actual, expected, **config).score, 6) == score


@pytest.mark.parametrize("config", [{"smoothing": "method7"}, {"max_ngram": 0}, {"max_ngram": 1.5}])
def test_an_unusable_configuration_is_the_authors_mistake(config):
    assert outcome(graded("bleu_score", "a", "a", **config)) == "pack_error"


def test_so_many_orders_over_long_texts_are_not_tried():
    text = " ".join(map(str, range(5_000)))
    assert outcome(graded("bleu_score", text, text, max_ngram=5_000)) == "evaluator_error"
