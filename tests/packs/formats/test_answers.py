import pytest

from packs.formats.answers import (
    Match,
    best_overlap,
    candidate_values,
    entry_values,
    expected_values,
    focused,
    holds_span,
    label_of,
    match_response,
    match_short,
    normal,
    number_in,
)

CHOICES = ["1", "2", "4", "5"]


def test_texts_are_compared_without_case_blanks_and_the_stops_around_them():
    assert normal(' "The  Answer." ') == "the answer"


@pytest.mark.parametrize(
    ("text", "focus"),
    [
        ("thinking\nFinal answer is: 42 km\n\n", "42 km"),
        ("answer island", "land"),
        ("Answer - yes", "yes"),
        ("just this", "just this"),
        ("", ""),
    ],
)
def test_the_focus_is_what_follows_the_lead_in_of_the_last_line(text, focus):
    assert focused(text) == focus


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("C", "C"),
        (" (c) ", "C"),
        ("C.", "C"),
        ("option c", "C"),
        ("answer is: [b]", "B"),
        ("( c)", ""),
        ("Z", ""),
        ("CC", ""),
    ],
)
def test_a_text_is_the_label_of_a_choice_only_as_a_whole(text, label):
    assert label_of(text, len(CHOICES)) == label


def test_numbers_are_positions_and_texts_are_labels_or_choices():
    assert entry_values(2, CHOICES) == {"C", "4"}
    assert entry_values("2", CHOICES) == {"2", "B"}
    assert entry_values("B", CHOICES) == {"B", "2"}
    assert entry_values(9, CHOICES) == entry_values(1.5, CHOICES) == entry_values(True, CHOICES) == set()
    assert expected_values([9, None], CHOICES) == set()


def test_a_blank_answer_can_be_read_as_nothing():
    assert candidate_values(" \n", 4) == set()
    assert candidate_values("I choose\nAnswer: C", 4) >= {"C"}


@pytest.mark.parametrize(
    ("text", "accepted", "tolerance", "found"),
    [
        ("about 1,203.5 m", [1203], 1, Match(0, "numeric_tolerance")),
        ("no number", [1203], 1, None),
        ("Leeds.", ["York", "leeds"], None, Match(1, "normalized_exact")),
        ("It is in Leeds now", ["Leeds"], None, Match(0, "answer_span")),
        ("-5", [5], None, Match(0, "answer_span")),
        ("42", [42.0], None, None),
        ("", ["x"], None, None),
    ],
)
def test_a_short_answer_meets_the_first_accepted_one(text, accepted, tolerance, found):
    assert match_short(text, accepted, tolerance) == found


def test_numbers_are_read_without_separators_and_exponents():
    assert [number_in(text) for text in ("1,000", "-.5 m", "3e4", "none", 7)] == [1000, -0.5, 3, None, 7]


def test_a_span_stands_between_the_borders_of_words():
    assert holds_span("it is safe.", "safe")
    assert not holds_span("unsafe", "safe")
    assert not holds_span("anything", "")


def test_overlap_ignores_order_and_common_words_and_prefers_the_first_of_equals():
    assert best_overlap("tree, apple and red", ["no", "red apple tree", "tree apple red"]).index == 1
    assert best_overlap("the", ["the"]).index is None


def test_a_rejected_answer_that_is_contained_always_fails():
    found = match_response("It is safe and unsafe", ["safe"], ["unsafe"], 1.0)
    assert (found.matched, found.rejected, found.passes) == (0, 0, False)


def test_thousands_of_blanks_before_an_answer_are_passed_over_at_once():
    assert label_of(" " * 20_000 + "answer is (C)", 4) == "C"
    assert label_of("\n" * 20_000 + "no letter", 4) == ""
