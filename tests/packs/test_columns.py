import json

import pytest
from hypothesis import given

from packs.columns import DocumentField, as_stored, canonical, decode, encode
from tests.packs.editing.test_pointers import values

ODD = [2**63, 2**64, -(2**63) - 1, 1.0, 1e300, -0.0, 0.1, "\x00", "\ud800", "é🙂", {"b": 1, "a": [None, True]}, " ", ""]


@pytest.mark.parametrize("value", ODD, ids=repr)
def test_odd_values_come_back_as_they_were(value):
    assert repr(decode(encode(value))) == repr(value)


@given(values)
def test_any_value_comes_back_as_it_was(value):
    assert repr(decode(encode(value))) == repr(value)


def test_deep_values_come_back():
    value: list = []
    for _ in range(500):
        value = [value]
    assert decode(encode(value)) == value


def test_the_text_is_json_for_every_reader():
    for value in ODD:
        assert repr(json.loads(encode(value))) == repr(value)


def test_equal_values_have_one_canonical_form_whatever_the_order_of_their_keys():
    assert canonical({"b": 1, "a": "é"}) == canonical({"a": "é", "b": 1}) == '{"a":"é","b":1}'.encode()
    assert canonical({"b": 2**70, "a": 1}) == canonical({"a": 1, "b": 2**70})


def test_null_is_a_value_and_no_value_is_null():
    field = DocumentField()
    assert field.get_prep_value(None) is None
    assert field.from_db_value("null", None, None) is None
    assert field.from_db_value(None, None, None) is None


def test_a_text_is_sought_as_it_is_stored():
    for text in ('a "quoted"\nline', "é\\", "x" * 60_000):
        assert as_stored(text) in encode({"text": text})
    assert len(as_stored("%" * 60_000)) <= 10_000
