import pytest

from runs.grading.graders.contract import Outcome
from tests.runs.grading.graders.grading import graded, graded_on, outcome

CHOICES = ["1", "2", "4", "5"]


@pytest.mark.parametrize("answer", ["C", "(c)", "4", "thinking\nFinal answer is 4."])
def test_a_choice_is_right_by_its_letter_or_its_text(answer):
    assert graded("multiple_choice", answer, choices=CHOICES, answer=2).score == 1


@pytest.mark.parametrize("answer", ["C) 4", "**C**", "", "B"])
def test_anything_else_fails(answer):
    assert outcome(graded("multiple_choice", answer, choices=CHOICES, answer=2)) == "fail"


def test_a_missing_answer_counts_as_an_empty_one():
    config = {"choices": CHOICES, "answer": 2}
    assert outcome(graded_on("multiple_choice", [], target="final_output", config=config)) == "fail"


@pytest.mark.parametrize(
    ("config", "field"),
    [
        ({"choices": CHOICES, "answer": 9}, "answer"),
        ({"choices": [], "answer": 1}, "choices"),
        ({"choices": ["x"] * 27, "answer": 1}, "choices"),
    ],
)
def test_a_question_that_nobody_can_pass_is_the_author_s_mistake(config, field):
    grade = graded("multiple_choice", "C", **config)
    assert (grade.outcome, grade.raw["error_type"], grade.raw["field"]) == (Outcome.PACK_ERROR, "ConfigError", field)
