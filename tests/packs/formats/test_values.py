import pytest

from packs.formats.values import is_number, listing, mapping


@pytest.mark.parametrize("value", [None, 0, "text", True, 1.5])
def test_what_is_neither_mapping_nor_list_counts_as_empty(value):
    assert (mapping(value), listing(value)) == ({}, [])


def test_mappings_and_lists_are_what_they_are():
    assert (mapping({"a": 1}), mapping([1]), listing([1]), listing({"a": 1})) == ({"a": 1}, {}, [1], [])


@pytest.mark.parametrize(("value", "answer"), [(0, True), (-1.5, True), (True, False), ("1", False), (None, False)])
def test_true_and_digits_in_quotes_are_no_numbers(value, answer):
    assert is_number(value) is answer
