import pytest

from runs.grading.graders.own_rubrics import read_rubric
from runs.grading.graders.reviews import Aspect, Rubric, Unreadable

TWO = Rubric((Aspect("tone", "Tone"), Aspect("facts", "Facts")), passes_from=3.0)
OWN = read_rubric(
    [
        {"name": "Right?", "kind": "yes_no", "passing": ["yes"]},
        {"name": "Tone", "kind": "scale", "least": 1, "best": 5, "passes_from": 4},
        {"name": "Cause", "kind": "label", "labels": ["none", "tool", "facts"]},
        {"name": "Note", "kind": "text"},
        {"name": "Wrong words", "kind": "passages"},
    ]
)
CHOSEN = {"Right?": True, "Tone": 4, "Cause": "tool"}


def test_a_trial_passes_where_the_mean_of_its_scores_reaches_the_threshold():
    assert TWO.verdict({"tone": 4, "facts": 2}) == (True, 0.75)
    assert TWO.verdict({"tone": 3, "facts": 2}) == (False, 0.625)


def test_scores_of_aspects_that_are_gone_say_nothing():
    assert TWO.verdict({"style": 4}) is None


def test_each_aspect_that_decides_has_to_pass():
    assert OWN.verdict({"Right?": 1, "Tone": 5, "Cause": "none"}) == (True, 1.0)
    assert OWN.verdict({"Right?": 1, "Tone": 3}) == (False, 0.75)
    assert OWN.verdict({"Note": "Fine."}) is None


def test_texts_and_passages_may_stay_empty_and_passages_get_their_places():
    assert OWN.read(CHOSEN, "It is.") == {"Right?": 1, "Tone": 4, "Cause": "tool"}
    read = OWN.read({**CHOSEN, "Note": " ok ", "Wrong words": ["at  the hub"]}, "It is at the hub.")
    assert read["Note"] == "ok"
    assert read["Wrong words"] == [{"start": 6, "end": 16, "text": "at the hub"}]


@pytest.mark.parametrize(
    "wrong",
    [
        {"Right?": None},
        {"Right?": 2},
        {"Tone": 0},
        {"Tone": True},
        {"Tone": "4"},
        {"Cause": "other"},
        {"Note": 3},
        {"Wrong words": ["not there"]},
        {"Wrong words": "at the hub"},
        {"Style": 1},
    ],
)
def test_scores_that_do_not_fit_are_refused(wrong):
    with pytest.raises(Unreadable):
        OWN.read({**CHOSEN, **wrong}, "It is at the hub.")


def test_each_choice_has_its_digit_and_what_was_said_its_words():
    right, tone, cause, _, words = OWN.aspects
    assert [(choice.word, choice.digit) for choice in right.choices] == [("Yes", "1"), ("No", "0")]
    assert [choice.digit for choice in tone.choices] == ["1", "2", "3", "4", "5"]
    assert [(choice.word, choice.digit) for choice in cause.choices][1] == ("tool", "2")
    assert (right.word_of(0), cause.word_of("tool")) == ("No", "tool")
    assert words.word_of([{"start": 0, "end": 2, "text": "It"}]) == "“It”"
