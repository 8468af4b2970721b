from packs.formats import adapter_of
from packs.formats.document import NodeKind
from packs.formats.names import homes_of
from packs.forms.choices import MAX_OPTIONS, Declared, declared_by, homes_for
from packs.forms.fields import Missing

SCHEMA = adapter_of("challenge_pack").SCHEMA
NAMES = {"inputs": ("q",), "assets": ("f",), "expectations": ("a",), "captures": ("out",)}
SOURCE = {"x-picks": ["input:{inputs}", "artifact:{assets}"]}
EVIDENCE = {"x-picks": ["final_output", "case.inputs.{inputs}", "file:{captures}", "literal:"]}


def test_a_pack_declares_the_keys_in_its_lists_in_order_and_once_each():
    spec = {"validators": [{"key": "a"}, {"key": "b"}, {"key": "a"}, {}, 7], "metrics": "x"}
    found = declared_by(SCHEMA[NodeKind.PACK], [{"version": {"evaluation_spec": spec}}])
    assert (found["validators"], found["metrics"], found["judges"]) == (("a", "b"), (), ())


def test_cases_declare_inputs_expectations_and_what_their_payload_holds():
    documents = [
        {"inputs": [{"key": "q"}], "expectations": [{"key": "a"}], "payload": {"id": 1, "with.dot": 2}},
        {"inputs": [{"key": "r"}, {"key": "q"}], "payload": "x"},
    ]
    found = declared_by(SCHEMA[NodeKind.CASE], documents)
    assert found == {"inputs": ("q", "r"), "expectations": ("a",), "payload": ("id",)}


def test_patterns_are_filled_with_what_is_declared():
    declared = Declared(NAMES, {"inputs": "input"})
    assert [(option.value, option.label) for option in declared.options(SOURCE)] == [
        ("input:q", "Input q"),
        ("artifact:f", "Asset f"),
    ]
    assert [option.value for option in declared.options(EVIDENCE)] == [
        "final_output",
        "case.inputs.q",
        "file:out",
        "literal:",
    ]
    assert declared.options({"x-picks": "castles"}) == ()
    assert len(Declared({"assets": tuple(map(str, range(900)))}).options({"x-picks": "assets"})) == MAX_OPTIONS


def test_what_is_named_but_not_declared_can_be_created_where_a_form_can():
    declared = Declared(NAMES, {"inputs": "input"})
    assert declared.missing(EVIDENCE, "case.inputs.r") == Missing("inputs", "input", "r")
    for value in ("case.inputs.q", "case.inputs.r.deep", "case.inputs.", "file:gone", "final_output", ""):
        assert declared.missing(EVIDENCE, value) is None
    assert declared.creatable({"x-picks": "inputs"}) == Missing("inputs", "input")
    assert declared.creatable(SOURCE) is None


def test_a_new_item_has_the_name_and_what_the_schema_begins_it_with():
    homes = {home.name: home for home in homes_of(SCHEMA[NodeKind.CASE])}
    assert homes["inputs"].new("parcel") == {"key": "parcel", "kind": "text"}


def test_the_form_of_a_case_creates_in_the_case_and_in_the_settings_of_the_pack():
    assert homes_for(SCHEMA, NodeKind.CASE)["inputs"][0] is NodeKind.CASE
    assert homes_for(SCHEMA, NodeKind.CASE)["validators"][0] is NodeKind.PACK
    assert "inputs" not in homes_for(SCHEMA, NodeKind.CHALLENGE)
    assert "payload" not in homes_for(SCHEMA, NodeKind.CASE)
