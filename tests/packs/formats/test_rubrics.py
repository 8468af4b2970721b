"""Rubrics that verify an answer by its words (benchmark-pack 6.5)."""

import pytest

from packs.formats.rubrics import rubric_trouble


@pytest.mark.parametrize(
    ("rubric", "field"),
    [
        ("blue", "rubric"),
        ({"type": "essay", "accepted_answers": ["blue"]}, "rubric.type"),
        ({"accepted_answers": []}, "rubric.accepted_answers"),
        ({"accepted_answers": [" "]}, "rubric.accepted_answers"),
        ({"accepted_answers": ["blue"], "rejected_answers": "red"}, "rubric.rejected_answers"),
        ({"accepted_answers": ["blue"], "min_token_f1": 1.5}, "rubric.min_token_f1"),
        ({"accepted_answers": ["blue"], "min_token_f1": True}, "rubric.min_token_f1"),
    ],
)
def test_a_rubric_that_verifies_nothing_names_the_field(rubric, field):
    assert rubric_trouble(rubric).field_path == field


def test_a_rubric_with_accepted_answers_can_be_used():
    assert rubric_trouble({"accepted_answers": ["blue"], "rejected_answers": ["red"], "min_token_f1": 0.5}) is None
