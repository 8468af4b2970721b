"""Lines and JSON that a terminal shows as they are."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from packs.formats.terminal import json_text, plain


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain söze\ttab", "plain söze\ttab"),
        ("a\x1b[31mb", "a\\x1b[31mb"),
        ("one\ntwo\rthree", "one\\ntwo\\rthree"),
        ("csi \x9b2J del \x7f", "csi \\x9b2J del \\x7f"),
        ("turned \u202eround\u2066", "turned \\u202eround\\u2066"),
        ("half \ud83d", "half \\ud83d"),
    ],
)
def test_what_is_no_character_to_look_at_is_written_as_its_escape(text, shown):
    assert plain(text) == shown


@given(st.dictionaries(st.text(max_size=8), st.text(max_size=8), max_size=3))
def test_json_says_the_same_with_escapes(value):
    text = json_text(value)
    assert json.loads(text) == value
    assert not set(text) & set("\x1b\x7f\x9b\u2028\u202e")
