import pytest
from hypothesis import given
from hypothesis import strategies as st

from packs.formats.canonical_json import canonical_json


@pytest.mark.parametrize(
    ("left", "right"),
    [({"a": 1, "b": [2.0]}, {"b": [2], "a": 1.0}), ({"é": None}, {"é": None}), ((1, 2), [1, 2])],
)
def test_values_that_mean_the_same_have_one_text(left, right):
    assert canonical_json(left) == canonical_json(right)


@pytest.mark.parametrize(("left", "right"), [(1, True), ("1", 1), (None, False), (1.5, 1), ([], {})])
def test_values_of_other_types_have_other_texts(left, right):
    assert canonical_json(left) != canonical_json(right)


def test_text_stays_readable_and_nothing_is_blank():
    assert canonical_json({"b": "é", "a": 3.0}) == '{"a":3,"b":"é"}'.encode()


@given(st.dictionaries(st.text(st.characters(exclude_categories=["Cs"])), st.floats(allow_nan=False)))
def test_the_order_of_keys_never_matters(value):
    assert canonical_json(value) == canonical_json(dict(reversed(value.items())))
