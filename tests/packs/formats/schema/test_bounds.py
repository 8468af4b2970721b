import pytest

from packs.formats.schema.bounds import is_bounded


def chain(length, keyword="allOf", address="#/$defs/", **more):
    """Each definition refers twice to the next one: 2 ** length looks at one value."""
    definitions = {f"a{n}": {keyword: [{"$ref": f"{address}a{n + 1}"}] * 2} for n in range(length)}
    return {"$ref": f"{address}a0", "$defs": definitions | {f"a{length}": {"type": "integer"}}, **more}


EXPRESSION = {
    "oneOf": [
        {"properties": {"left": {"$ref": "#"}, "right": {"$ref": "#"}}, "required": ["left", "right"]},
        {"properties": {"not": {"$ref": "#"}}, "required": ["not"]},
        {"type": "array", "items": {"$ref": "#"}},
        {"type": "number"},
    ]
}


@pytest.mark.parametrize(
    "schema",
    [
        True,
        {},
        {"type": "object", "properties": {"a": {"$ref": "#/$defs/x"}}, "$defs": {"x": {"type": "string"}}},
        {"properties": {"children": {"items": {"$ref": "#"}}, "left": {"$ref": "#"}, "right": {"$ref": "#"}}},
        EXPRESSION,
        chain(5),
        {"$ref": "#/nowhere"},
        {"allOf": [{"type": "string"}] * 500},
        {"$dynamicAnchor": "node", "properties": {"next": {"$dynamicRef": "#node"}}},
    ],
)
def test_schemas_as_people_write_them_are_bounded(schema):
    assert is_bounded(schema)


@pytest.mark.parametrize(
    "schema",
    [
        chain(40),
        chain(40, "oneOf"),
        chain(40, address="#/%24defs/"),
        chain(40, address="json-schema:///#/$defs/"),
        chain(40, address="s#/$defs/", **{"$id": "http://packs.example/s"}),
        chain(40, address="./s#/$defs/", **{"$id": "http://packs.example/s"}),
        {"$ref": "#"},
        {"properties": {"a": {"allOf": [{"$ref": "#"}, {"$ref": "#"}]}}},
        {"additionalProperties": {"$ref": "#"}, "patternProperties": {"a": {"$ref": "#"}}},
        {"items": {"anyOf": [{"$ref": "#"}, {"not": {"$ref": "#"}}]}},
        {"$id": "r", "properties": {"a": {"allOf": [{"$ref": "r"}, {"$ref": "r"}]}}},
        {"$anchor": "x", "properties": {"a": {"allOf": [{"$ref": "#x"}, {"$ref": "#x"}]}}},
    ],
)
def test_schemas_that_multiply_their_own_work_are_not(schema):
    assert not is_bounded(schema)
