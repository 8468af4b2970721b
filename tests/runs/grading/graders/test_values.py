import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runs.grading.graders import values


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (0, "0"),
        (999999, "999999"),
        (1000000, "1e+06"),
        (123456789, "1.23456789e+08"),
        (0.5, "0.5"),
        (0.0001, "0.0001"),
        (0.00001, "1e-05"),
        (-7, "-7"),
        (1.5e300, "1.5e+300"),
        (math.inf, "+Inf"),
    ],
)
def test_numbers_print_shortest_and_large_ones_with_an_exponent(number, text):
    assert values.number_text(float(number)) == text


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_a_printed_number_reads_back(number):
    assert float(values.number_text(number)) == number
    assert float(values.plain_json(number)) == number


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("x", "x"),
        ({"answer": "A", "other": 1}, "A"),
        ({"value": 3, "text": "t"}, "t"),
        ({"content": {"text": "deep"}}, "deep"),
        (["only"], "only"),
        ([[{"value": "v"}]], "v"),
        (["x", "y"], '["x","y"]'),
        ({"z": 1.0, "a": [True, None]}, '{"a":[true,null],"z":1}'),
        ({"h": "<b>&"}, '{"h":"\\u003cb\\u003e\\u0026"}'),
        (True, "true"),
        (None, "null"),
        (2.5, "2.5"),
        ([], "[]"),
    ],
)
def test_any_value_has_a_text(value, text):
    assert values.to_text(value) == text


def test_json_numbers_have_exponents_only_when_very_large_or_small():
    assert values.plain_json([1e20, 1e21, 1e-6, 1e-7]) == "[100000000000000000000,1e+21,0.000001,1e-7]"


def test_a_number_beyond_a_double_has_no_text():
    with pytest.raises(values.TooDeep):
        values.to_text({"n": 10**5000})
    with pytest.raises(values.TooDeep):
        values.plain_json([math.inf])


def nested(depth):
    value = []
    for _ in range(depth):
        value = [value, 1]
    return value


def test_deep_nesting_is_refused_and_not_followed():
    with pytest.raises(values.TooDeep):
        values.compact_json(nested(300))
    with pytest.raises(values.TooDeep):
        values.parse_json("[" * 300 + "]" * 300)
    assert values.parse_json("[" + "{}," * 300 + "{}]")[0] == {}
    assert values.loose_text({"value": 1, "text": None}) is None


@pytest.mark.parametrize(
    ("left", "right", "equal"),
    [
        (1, 1.0, True),
        (True, 1, False),
        ([1, {"a": 2}], [1.0, {"a": 2}], True),
        ({"a": 1}, {"b": 1}, False),
        ([1], [1, 2], False),
    ],
)
def test_equality_is_by_value_and_booleans_are_no_numbers(left, right, equal):
    assert values.json_equal(left, right) is equal


def test_stated_values_compare_numbers_inside_with_their_kind():
    assert values.json_same(2, 2.0)
    assert not values.json_same([2], [2.0])
    assert not values.json_same({"a": [2]}, {"a": [2.0]})


@pytest.mark.parametrize(
    ("value", "fragment", "contained"),
    [
        ({"a": 1, "b": 2}, {"a": 1}, True),
        ({"a": 1}, {"a": 1, "b": 2}, False),
        ([1, 2, 3], [3, 1], True),
        ([1], [1, 1], False),
        ([{"a": 1, "b": 1}, {"a": 1}], [{"a": 1}, {"b": 1}], True),
        ([{"a": 1}, {"a": 1, "b": 1}], [{"b": 1}, {"a": 1}], True),
        ([{"a": 1, "b": 1}], [{"a": 1}, {"b": 1}], False),
        ([1, True], [True, 1.0], True),
        ([1, 1], [True], False),
        ("text", "tex", False),
        ([1], {"a": 1}, False),
    ],
)
def test_a_fragment_is_contained_by_members_and_as_a_subset(value, fragment, contained):
    assert values.json_contains(value, fragment) is contained


def test_long_lists_are_compared_in_time_or_refused():
    numbers = list(range(20_000))
    assert values.json_contains(numbers, numbers[::-1])
    assert values.json_contains([{"a": 1}] * 400, [{"a": 1}] * 400)
    with pytest.raises(values.TooDeep):
        values.json_contains([{"a": 1}] * 1000, [{"a": 1}] * 1000)


@pytest.mark.parametrize(
    ("value", "count"), [(3, 3), (3.9, 3), (True, None), ("3", None), (math.inf, None), (10**400, None), (1e300, None)]
)
def test_a_count_is_a_number_that_can_be_stored(value, count):
    assert values.as_count(value) == count
