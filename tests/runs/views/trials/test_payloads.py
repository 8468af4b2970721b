import pytest
from hypothesis import given
from hypothesis import strategies as st

from runs.views.trials.payloads import (
    MAX_COMPARED,
    MAX_LINES,
    MAX_NODES,
    MAX_SHOWN,
    compare,
    compare_lines,
    show,
    sides,
    tree,
)


def test_long_texts_are_cut_and_their_length_is_told():
    shown = show("x" * (MAX_SHOWN + 5))
    assert (len(shown.text), shown.size, shown.is_cut) == (MAX_SHOWN, MAX_SHOWN + 5, True)


def test_control_characters_are_visible_and_line_ends_stay():
    assert show("a\x00\x1b[31m\r\nb\tc\x7f").text == "a␀␛[31m\nb\tc␡"


def test_a_call_and_its_answer_stand_on_two_sides():
    first, last = {"tool_name": "look", "arguments": {"id": 1}}, {"tool_name": "look", "result": {"content": "hub"}}
    asked, answered = sides([first, last])
    assert [part.label for part in asked] == ["tool_name", "arguments"]
    assert [(part.label, part.text) for part in answered] == [("result", "hub")]


def test_a_call_told_in_one_event_is_parted_too():
    asked, answered = sides([{"tool_name": "look", "arguments": {"id": 1}, "result": {"content": "hub", "code": 2}}])
    assert [part.label for part in asked] == ["tool_name", "arguments"]
    assert [part.text for part in answered] == ["hub", '{\n  "code": 2\n}']


def test_a_mere_fact_has_one_side():
    assert sides([{"content": "Hello"}])[1] == []


def test_a_document_becomes_a_tree_in_its_own_order():
    root = tree({"b": [1, "two"], "a": {}})
    assert [child.name for child in root.children] == ["b", "a"]
    assert [(leaf.kind, leaf.text) for leaf in root.children[0].children] == [("value", "1"), ("text", "two")]


def test_a_document_too_large_for_a_tree_has_none():
    assert tree(list(range(MAX_NODES))) is None


@pytest.mark.parametrize(("actual", "expected"), [("a b c", "a c"), ("", "x"), ("one two", "one three"), ("x", "x")])
def test_pieces_together_are_both_texts(actual, expected):
    pieces = compare(actual, expected)
    assert "".join(piece.text for piece in pieces if piece.kind != "missing") == actual
    assert "".join(piece.text for piece in pieces if piece.kind != "extra") == expected


def test_what_is_alike_stands_between_what_is_not():
    pieces = compare("It arrives on Monday, at noon.", "It arrives tomorrow, at noon.")
    told = [(piece.kind, piece.text) for piece in pieces]
    assert told[0] == ("same", "It arrives ")
    assert told[-1] == ("same", ", at noon.")
    assert {kind for kind, _ in told[1:-1]} == {"missing", "extra"}


def test_texts_of_one_word_again_and_again_are_compared():
    actual, expected = "x," * (MAX_COMPARED // 2), "x;" * (MAX_COMPARED // 2)
    pieces = compare(actual, expected)
    assert "".join(piece.text for piece in pieces if piece.kind != "missing") == actual


def test_very_long_texts_are_not_compared():
    assert compare("x" * (MAX_COMPARED + 1), "y") == []


def test_a_long_text_without_a_word_of_the_other_is_not_crossed_out_and_written_anew():
    prose = "The tide tables of that day were never printed. " * 4
    assert compare(prose, "2500") == compare("2500", prose) == []
    assert [piece.kind for piece in compare(f"{prose}2500", "2500")] == ["extra", "same"]
    assert [(piece.kind, piece.text) for piece in compare("41", "42")] == [("missing", "42"), ("extra", "41")]


@given(st.lists(st.sampled_from("xyz"), max_size=12).map("\n".join), st.text("xy\n", max_size=20))
def test_lines_beside_each_other_keep_both_texts_whole(a, b):
    left, right = compare_lines(a, b)
    assert ("".join(piece.text for piece in left), "".join(piece.text for piece in right)) == (a, b)
    same = [[piece.text for piece in side if piece.kind == "same"] for side in (left, right)]
    assert "".join(same[0]) == "".join(same[1])


def test_a_line_that_was_added_is_marked_on_its_side_only():
    left, right = compare_lines("a\nc\n", "a\nb\nc\n")
    assert [piece.kind for piece in left] == ["same"]
    assert [(piece.kind, piece.text) for piece in right] == [("same", "a\n"), ("extra", "b\n"), ("same", "c\n")]


def test_of_very_many_lines_those_at_the_ends_are_compared():
    many, others = ("".join(f"{word}{number}\n" for number in range(MAX_LINES + 1)) for word in "pq")
    left, right = compare_lines(f"a\n{many}z\n", f"a\n{others}z\n")
    assert [piece.kind for piece in left] == ["same", "missing", "same"]
    assert [piece.kind for piece in right] == ["same", "extra", "same"]
