import pytest

from packs.formats.challenge_pack.shapes import SHAPES, is_zero, ordered
from packs.formats.document import NodeKind

CASE = SHAPES[NodeKind.CASE]
VERSION = SHAPES[NodeKind.PACK].fields["version"]
SPEC = VERSION.fields["evaluation_spec"]
GOOD = {"challenge_key": "c", "case_key": "k", "inputs": [{"key": "a", "kind": "text", "value": 0}]}


def test_a_tidy_case_is_clean():
    assert CASE.is_clean(GOOD)


@pytest.mark.parametrize(
    "change",
    [
        {"surprise": 1},
        {"payload": []},
        {"payload": {}},
        {"inputs": [{"key": 5}]},
        {"inputs": [{"key": "a", "surprise": 1}]},
        {"case_timeout_seconds": True},
        {"case_timeout_seconds": 0},
        {"case_key": "2024-01-02T00:00:00Z"},
        {"case_key": None},
    ],
)
def test_what_must_be_looked_at_again_is_not_clean(change):
    assert not CASE.is_clean(GOOD | change)


@pytest.mark.parametrize("value", ["x", None, [], 1])
def test_what_is_no_mapping_is_no_clean_case(value):
    assert not CASE.is_clean(value)


def test_a_stated_zero_says_something_only_where_presence_counts():
    dimension = SPEC.fields["scorecard"].fields["dimensions"].item.item
    assert is_zero(dimension.fields["gate"], False)
    assert not is_zero(dimension.fields["weight"], 0)
    assert is_zero(dimension.fields["weight"], None)
    assert not is_zero(VERSION.fields["sandbox"], {})
    assert is_zero(VERSION.fields["tool_policy"], {})


def test_a_wrong_type_is_never_taken_for_absent():
    assert not is_zero(CASE.fields["payload"], [])
    assert not is_zero(CASE.fields["inputs"], "")


def test_an_instant_is_an_ordinary_text_inside_the_evaluation_spec():
    assert SPEC.fields["name"].is_clean("2024-01-02T00:00:00Z")


def test_ordering_reaches_into_lists_and_keeps_unknown_keys():
    found = ordered(CASE, {"zeta": 1, "inputs": [{"value": 1, "own": 2, "key": "a"}], "case_key": "k"})
    assert list(found) == ["case_key", "inputs", "zeta"]
    assert list(found["inputs"][0]) == ["key", "value", "own"]
