"""What a schema refuses, by the rules that a format gives."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from packs.formats.findings import Rule
from packs.formats.structure import Structure

RULES = {
    "type": Rule("t.W1", "{name} must be {expected}; this is {found}."),
    "enum": Rule("t.W2", "{name} does not take {found}.", hint="{known}"),
    "limit": Rule("t.W3", "{name} must be {expected}; this is {found}."),
    "required": Rule("t.W4", "{name} is missing."),
}
SCHEMA = {
    "type": "object",
    "properties": {
        "title": {"type": "string", "maxLength": 3},
        "mode": {"type": "string", "enum": ["fast", "slow"]},
        "level": {"enum": ["low", "high"], "type": "string"},
        "kind": {"const": "suite"},
        "trials": {"type": "integer", "minimum": 1},
        "share": {"type": "number", "exclusiveMinimum": 0},
        "tags": {"type": "array", "items": {"type": "string"}},
        "steps": {
            "type": "array",
            "items": {
                "oneOf": [
                    {"type": "string", "minLength": 1},
                    {
                        "type": "object",
                        "required": ["name"],
                        "properties": {"name": {"type": "string"}, "times": {"type": "integer"}},
                    },
                ]
            },
        },
        "scores": {"type": "object", "additionalProperties": {"type": "number"}},
        "closed": {"type": "object", "properties": {}, "additionalProperties": False},
    },
    "required": ["title"],
}
STRUCTURE = Structure(SCHEMA, RULES)


def said(document, structure=STRUCTURE, reported=()):
    return [(found.code, found.path, found.message) for found in structure.examine(document, reported)]


def test_nothing_is_said_of_what_the_schema_takes():
    assert said({"title": "a", "mode": "fast", "steps": ["x", {"name": "y"}], "unknown": 1}) == []


@pytest.mark.parametrize(
    ("change", "code", "path", "message"),
    [
        ({"title": 5}, "t.W1", ("title",), "title must be text; this is the number 5."),
        ({"title": "abcd"}, "t.W3", ("title",), "title must be at most 3 characters long; this is the text 'abcd'."),
        ({"mode": "quick"}, "t.W2", ("mode",), "mode does not take the text 'quick'."),
        ({"trials": 0}, "t.W3", ("trials",), "trials must be at least 1; this is the number 0."),
        ({"trials": 1.5}, "t.W1", ("trials",), "trials must be a whole number; this is the number 1.5."),
        ({"level": 5}, "t.W1", ("level",), "level must be text; this is the number 5."),
        ({"kind": "other"}, "t.W2", ("kind",), "kind does not take the text 'other'."),
        ({"share": 0}, "t.W3", ("share",), "share must be above 0; this is the number 0."),
        ({"tags": ["a", True]}, "t.W1", ("tags", 1), "an entry of tags must be text; this is true."),
        ({"tags": {}}, "t.W1", ("tags",), "tags must be a list; this is a mapping."),
        ({"steps": [3]}, "t.W1", ("steps", 0), "an entry of steps must be text or a mapping; this is the number 3."),
        ({"steps": [""]}, "t.W3", ("steps", 0), "an entry of steps must be not empty; this is an empty text."),
        ({"steps": [{}]}, "t.W4", ("steps", 0, "name"), "name is missing."),
        ({"steps": [{"name": "a", "times": "b"}]}, "t.W1", ("steps", 0, "times"), None),
        ({"scores": {"0": "x"}}, "t.W1", ("scores", "0"), "0 must be a number; this is the text 'x'."),
        ({"scores": {"01": "x"}}, "t.W1", ("scores", "01"), "01 must be a number; this is the text 'x'."),
        ({"scores": {"+7": "x"}}, "t.W1", ("scores", "+7"), "+7 must be a number; this is the text 'x'."),
        ({"scores": {"": "x"}}, "t.W1", ("scores", ""), "\"\" must be a number; this is the text 'x'."),
    ],
)
def test_a_value_that_the_schema_refuses_is_named_with_what_it_must_be(change, code, path, message):
    found = said({"title": "a"} | change)
    assert [each[:2] for each in found] == [(code, path)]
    assert message is None or found[0][2] == message


def test_of_several_branches_that_may_be_meant_the_one_with_the_least_wrong_speaks():
    kinds = [
        {"type": "object", "required": ["command", "seconds", "folder"]},
        {"type": "object", "required": ["address"]},
        {"type": "object", "required": ["model", "prompt"]},
    ]
    structure = Structure({"type": "object", "properties": {"judge": {"oneOf": kinds}}}, RULES)
    assert [path for _, path, _ in said({"judge": {}}, structure)] == [("judge", "address")]


def test_a_part_of_a_schema_can_name_the_rule_for_what_is_wrong_with_it():
    part = {"type": "string", "x-rules": {"type": "title"}}
    rules = RULES | {"title": Rule("t.W9", "A title is text.")}
    structure = Structure({"properties": {"title": part, "name": {"type": "string"}}}, rules)
    assert [code for code, _, _ in said({"title": 1, "name": 1}, structure)] == ["t.W9", "t.W1"]


def structure_of(part, **rules):
    return Structure({"properties": {"x": part}}, {"any": Rule("t.W5", "{where} must be {expected}."), **rules})


def test_a_part_can_name_one_rule_for_all_its_words_or_one_that_nobody_gives():
    rules = {"title": Rule("t.W9", "A title is text.")}
    named = structure_of({"type": "string", "minLength": 2, "x-rules": "title"}, **rules)
    assert [said({"x": value}, named)[0][0] for value in (1, "a")] == ["t.W9", "t.W9"]
    assert said({"x": 1}, structure_of({"type": "string", "x-rules": "another"}, **rules)) == []


def test_a_part_that_says_what_it_must_be_is_reported_as_a_whole():
    texts = {"type": "array", "items": {"type": "string", "pattern": r"\S"}, "x-expected": "a list of texts"}
    structure = structure_of({"type": "object", "properties": {"items": texts}})
    for value in (1, [1], ["a", " "]):
        assert said({"x": {"items": value}}, structure) == [
            ("t.W5", ("x", "items"), "x.items must be a list of texts.")
        ]
    union = structure_of({"oneOf": [{"type": "string"}, {"type": "number", "minimum": 1}], "x-expected": "a or b"})
    assert said({"x": 0}, union) == [("t.W5", ("x",), "x must be a or b.")]
    # No rule about one of its branches speaks for it.
    typed = structure_of({"oneOf": [{"type": "string"}, {"type": "array"}], "x-expected": "a or b"}, **RULES)
    assert said({"x": 0}, typed) == [("t.W5", ("x",), "x must be a or b.")]


def test_a_part_that_says_what_it_must_be_is_reported_as_a_whole_for_its_keys_too():
    structure = structure_of({"required": ["a"], "properties": {"a": {}}, "x-expected": "an object with a"})
    assert said({"x": {}}, structure) == [("t.W5", ("x",), "x must be an object with a.")]


def test_a_part_can_name_a_rule_for_all_of_its_branches_together():
    part = {"anyOf": [{"required": ["a"]}, {"required": ["b"]}], "x-rules": {"anyOf": "nothing"}}
    structure = structure_of(part, nothing=Rule("t.W6", "Give {known}."))
    assert said({"x": {}}, structure) == [("t.W6", ("x",), "Give a or b.")]


def test_unknown_keys_are_reported_one_by_one_or_all_at_once():
    part = {"type": "object", "properties": {"colour": {}}, "additionalProperties": False}
    each = structure_of(part, additionalProperties=Rule("t.W6", "{name}? {advice}"))
    assert said({"x": {"color": 1, "z": 2}}, each) == [
        ("t.W6", ("x", "color"), "color? Did you mean colour?"),
        ("t.W6", ("x", "z"), "z? Known here: colour."),
    ]
    together = structure_of(part, additionalProperties=Rule("t.W6", "{where}: {keys}"))
    assert said({"x": {"z": 1, "y": 2}}, together) == [("t.W6", ("x",), "x: y, z")]


def test_a_part_can_name_a_rule_for_each_key_that_is_missing():
    part = {"required": ["a", "b"], "x-rules": {"required": {"a": "no_a"}}}
    structure = structure_of(part, no_a=Rule("t.W6", "No a."), required=Rule("t.W7", "No {name}."))
    assert [code for code, _, _ in said({"x": {}}, structure)] == ["t.W6", "t.W7"]


def test_a_key_without_a_rule_does_not_hide_the_next_one():
    part = {"properties": {}, "additionalProperties": False, "x-rules": {"additionalProperties": {"b": "no_b"}}}
    structure = Structure({"properties": {"x": part}}, {"no_b": Rule("t.W6", "No b.")})
    assert said({"x": {"a": 1, "b": 1}}, structure) == [("t.W6", ("x", "b"), "No b.")]


def test_each_value_is_reported_once_and_all_of_them_are():
    found = [path for _, path, _ in said({"trials": "x", "tags": [1, 2]})]
    assert sorted(found) == [("tags", 0), ("tags", 1), ("title",), ("trials",)]


@pytest.mark.parametrize(
    ("part", "value", "code"),
    [
        ({"allOf": [{"enum": ["a"]}, {"type": "string"}]}, 3, "t.W1"),
        ({"allOf": [{"type": "string"}, {"enum": ["a"]}]}, 3, "t.W1"),
        ({"allOf": [{"enum": [7]}, {"minimum": 5}]}, 3, "t.W2"),
        ({"allOf": [{"minimum": 5}, {"enum": [7]}]}, 3, "t.W3"),
    ],
)
def test_of_two_things_wrong_with_a_value_its_type_is_reported_and_else_the_first(part, value, code):
    structure = Structure({"properties": {"x": part}}, RULES)
    assert [found for found, _, _ in said({"x": value}, structure)] == [code]


def test_what_other_rules_report_is_not_reported_again():
    document = {"title": "a", "tags": [1], "trials": 0}
    assert [path for _, path, _ in said(document, reported=[("trials",)])] == [("tags", 0)]
    # A finding about what holds a value says nothing of the value.
    assert len(said(document, reported=[(), ("tags",)])) == 2


def test_a_word_without_a_rule_is_passed_over():
    assert said({"title": "a", "closed": {"x": 1}}) == []


def test_null_stands_for_an_absent_field_where_the_format_says_so():
    lenient = Structure({**SCHEMA, "x-absent": [None]}, RULES)
    document = {"title": None, "mode": None, "tags": [None]}
    assert {path for _, path, _ in said(document)} == {("title",), ("mode",), ("tags", 0)}
    # Neither a field that must be there nor an entry of a list can be left out.
    assert {path for _, path, _ in said(document, lenient)} == {("title",), ("tags", 0)}


def test_messages_ask_for_no_null_where_a_field_may_be_left_out():
    lenient = Structure({**SCHEMA, "x-absent": [None]}, RULES)
    document = {"title": "a", "mode": 5, "trials": "x"}
    assert [message for *_, message in said(document, lenient)] == [message for *_, message in said(document)]


@given(st.dictionaries(st.text("019+-~/ a", max_size=4), st.none() | st.text(max_size=2), max_size=4))
def test_keys_of_any_spelling_are_found_again(scores):
    for _, path, _ in said({"title": "a", "scores": scores}):
        assert path[0] == "scores"
        assert all(step in scores for step in path[1:])


def test_a_schema_that_cannot_be_used_is_a_mistake_of_ours():
    with pytest.raises(TypeError, match="draft"):
        Structure({"$schema": "http://json-schema.org/draft-03/schema"}, RULES)


def test_an_error_of_the_schema_comes_first_and_its_warning_gives_way_to_what_another_rule_says_of_the_place():
    structure = Structure(SCHEMA, RULES | {"type": Rule("t.E1", "{name} must be {expected}.")})
    other = Rule("t.E8", "Another rule.")
    document = {"title": "a", "tags": [1], "trials": 0, "share": 0}
    others = [other.at(path) for path in (("tags", 0), ("trials",), ("mode",))]
    found = [(finding.code, finding.path) for finding in structure.with_rules(document, others)]
    assert found[0] == ("t.E1", ("tags", 0))
    assert sorted(found[1:]) == [("t.E8", ("mode",)), ("t.E8", ("trials",)), ("t.W3", ("share",))]
