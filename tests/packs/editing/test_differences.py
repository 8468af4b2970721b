from hypothesis import given

from packs.editing.differences import MANY, differences
from packs.editing.pointers import replaced
from packs.editing.values import ABSENT
from packs.formats.comparing import same
from tests.packs.editing.test_pointers import values


def steps(old, new):
    return [(step.steps, step.value) for step in differences(old, new)]


@given(values, values)
def test_the_differences_lead_from_one_value_to_the_other(old, new):
    value = old
    for step in differences(old, new):
        value = replaced(value, step.steps, step.value, insert=step.insert, index=step.index)
    assert same(value, new)


@given(values)
def test_equal_values_have_no_differences(value):
    assert steps(value, value) == []


def test_only_what_differs_is_named():
    old = {"a": {"x": 1, "y": 2}, "b": [1, 2, 3], "c": 0}
    new = {"a": {"x": 1, "y": 3}, "b": [1, 3], "d": 0}
    assert steps(old, new) == [(("c",), ABSENT), (("a", "y"), 3), (("b", "1"), ABSENT), (("d",), 0)]


def test_an_element_in_front_of_others_is_one_insertion():
    assert steps([1, 2, 3], [0, 1, 2, 3]) == [(("0",), 0)]


def test_another_order_of_keys_is_a_difference():
    assert steps({"a": 1, "b": 2}, {"b": 2, "a": 1}) == [((), {"b": 2, "a": 1})]


def test_more_edits_than_can_be_made_quickly_are_one_of_the_whole():
    few = {f"k{at}": at for at in range(MANY)}
    assert len(differences({}, few)) == MANY
    many = {**few, "last": 1}
    assert steps({}, many) == [((), many)]
    assert steps({"a": list(range(MANY + 1))}, {"a": [0] * (MANY + 1)}) == [
        (("a", str(at)), 0) for at in range(1, MANY + 1)
    ]
    assert steps({"a": few}, {"a": dict.fromkeys(many, -1)}) == [((), {"a": dict.fromkeys(many, -1)})]
