import jsonschema
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from packs.formats.schema import SchemaTrouble, compile_schema
from packs.formats.schema.compiling import MAX_SCHEMA_BYTES, MAX_VIOLATIONS

DRAFT_7 = "http://json-schema.org/draft-07/schema#"


@pytest.mark.parametrize(
    ("schema", "value", "expected"),
    [
        ({"type": "integer"}, 3.0, True),
        ({"type": "integer"}, 3.5, False),
        ({"type": "integer"}, True, False),
        (False, 1, False),
        ({"prefixItems": [{"type": "string"}]}, [1], False),
        ({"$schema": DRAFT_7, "items": [{"type": "string"}]}, [1], False),
        ({"$schema": DRAFT_7, "prefixItems": [{"type": "string"}]}, [1], True),
        ({"$ref": "#/$defs/a", "$defs": {"a": {"const": 1}}}, 2, False),
        ({"pattern": "^a+$"}, "aab", False),
    ],
)
def test_values_are_judged_by_the_rules_of_the_draft(schema, value, expected):
    assert compile_schema(schema).is_valid(value) is expected


@pytest.mark.parametrize(
    "schema",
    [
        1,
        None,
        "x",
        {"type": "nope"},
        {"$schema": "http://json-schema.org/draft-04/schema#"},
        {"$schema": "https://json-schema.org/draft/2019-09/schema"},
        {"$schema": 7},
        {"$ref": "https://example.com/x.json"},
        {"$ref": "file:///etc/passwd"},
        {"$ref": "#/nowhere"},
        {"pattern": "(?=a)"},
        {"pattern": "("},
        {"description": "x" * MAX_SCHEMA_BYTES},
        {"properties": {"a": {"allOf": [{"$ref": "#"}, {"$ref": "#"}]}}},
        {1: 2},
    ],
)
def test_a_schema_that_cannot_be_used_is_trouble_as_a_value(schema):
    found = compile_schema(schema)
    assert isinstance(found, SchemaTrouble)
    assert found.message


def test_violations_say_where_what_and_what_is_allowed():
    schema = {
        "required": ["a"],
        "additionalProperties": False,
        "properties": {"b": {"enum": [1, 2]}, "c": {"type": "string"}, "d": {"oneOf": [{"type": "string"}]}},
    }
    found = compile_schema(schema).violations({"b": 3, "c": [1], "d": 1, "z": 1})
    assert {(violation.path, violation.keyword, str(violation.expected)) for violation in found} == {
        ((), "required", "a"),
        ((), "additionalProperties", "['z']"),
        (("b",), "enum", "[1, 2]"),
        (("c",), "type", "['string']"),
        (("d",), "oneOf", "None"),
    }


def test_a_value_that_is_wrong_everywhere_gives_a_limited_list():
    check = compile_schema({"items": {"type": "string"}})
    assert len(list(check.violations([1] * 10_000))) == MAX_VIOLATIONS
    assert list(check.violations(["a"])) == []


def test_a_pattern_cannot_stall_the_check():
    assert not compile_schema({"pattern": "^(a+)+$"}).is_valid("a" * 100_000 + "b")


keywords = st.sampled_from(
    ["type", "properties", "items", "allOf", "$ref", "enum", "pattern", "not", "$id", "minimum", "$defs", "required"]
)
nonsense = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-3, 3)
    | st.sampled_from(["#", "#/$defs/a", "string", "a", "(", "http://x/"]),
    lambda children: st.lists(children, max_size=3) | st.dictionaries(keywords, children, max_size=3),
    max_leaves=8,
)


@given(nonsense, nonsense)
def test_no_schema_and_no_value_make_it_raise(schema, value):
    found = compile_schema(schema)
    if not isinstance(found, SchemaTrouble):
        list(found.violations(value))


# Refuses each number wherever it stands.
NO_NUMBER = {"not": {"type": "number"}, "items": {"$ref": "#"}, "additionalProperties": {"$ref": "#"}}
keys = st.sampled_from(["", "0", "1", "01", "+1", "a", "a/b", "~", "~1", "9" * 5000])
texts_and_numbers = st.recursive(
    st.sampled_from(["x", 1, 2.5]),
    lambda children: st.lists(children, max_size=3) | st.dictionaries(keys, children, max_size=4),
    max_leaves=10,
)


@given(texts_and_numbers)
@example({"": 1, "a": "x"})
@example({"a": {"": [1]}})
@example({"01": "x", "+1": 2.5})
@example({"01": "x", "9" * 5000: 1})
def test_what_is_wrong_is_found_where_the_reference_validator_finds_it(value):
    found = {
        (violation.path, value_at(value, violation.path)) for violation in compile_schema(NO_NUMBER).violations(value)
    }
    errors = jsonschema.Draft202012Validator(NO_NUMBER).iter_errors(value)
    reference = {(tuple(error.absolute_path), error.instance) for error in errors}
    # Of equal values under keys that the validator does not tell apart, one is named.
    assert found <= reference
    assert {wrong for _, wrong in found} == {wrong for _, wrong in reference}


def value_at(value, path):
    for step in path:
        value = value[step]
    return value


def test_the_first_violation_is_found_without_looking_for_the_others():
    check = compile_schema({"items": {"type": "string"}})
    assert check.first_violation([1] * 1_000_000).path == (0,)
    assert check.first_violation(["a"]) is None
