import pytest
from hypothesis import given
from hypothesis import strategies as st

from packs.editing.pointers import list_index, replaced, value_at
from packs.editing.values import ABSENT, EditRefused
from packs.formats.comparing import same

values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=2), inner, max_size=3),
    max_leaves=8,
)


@pytest.mark.parametrize(
    ("left", "right"),
    [(1, 1.0), (1, True), (0, False), (None, False), ("", None), ({"a": 1, "b": 2}, {"b": 2, "a": 1}), ([1], [1.0])],
)
def test_values_that_are_written_differently_are_not_the_same(left, right):
    assert not same(left, right)


@given(values)
def test_a_value_is_the_same_as_itself(value):
    assert same(value, value)


@pytest.mark.parametrize(
    ("steps", "found"),
    [((), {"a": [1, {"": 2}]}), (("a", "0"), 1), (("a", "1", ""), 2), (("a", "2"), ABSENT), (("a", "x"), ABSENT)],
)
def test_a_pointer_leads_to_a_value_or_nowhere(steps, found):
    assert value_at({"a": [1, {"": 2}]}, steps) == found


@pytest.mark.parametrize(("step", "index"), [("0", 0), ("2", 2), ("-", 2), ("3", None), ("01", None), ("-1", None)])
def test_list_indices_are_those_of_json_pointers(step, index):
    assert list_index(["a", "b"], step) == index


@pytest.mark.parametrize("step", ["²", "٣", "", "9" * 5000])
def test_odd_digits_are_no_list_index(step):
    with pytest.raises(EditRefused):
        replaced([1], (step,), 2)


@given(values, values)
def test_a_change_leaves_the_old_value_whole(value, new):
    before = {"a": [value], "b": value}
    copy = {"a": [value], "b": value}
    after = replaced(before, ("a", "0"), new)
    assert same(before, copy)
    assert same(after, {"a": [new], "b": value})


def test_a_new_key_is_put_at_its_place():
    assert list(replaced({"a": 1, "c": 3}, ("b",), 2, index=1)) == ["a", "b", "c"]
