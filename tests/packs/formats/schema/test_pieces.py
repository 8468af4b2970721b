import jsonschema_rs

from packs.formats.schema.pieces import block, choice, distinguished, ruled, share, strict, text, texts


def test_a_hint_for_forms_does_not_pass_for_a_keyword_of_json_schema():
    schema = text("Key", picks="assets", widget="picker", keep=True, minLength=1)
    assert schema == {
        "type": "string",
        "title": "Key",
        "x-picks": "assets",
        "x-widget": "picker",
        "x-keep": True,
        "minLength": 1,
    }


def test_a_choice_offers_each_value_with_its_words():
    schema = choice("Mode", {"a": "First", "b": "Second"})
    assert (schema["enum"], schema["x-labels"]) == (["a", "b"], {"a": "First", "b": "Second"})


def test_only_a_strict_mapping_refuses_unknown_keys():
    fields = {"weight": share("Weight")}
    assert jsonschema_rs.is_valid(block("Part", fields), {"other": 1, "weight": 1})
    assert not jsonschema_rs.is_valid(strict("Part", fields), {"other": 1})
    assert not jsonschema_rs.is_valid(strict("Part", fields), {"weight": 1.5})


def test_fields_that_are_not_named_informational_are_operational():
    told = distinguished({"a": text("A"), "b": text("B"), "c": text("C")}, "b", without=("c",))
    assert [part.get("x-effect") for part in told.values()] == ["operational", "informational", None]


def test_a_rule_for_fields_reaches_all_that_they_hold_but_what_names_rules_of_its_own():
    inner = {"a": text("A", rules="own"), "b": texts("B", rules={"minItems": "empty"})}
    found = ruled({"part": block("Part", inner)}, "shape")["part"]
    fields = found["properties"]
    assert found["x-rules"] == {"any": "shape"}
    assert fields["a"]["x-rules"] == "own"
    assert fields["b"]["x-rules"] == {"any": "shape", "minItems": "empty"}
    assert fields["b"]["items"]["x-rules"] == {"any": "shape"}
