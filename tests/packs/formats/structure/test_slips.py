import pytest

from packs.formats.structure.slips import names_in, sealed, slips

SCHEMA = {
    "type": "object",
    "properties": {
        "threshold": {"type": "number"},
        "trials": {"type": "array", "items": {"type": "object", "properties": {"count": {}, "strategy": {}}}},
        "free": {"type": "object"},
        "either": {"oneOf": [{"type": "string"}, {"type": "object", "properties": {"command": {}}}]},
    },
    "allOf": [
        {
            "if": {"properties": {"mode": {"const": "talk"}}, "required": ["mode"]},
            "then": {"properties": {"turns": {"type": "array"}}},
        }
    ],
}


@pytest.mark.parametrize(
    ("document", "found"),
    [
        ({"treshold": 1}, [(("treshold",), "threshold")]),
        ({"trials": [{"count": 1, "strategi": "mean"}]}, [(("trials", 0, "strategi"), "strategy")]),
        ({"either": {"comand": "true"}}, [(("either", "comand"), "command")]),
        ({"mode": "talk", "turnz": []}, [(("turnz",), "turns")]),
        ({"turnz": []}, []),
        ({"turns": []}, []),
        ({"threshold": 1, "treshold": 1}, []),
        ({"season": 1, "free": {"treshold": 1}}, []),
    ],
)
def test_a_key_that_is_almost_a_known_one_that_lacks_is_a_slip(document, found):
    assert [*slips(SCHEMA, document, {*names_in(SCHEMA)})] == found


def test_a_sealed_schema_keeps_what_stands_under_a_condition():
    part = sealed(SCHEMA)
    assert part["unevaluatedProperties"] is False
    assert "unevaluatedProperties" not in part["properties"]["free"]
