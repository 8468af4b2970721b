import pytest

from packs.formats.challenge_pack.values import entries, given, listing, mapping, number, text, texts
from packs.formats.values import exact_text

READERS = {text: "", exact_text: "", mapping: {}, listing: [], number: None}


@pytest.mark.parametrize("read", READERS)
@pytest.mark.parametrize("value", [None, True, object()])
def test_a_value_of_another_type_counts_as_absent(read, value):
    assert read({"key": value}, "key") == read({}, "key") == READERS[read]


def test_only_texts_that_the_format_trims_lose_their_blanks():
    assert (text({"key": " a "}, "key"), exact_text({"key": " a "}, "key")) == ("a", " a ")


def test_entries_keep_their_places_when_others_are_null_or_broken():
    assert list(entries({"list": [None, {"a": 1}, 5]}, "list")) == [(1, {"a": 1}), (2, {})]
    assert list(texts({"list": ["a", None, 5]}, "list")) == [(0, "a"), (2, "")]


def test_null_is_as_good_as_absent_and_false_is_not():
    assert [given({"key": value}, "key") for value in (None, False, 0, "")] == [False, True, True, True]
