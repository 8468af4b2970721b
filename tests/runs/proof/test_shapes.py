"""Kinds of reference are told apart, and answers that say the same."""

import pytest

from runs.proof.shapes import Shape, parsed, same, shape_of


@pytest.mark.parametrize(
    ("text", "shape"),
    [
        ("  \n", Shape.EMPTY),
        ('{"a": 1}', Shape.JSON),
        ("[1, 2]", Shape.JSON),
        ("{not json}", Shape.SHORT),
        ("-4.50", Shape.NUMBER),
        ("--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n", Shape.PATCH),
        ("def add(a, b):\n    return a + b\n", Shape.CODE),
        ("B", Shape.LABEL),
        ("src/app.py", Shape.LABEL),
        ("15:15", Shape.LABEL),
        ("the Leeds hub", Shape.SHORT),
        ("It is at the Leeds hub and leaves for York on Friday.", Shape.PROSE),
        ("One line.\nAnother line.", Shape.PROSE),
    ],
)
def test_the_kind_of_a_reference(text, shape):
    assert shape_of(text) is shape


def test_what_a_program_asks_for_is_code_however_it_looks():
    assert shape_of("x + 1", is_code=True) is Shape.CODE


def test_only_objects_and_lists_are_json():
    assert parsed('{"a": 1}') == {"a": 1}
    assert parsed("42") is None
    assert parsed("{") is None


@pytest.mark.parametrize(
    ("one", "other"), [("Leeds", "leeds."), ('{"a": 1, "b": 2}', '{"b":2,"a":1}'), ("24", "24.00"), (" x ", "x")]
)
def test_answers_that_say_the_same(one, other):
    assert same(one, other)


@pytest.mark.parametrize(("one", "other"), [("24", "25"), ('{"a": 1}', '{"a": 2}'), ("York", "Leeds")])
def test_answers_that_say_something_else(one, other):
    assert not same(one, other)
