import pytest

from runs.grading.graders.fuzzy_match import MAX_CHARACTERS
from tests.runs.grading.graders.grading import graded, outcome


def test_the_score_is_the_similarity_even_of_a_fail():
    grade = graded("fuzzy_match", "kitten", "sitting")
    assert (outcome(grade), round(grade.score, 6)) == ("fail", 0.769231)


def test_case_and_blanks_can_be_put_aside():
    assert graded("fuzzy_match", " STRASSE ", "straße", case_insensitive=True, normalize=True).score == 1


def test_a_threshold_is_met_when_equal():
    assert outcome(graded("fuzzy_match", "abcd", "abce", threshold=0.875)) == "pass"


@pytest.mark.parametrize("config", [{"threshold": "0.5"}, {"normalise": True}, {"normalize": "yes"}])
def test_a_configuration_of_wrong_types_or_names_is_the_authors_mistake(config):
    assert outcome(graded("fuzzy_match", "a", "a", **config)) == "pack_error"


def test_texts_over_the_limit_are_not_judged():
    assert outcome(graded("fuzzy_match", "a" * (MAX_CHARACTERS + 1), "a")) == "evaluator_error"
    assert outcome(graded("fuzzy_match", "ab" * (MAX_CHARACTERS // 2), "ba" * (MAX_CHARACTERS // 2))) == "pass"
