import pytest

from packs.formats.schema.references import References

INNER = {"$id": "part", "$defs": {"size": {"minimum": 1}}}
SCHEMA = {
    "$id": "https://packs.example/order",
    "$defs": {"size": {"minimum": 2}, "part": INNER, "a b": {"type": "string"}, "named": {"$anchor": "here"}},
    "allOf": [{"type": "object"}, {"type": "array"}],
}


def targets(reference, node=SCHEMA, schema=SCHEMA):
    return References(schema).targets(node, reference)


@pytest.mark.parametrize(
    ("reference", "expected"),
    [
        ("#", [SCHEMA]),
        ("#/$defs/size", [{"minimum": 2}]),
        ("#/%24defs/size", [{"minimum": 2}]),
        ("#/$defs/a%20b", [{"type": "string"}]),
        ("#/allOf/1", [{"type": "array"}]),
        ("#here", [{"$anchor": "here"}]),
        ("#h%65re", [{"$anchor": "here"}]),
        ("https://packs.example/order", [SCHEMA]),
        ("order#/$defs/size", [{"minimum": 2}]),
        ("part", [INNER]),
        ("part#/$defs/size", [{"minimum": 1}]),
    ],
)
def test_a_reference_leads_to_the_part_that_it_names_however_it_is_written(reference, expected):
    assert targets(reference) == expected


@pytest.mark.parametrize("reference", ["#/$defs/none", "#nowhere", "#/allOf/9", "other", None, 3])
def test_a_reference_to_nothing_in_the_schema_leads_nowhere(reference):
    assert targets(reference) == []


def test_a_bare_pointer_in_a_part_with_its_own_address_could_mean_either_resource():
    assert targets("#/$defs/size", INNER) == [{"minimum": 2}, {"minimum": 1}]


@pytest.mark.parametrize("address", ["part/.", "x/../part/.", "p%61rt", "json-schema:///"])
def test_an_address_that_has_to_be_rewritten_first_could_mean_any_resource(address):
    assert {"minimum": 1} in targets(f"{address}#/$defs/size")
    assert {"minimum": 2} in targets(f"{address}#/$defs/size")


def test_a_mapping_that_stands_in_two_resources_sees_both():
    shared = {"$ref": "#/$defs/size"}
    schema = {"$defs": {"size": {"minimum": 2}}, "a": {**INNER, "not": shared}, "b": shared}
    assert targets("#/$defs/size", shared, schema) == [{"minimum": 2}, {"minimum": 1}]


@pytest.mark.parametrize("anchor", [["here"], 3, None, ""])
def test_an_anchor_that_is_no_text_names_nothing(anchor):
    assert targets("#here", schema={"$defs": {"odd": {"$anchor": anchor}, "named": {"$anchor": "here"}}}) == [
        {"$anchor": "here"}
    ]
