import pytest

from packs.formats.structure.model import (
    blank,
    fields_of,
    governors,
    inheriting,
    matches,
    required_of,
    schema_at,
    variant_of,
)

TYPED = {
    "type": "object",
    "properties": {"type": {"type": "string"}, "config": {"title": "Configuration"}},
    "required": ["type"],
    "allOf": [
        {
            "if": {"properties": {"type": {"const": "fuzzy"}}},
            "then": {"properties": {"config": {"type": "object", "properties": {"threshold": {"type": "number"}}}}},
        },
        {"if": {"properties": {"type": {"enum": ["a", "b"]}}}, "then": {"required": ["config"]}},
    ],
}
UNION = {
    "oneOf": [
        {"type": "string"},
        {"type": "object", "properties": {"kind": {"const": "x"}}, "required": ["kind"]},
        {"type": "object", "properties": {"kind": {"const": "y"}}, "required": ["kind"]},
    ]
}


def test_a_condition_on_a_sibling_gives_a_field_its_shape():
    assert "threshold" in fields_of(TYPED, {"type": "fuzzy"})["config"]["properties"]
    assert "properties" not in fields_of(TYPED, {"type": "other"})["config"]
    assert required_of(TYPED, {"type": "b"}) == {"type", "config"}
    assert governors(TYPED) == {"type"}


def test_the_variant_of_a_union_follows_type_and_constants():
    assert [variant_of(UNION, value) for value in ("a", {"kind": "x"}, {"kind": "y"}, {}, 5)] == [0, 1, 2, 1, 0]


def test_the_schema_of_a_pointer_follows_the_document():
    schema = {"type": "object", "properties": {"list": {"type": "array", "items": TYPED}, "union": UNION}}
    document = {"list": [{"type": "fuzzy", "config": {}}], "union": {"kind": "y"}}
    assert schema_at(schema, document, "/list/0/config/threshold") == {"type": "number"}
    assert schema_at(schema, document, "/union/kind") == {"const": "y"}
    assert schema_at(schema, document, "/unknown/below") == {}


def test_true_is_no_number_and_one_is_no_boolean():
    assert not matches({"type": "integer"}, True)
    assert not matches({"type": "boolean"}, 1)
    assert not matches({"const": 1}, True)
    assert matches({}, object())


@pytest.mark.parametrize(("value", "fits"), [(None, True), ("a", True), (3, False)])
def test_a_value_has_one_of_several_types(value, fits):
    assert matches({"type": ["string", "null"]}, value) is fits


def test_a_new_item_holds_only_what_the_schema_prescribes():
    schema = {
        "type": "object",
        "properties": {"version": {"const": 1}, "name": {"type": "string"}, "kind": {"type": "string", "default": "h"}},
        "required": ["version", "name", "kind"],
    }
    assert blank(schema) == {"version": 1, "kind": "h"}
    assert [blank({"type": kind}) for kind in ("string", "array", "null")] == ["", [], None]
    assert blank({"enum": ["b", "a"]}) == "b"


def test_a_field_that_a_document_leaves_to_its_pack_counts_as_the_pack_says():
    text = {"type": "string"}
    condition = {"properties": {"kind": {"const": "a"}}, "required": ["kind"]}
    branch = {"if": condition, "then": {"properties": {"x": text}}}
    schema = {"properties": {"kind": {"type": "string", "x-inherits": "/defaults/kind"}, "x": {}}, "allOf": [branch]}
    shared = {"defaults": {"kind": "a"}}
    assert inheriting(schema, {}, shared)["properties"]["x"] == text
    assert inheriting(schema, {"kind": "b"}, shared) is schema
    assert inheriting(schema, {}, {"defaults": 3})["properties"]["x"] == {}
