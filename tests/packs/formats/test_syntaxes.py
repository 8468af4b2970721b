"""What can be said of patterns, schemas and expectations before anything is judged by them."""

import pytest

from packs.formats.syntaxes import operations, pattern_trouble, schema_trouble


@pytest.mark.parametrize("pattern", ["(", r"\Z", "ok(?!ay)", r"(a)\1"])
def test_a_pattern_that_cannot_be_used_comes_with_a_reason_and_advice(pattern):
    found = pattern_trouble(pattern)
    assert found["reason"]
    assert found["advice"]
    assert pattern_trouble(r"^ok\z") == {}


def test_a_schema_is_usable_or_says_why_not():
    assert schema_trouble({"type": "object"}) == ""
    assert "ferry" in schema_trouble({"type": "ferry"})


def test_operators_are_found_wherever_an_expectation_can_stand():
    expected = {"a": [{"$gt": 1, "$lt": 9}], "b": {"$contains": {"name": {"$regex": "x"}}}, "c": {"$eq": {"$in": 1}}}
    assert list(operations(expected)) == [
        (("a", 0, "$gt"), "$gt", 1),
        (("a", 0, "$lt"), "$lt", 9),
        (("b", "$contains"), "$contains", {"name": {"$regex": "x"}}),
        (("b", "$contains", "name", "$regex"), "$regex", "x"),
        (("c", "$eq"), "$eq", {"$in": 1}),
    ]


def test_a_mapping_with_other_names_beside_states_no_operators():
    assert list(operations({"$gt": 1, "name": "x"})) == []
