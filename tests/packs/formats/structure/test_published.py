"""What published schemas take beyond the words of the forms' schemas."""

import jsonschema_rs
import pytest

from packs.formats import FORMATS, adapter_of
from packs.formats.schema.pieces import block, choice, integer, items, long_text, mapping, text
from packs.formats.structure import published

LEVELS = {"low": "Low", "high": "High"}


def takes(schema, document):
    return jsonschema_rs.is_valid(published(schema), document)


def test_null_stands_for_an_absent_field_at_any_depth_but_for_required_fields_and_entries():
    inner = block("Inner", {"a": integer("A"), "b": text("B"), "c": items("C", text("D"))}, required=["b"])
    schema = {**block("Outer", {"inner": inner, "names": mapping("N", text("T"))}), "x-absent": [None]}
    assert takes(schema, {"inner": None, "names": None})
    assert takes(schema, {"inner": {"a": None, "b": "x", "c": None}, "names": {"x": None}})
    assert not takes(schema, {"inner": {"b": None}})
    assert not takes(schema, {"inner": {"b": "x", "c": [None]}})
    assert not takes({**schema, "x-absent": []}, {"inner": None})


def test_one_field_says_of_null_what_does_not_hold_for_the_others():
    fields = {"own": text("Own", null=True), "strict": text("Strict", null=False), "other": text("Other")}
    strict, lenient = block("Node", fields), {**block("Node", fields), "x-absent": [None]}
    assert [takes(strict, {name: None}) for name in fields] == [True, False, False]
    assert [takes(lenient, {name: None}) for name in fields] == [True, False, True]


def test_null_counts_for_each_way_in_which_a_value_is_described():
    union = {"title": "Union", "oneOf": [long_text("Text"), items("List", text("Entry"))]}
    schema = {**block("Node", {"choice": choice("C", LEVELS), "union": union, "any": {}}), "x-absent": [None]}
    assert takes(schema, {"choice": None, "union": None, "any": None})
    assert not takes(schema, {"choice": "other"})
    assert not takes(schema, {"union": [None]})


def test_fields_of_a_condition_are_required_where_the_whole_requires_them():
    then = {"properties": {"kept": {"type": "string", "maxLength": 3}, "free": {"type": "string", "maxLength": 3}}}
    schema = {**block("Node", {}), "x-absent": [None], "required": ["kept"], "allOf": [{"if": {}, "then": then}]}
    assert takes(schema, {"kept": "x", "free": None})
    assert not takes(schema, {"kept": None})


def test_an_empty_text_is_no_choice_where_it_stands_for_an_absent_field():
    fields = {"level": choice("Level", LEVELS), "name": text("Name", minLength=1), "note": text("Note")}
    schema = {**block("Node", fields), "x-absent": [None, ""]}
    assert takes(schema, {"level": "", "note": ""})
    assert not takes(schema, {"level": " "})
    assert not takes(schema, {"name": " "})
    assert not takes({**schema, "required": ["level"]}, {"level": ""})
    assert not takes(block("Node", fields), {"level": ""})


@pytest.mark.parametrize(
    ("more", "taken", "refused"),
    [
        ({"trimmed": True}, (" low ", "high\n"), ("LOW", "l ow", "lowhigh", "  ")),
        ({"caseless": True}, ("LOW", "High"), (" low", "")),
        ({"trimmed": True, "caseless": True}, (" LOW ", "hIGH"), ("medium", " ")),
    ],
)
def test_choices_are_taken_as_readers_read_them(more, taken, refused):
    schema = block("Node", {"level": choice("Level", LEVELS, **more)})
    assert [value for value in taken if not takes(schema, {"level": value})] == []
    assert [value for value in refused if takes(schema, {"level": value})] == []


def test_a_choice_with_signs_of_patterns_is_taken_as_it_is_written():
    schema = block("Node", {"metric": choice("Metric", {"pass^k": "All", "a.b|c": "Odd"}, trimmed=True)})
    assert takes(schema, {"metric": " pass^k"})
    assert takes(schema, {"metric": "a.b|c "})
    assert not takes(schema, {"metric": " axb"})


def test_editors_still_offer_the_choices():
    found = published(block("Node", {"level": choice("Level", LEVELS, trimmed=True)}))["properties"]["level"]
    assert {"enum": ["low", "high"]} in found["anyOf"]
    assert found["x-labels"] == LEVELS


def test_the_schema_of_the_forms_stays_as_it_is():
    schema = {**block("Node", {"level": choice("Level", LEVELS, trimmed=True)}), "x-absent": [None, ""]}
    before = repr(schema)
    published(schema)
    assert repr(schema) == before


@pytest.mark.parametrize("name", FORMATS)
def test_what_is_published_is_json_schema(name):
    for schema in adapter_of(name).SCHEMA.values():
        jsonschema_rs.meta.validate(published(schema))
