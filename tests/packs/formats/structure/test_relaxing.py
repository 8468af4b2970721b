"""Schemas of a format whose own tool refuses less than the forms ask for."""

import pytest

from packs.formats.findings import Rule
from packs.formats.schema import SchemaCheck, compile_schema
from packs.formats.schema.pieces import asking, block, choice, items, long_text, text
from packs.formats.structure import Structure, published
from packs.formats.structure.relaxing import rule_names

ENTRY = {
    "oneOf": [long_text("Text", pattern=r"\S", rules="blank"), block("Entry", {"size": text("Size", rules="size")})],
    "x-rules": {"type": "entry"},
}
SCHEMA = {
    **block(
        "Node",
        {
            "id": text("Id", pattern=r"\S", rules="id"),
            "level": choice("Level", {"low": "Low", "high": "High"}),
            "entries": items("Entries", ENTRY),
            "free": {**ENTRY, "x-rules": {}},
        },
        required=["id", "level"],
        rules={"required": {"id": "id"}},
        allOf=[asking({"required": ["entries"]}, {"required": ["more"], "x-rules": {"required": "more"}})],
    ),
    "x-absent": [None],
}
NAMES = frozenset({"id", "entry", "size", "more", "blank"})


def takes(document, names=NAMES):
    check = compile_schema(published(SCHEMA, names))
    assert isinstance(check, SchemaCheck)
    return check.is_valid(document)


def test_all_rules_of_a_schema_are_named():
    assert rule_names(SCHEMA) == NAMES


@pytest.mark.parametrize(
    "document",
    [
        {},
        {"id": 5},
        {"id": " "},
        {"id": None},
        {"id": "a", "entries": [3], "more": 1},
        {"id": "a", "entries": [""], "more": 1},
        {"id": "a", "entries": [{"size": 3}], "more": 1},
        {"id": "a", "entries": ["x"]},
        {"id": "a", "free": {"size": 3}},
    ],
)
def test_what_a_named_rule_says_is_refused(document):
    assert not takes(document)


@pytest.mark.parametrize(
    "document",
    [
        {"id": "a"},
        {"id": "a", "level": "medium"},
        {"id": "a", "level": 5},
        {"id": "a", "entries": 5, "more": 1},
        {"id": "a", "free": 5},
        {"id": "a", "free": [1]},
        {"id": "a", "free": None},
    ],
)
def test_what_else_the_forms_ask_for_is_taken(document):
    assert takes(document)


def test_each_reader_has_rules_of_its_own():
    assert takes({"level": "low"}, {"size"})
    assert not takes({"entries": [{"size": 3}]}, {"size"})


def test_what_is_only_advised_is_an_annotation_and_editors_still_offer_the_choices():
    found = published(SCHEMA, NAMES)
    assert found["required"] == ["id"]
    assert found["x-advised"] == {"type": "object", "required": ["id", "level"]}
    level = found["properties"]["level"]
    assert level["x-advised"] == {"type": "string", "enum": ["low", "high"]}
    assert level["examples"] == ["low", "high"]


def test_a_check_of_what_is_refused_says_nothing_of_the_rest():
    rules = {"id": Rule("t.E1", "{name} must be text; this is {found}."), "enum": Rule("t.W1", "{name}")}
    refusals = Structure(SCHEMA, rules, {"id"})
    found = [(each.code, each.path, each.message) for each in refusals.examine({"level": "medium"})]
    assert found == [("t.E1", ("id",), "id must be text; this is nothing.")]
