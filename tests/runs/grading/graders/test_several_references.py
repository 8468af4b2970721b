import pytest

from runs.grading.graders.references import MAX_CHARACTERS
from tests.runs.grading.graders.grading import graded, outcome

KINDS = ("bleu_score", "rouge_score", "chrf_score")


@pytest.mark.parametrize("kind", KINDS)
def test_references_that_are_no_texts_are_the_authors_mistake(kind):
    assert outcome(graded(kind, "a", "[1, 2]")) == "pack_error"


@pytest.mark.parametrize("kind", KINDS)
def test_texts_over_the_limit_are_not_judged(kind):
    assert outcome(graded(kind, "a" * MAX_CHARACTERS, "a")) == "evaluator_error"


@pytest.mark.parametrize("kind", KINDS)
def test_a_threshold_outside_its_range_is_the_authors_mistake(kind):
    assert outcome(graded(kind, "same", "same", threshold=7)) == "pack_error"
    assert outcome(graded(kind, "x", "y", threshold=-1)) == "pack_error"
