import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from packs.formats.fragments import mark_of, marks_in, marks_of

numbers = st.integers(-(2**53), 2**53) | st.floats(allow_nan=False, allow_infinity=False)
scalars = st.none() | st.booleans() | numbers | st.text(max_size=5)
values = st.recursive(
    scalars, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner, max_size=4)
)
containers = st.lists(values, max_size=4) | st.dictionaries(st.text(max_size=4), values, max_size=4)


def turned(value):
    """The same value with the members of every object in the opposite order."""
    if isinstance(value, dict):
        return {name: turned(part) for name, part in reversed(value.items())}
    return [turned(part) for part in value] if isinstance(value, list) else value


@given(containers, st.sampled_from([None, 1, "\t"]), st.booleans(), st.sampled_from(["", "see ", "{", "[1 ", 'a"']))
def test_a_value_has_one_mark_however_it_is_written_and_whatever_stands_around_it(value, indent, ascii_only, around):
    text = json.dumps(turned(value), indent=indent, ensure_ascii=ascii_only)
    assert mark_of(value) in set(marks_in(f"{around}{text} ends"))


@given(containers, containers)
def test_values_that_say_something_else_have_other_marks(one, other):
    is_same = json.dumps(plain(one), sort_keys=True) == json.dumps(plain(other), sort_keys=True)
    assert (mark_of(one) == mark_of(other)) is is_same


def test_numbers_that_hash_alike_are_told_apart():
    assert len({mark_of([number]) for number in (-1, -2, 1, True, "1", 1.5)}) == 6


def plain(value):
    """A value whose whole numbers are whole: 1.0 says what 1 says."""
    if isinstance(value, dict):
        return {name: plain(part) for name, part in value.items()}
    if isinstance(value, list):
        return [plain(part) for part in value]
    return int(value) if isinstance(value, float) and value.is_integer() else value


def test_objects_inside_of_others_and_of_texts_have_marks_of_their_own():
    inner = {"a": [1, 2]}
    value = {"text": f"it says {json.dumps(inner)}", "data": {"b": inner}}
    assert {mark_of(inner), mark_of([1, 2]), mark_of(value)} <= set(marks_of(value))


@pytest.mark.parametrize(
    "text", ["", "no", "{", "]", "[1 2]", '{"a"}', '{"a": 1,}', "{1: 2}", "[,]", "[1,]", '["a]', "[01a]"]
)
def test_what_is_no_json_has_no_mark(text):
    assert list(marks_in(text)) == []


@pytest.mark.parametrize("piece", ["[", "{", '{"a":', '{"\\"', "[1,", '"\\', "[ ", "]", '{"a": [1, {"b": "c"}], '])
def test_no_text_makes_the_search_fall_over(piece):
    assert len(list(marks_in(piece * 20_000))) <= 40_000
