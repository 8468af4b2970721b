import json

import pytest

from runs.grading.graders.references import MAX_REFERENCES, BadReferences, f_score, read_references


@pytest.mark.parametrize(
    ("expected", "references"),
    [("", [""]), ("  ", [""]), ("a", ["a"]), ('["a", "b"]', ["a", "b"]), ("[draft", ["[draft"]), (' ["a"] ', ["a"])],
)
def test_a_list_of_texts_is_several_references(expected, references):
    assert read_references(expected) == references


@pytest.mark.parametrize("expected", ["[1]", "[]", '["a", null]', json.dumps(["a"] * (MAX_REFERENCES + 1))])
def test_another_list_is_refused(expected):
    with pytest.raises(BadReferences):
        read_references(expected)


def test_the_f_score_weighs_recall_by_beta():
    assert f_score(1.0, 0.5, 1) == pytest.approx(2 / 3)
    assert f_score(1.0, 0.5, 2) == pytest.approx(5 / 9)
    assert f_score(0, 0, 1) == 0
