import json

import pytest

from runs.grading.graders.own_rubrics import document_of, read_rubric, rubric_of
from runs.grading.graders.reviews import Unreadable

ROWS = [
    {"name": "Right?", "text": "By the handbook.", "passing": ["yes"]},
    {"name": "Tone", "kind": "scale", "least": 1, "best": 5, "passes_from": 4},
    {"name": "Cause", "kind": "label", "labels": ["none", "tool"], "passing": ["none"]},
    {"name": "Note", "kind": "text"},
]


def test_a_rubric_is_the_same_after_it_was_kept():
    rubric = read_rubric(ROWS)
    assert rubric_of(json.loads(json.dumps(document_of(rubric)))) == rubric
    assert [aspect.decides for aspect in rubric.aspects] == [True, True, True, False]


@pytest.mark.parametrize(
    "rows",
    [
        [],
        [{"name": ""}],
        [{"name": "x" * 81}],
        [{"name": "a"}, {"name": "a"}],
        [{"name": "a", "kind": "colour"}],
        [{"name": "a", "kind": "scale", "least": 4, "best": 4}],
        [{"name": "a", "kind": "scale", "best": 10}],
        [{"name": "a", "kind": "scale", "passes_from": 7}],
        [{"name": "a", "kind": "label", "labels": ["one"]}],
        [{"name": "a", "kind": "label", "labels": ["one", "two"], "passing": ["three"]}],
        [{"name": "a", "passing": ["perhaps"]}],
        [{"name": str(number)} for number in range(21)],
    ],
)
def test_what_nobody_could_score_is_refused(rows):
    with pytest.raises(Unreadable):
        read_rubric(rows)
