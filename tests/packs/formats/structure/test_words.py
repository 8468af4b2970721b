"""What messages call values and types."""

import pytest

from packs.formats.structure.words import described, types_described


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ("", "an empty text"),
        ("yes", "the text 'yes'"),
        ("x" * 60, f"the text '{'x' * 60}'"),
        ("x" * 61, "text"),
        (3, "the number 3"),
        (2.5, "the number 2.5"),
        (10**59, f"the number 1{'0' * 59}"),
        (10**60, "a number"),
        (True, "true"),
        (False, "false"),
        ([1], "a list"),
        ({}, "a mapping"),
        (None, "nothing"),
    ],
)
def test_short_values_are_shown_and_others_called_by_their_type(value, words):
    assert described(value) == words


def test_types_are_joined_and_named_once():
    assert types_described(["string", "object", "string"]) == "text or a mapping"
    assert types_described(["integer"]) == "a whole number"
