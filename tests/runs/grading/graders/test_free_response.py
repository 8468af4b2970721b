import pytest

from tests.runs.grading.graders.grading import graded, outcome

RUBRIC = {"accepted_answers": ["the wind was strong"], "rejected_answers": ["wrong address"], "min_token_f1": 0.6}


@pytest.mark.parametrize(
    ("answer", "verdict"),
    [
        ("Because the wind was strong.", "pass"),
        ("strong wind", "pass"),
        ("It had the wrong address; the wind was strong too", "fail"),
        ("", "fail"),
    ],
)
def test_an_accepted_answer_passes_unless_a_rejected_one_is_given(answer, verdict):
    assert outcome(graded("free_response", answer, rubric=RUBRIC)) == verdict


@pytest.mark.parametrize(
    ("rubric", "field"),
    [
        ("in words", "rubric"),
        ({"type": "judge", "accepted_answers": ["x"]}, "rubric.type"),
        ({"accepted_answers": ["x"], "min_token_f1": True}, "rubric.min_token_f1"),
    ],
)
def test_a_rubric_that_cannot_be_used_is_the_author_s_mistake(rubric, field):
    assert graded("free_response", "x", rubric=rubric).raw["field"] == field
