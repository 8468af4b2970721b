import pytest

from packs.editing import ABSENT, EditRefused
from packs.forms.pointers import in_order_of, is_at_or_below, last_step, parent, read, rooted_at, write


def test_missing_objects_on_the_way_are_made():
    assert write({"a": {}}, "/a/b/c", 1) == {"a": {"b": {"c": 1}}}
    assert rooted_at({"a": {}}, "/a/b/c", 1) == ("/a/b", {"c": 1})


def test_nothing_is_made_for_a_value_that_is_taken_out():
    assert write({}, "/a/b", ABSENT) == {}
    assert write({"a": [1, 2]}, "/a/0", ABSENT) == {"a": [2]}


def test_a_way_through_a_text_is_refused():
    with pytest.raises(EditRefused):
        write({"a": "x"}, "/a/b/c", 1)


def test_the_old_document_stays_whole():
    old = {"a": [{"b": 1}]}
    write(old, "/a/0/b", 2)
    assert old == {"a": [{"b": 1}]}


def test_keys_keep_the_order_of_the_document_and_new_ones_stay_near():
    base = {"z": 1, "a": {"y": 1, "b": 2}, "m": 3}
    assert list(in_order_of(base, {"a": {"b": 2, "y": 1}, "m": 3, "new": 4, "z": 1})) == ["z", "a", "m", "new"]
    assert list(in_order_of(base, {"a": {"b": 2, "y": 1}, "m": 3, "z": 1})["a"]) == ["y", "b"]
    assert list(in_order_of({"a": 1, "b": 2, "c": 3}, {"a": 1, "x": 2, "c": 3})) == ["a", "x", "c"]
    assert list(in_order_of({"b": 1}, {"a": 0, "b": 1})) == ["a", "b"]


def test_pointers_are_compared_by_steps():
    assert is_at_or_below("/a/b", "/a")
    assert not is_at_or_below("/ab", "/a")
    assert (parent("/a/b"), last_step("/a/b~1c")) == ("/a", "b/c")
    assert read({"a/b": 1}, "/a~1b") == 1
    assert read([1], "/x") is ABSENT
