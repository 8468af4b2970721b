import pytest

from packs.formats.schema.pieces import FORMLESS
from packs.formats.structure.model import (
    blank,
    fields_of,
    fields_of_any,
    governors,
    inheriting,
    matches,
    required_of,
    required_text,
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


def test_every_constant_and_every_required_field_chooses_the_variant():
    numbered = [{"properties": {"kind": {"const": "x"}, "version": {"const": number}}} for number in (1, 2)]
    assert variant_of({"oneOf": numbered}, {"kind": "x", "version": 2}) == 1
    assert variant_of({"oneOf": [{"required": ["kind", "name"]}, {"required": ["kind"]}]}, {"kind": "x"}) == 1


@pytest.mark.parametrize(
    ("condition", "value"),
    [
        ({"required": ["kind"]}, {}),
        ({"required": ["kind"]}, "kind"),
        ({"properties": {"kind": {"const": "a"}, "mode": {"enum": ["b", "c"]}}}, {"kind": "a", "mode": "d"}),
    ],
)
def test_a_condition_holds_where_all_of_it_does(condition, value):
    schema = {"if": condition, "then": {"properties": {"x": {}}}, "else": {"properties": {"y": {}}}}
    assert set(fields_of(schema, value)) == {"y"}
    assert set(fields_of(schema, {"kind": "a", "mode": "c"})) == {"x"}


def test_forms_follow_conditions_alone_and_none_that_a_schema_keeps_from_them():
    condition = {"if": {"required": ["kind"]}, "then": {"properties": {"x": {}}}}
    schema = {"allOf": [{"required": ["kind"]}, {**condition, FORMLESS: True}]}
    assert fields_of(schema, {"kind": "a"}) == {}


def test_the_schema_of_a_pointer_follows_the_document():
    schema = {"type": "object", "properties": {"list": {"type": "array", "items": TYPED}, "union": UNION}}
    document = {"list": [{"type": "fuzzy", "config": {}}], "union": {"kind": "y"}}
    assert schema_at(schema, document, "/list/0/config/threshold") == {"type": "number"}
    assert schema_at(schema, document, "/union/kind") == {"const": "y"}
    assert schema_at(schema, document, "/unknown/below") == {}


def test_a_condition_adds_to_a_field_and_brings_fields_of_its_own():
    then = {"properties": {"config": {"type": "object"}, "pace": {"type": "number"}}}
    branch = {"if": {"properties": {"type": {"const": "fuzzy"}}}, "then": then}
    schema = {"properties": {"type": {}, "config": {"title": "Configuration"}}, "allOf": [branch]}
    config = {"title": "Configuration", "type": "object"}
    assert fields_of(schema, {"type": "fuzzy"}) == {"type": {}, "config": config, "pace": {"type": "number"}}


def test_the_fields_of_all_conditions_are_put_together():
    one, other = {"threshold": {"type": "number"}}, {"pattern": {"type": "string"}}
    branches = [
        {"if": {"properties": {"type": {"const": name}}}, "then": {"properties": {"config": {"properties": fields}}}}
        for name, fields in (("fuzzy", one), ("regex", other))
    ]
    branches.append({**branches[0], "then": {"properties": {"type": {"title": "Type"}}}})
    schema = {"properties": {"type": {"type": "string"}}, "allOf": branches}
    assert fields_of_any(schema) == {"type": {"type": "string", "title": "Type"}, "config": {"properties": one | other}}


def test_the_schema_of_a_pointer_that_leads_to_nothing_is_that_of_what_may_stand_there():
    below = {"type": "object", "properties": {"name": {"type": "string"}}}
    schema = {"properties": {"list": {"type": "array", "items": UNION}, "below": below}}
    assert schema_at(schema, {}, "/list/0") == UNION
    assert schema_at(schema, {"list": []}, "/list/0/kind") == {}
    assert schema_at(schema, {"list": {"0": "a"}}, "/list/0") == {}
    assert schema_at(schema, {}, "/below/name") == {"type": "string"}


def test_the_text_that_an_object_cannot_do_without_is_the_first_such_field():
    fields = {"number": {"type": "integer"}, "text": {"type": ["string", "null"]}, "other": {"type": "string"}}
    assert required_text({"properties": fields, "required": ["number", "text", "other"]}) == "text"
    assert required_text({"properties": fields, "required": ["number"]}) == ""


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


def test_a_new_answer_that_may_be_a_number_is_none_yet():
    words, amount = {"type": "string"}, {"type": "number"}
    assert blank({"oneOf": [words, amount]}) == ""
    assert blank({"oneOf": [words, {"type": "array"}]}) == []
    assert blank({"oneOf": [{"type": "boolean"}, amount]}) == 0


def test_a_field_that_a_document_leaves_to_its_pack_counts_as_the_pack_says():
    text = {"type": "string"}
    condition = {"properties": {"kind": {"const": "a"}}, "required": ["kind"]}
    branch = {"if": condition, "then": {"properties": {"x": text}}}
    schema = {"properties": {"kind": {"type": "string", "x-inherits": "/defaults/kind"}, "x": {}}, "allOf": [branch]}
    shared = {"defaults": {"kind": "a"}}
    assert inheriting(schema, {}, shared)["properties"]["x"] == text
    assert inheriting(schema, {"kind": "b"}, shared) is schema
    assert inheriting(schema, {}, {"defaults": 3})["properties"]["x"] == {}
