from packs.forms.choices import Declared, declared_by_case, keys_in, unique


def test_keys_are_found_once_each_and_odd_shapes_are_passed_over():
    document = {"version": {"validators": [{"key": " a "}, {"key": "b"}, {"key": "a"}, {"key": 5}, "x", {}]}}
    assert keys_in(document, "version", "validators") == ("a", "b")
    assert keys_in({"version": []}, "version", "validators") == ()
    assert keys_in(None, "version") == ()
    assert unique(["", "  "]) == ()


def test_a_case_declares_its_inputs_expectations_and_payload():
    document = {"inputs": [{"key": "q"}], "expectations": [{"key": "a"}], "payload": {"id": 1, "not.named": 2}}
    assert declared_by_case(document) == {"inputs": ("q",), "expectations": ("a",), "payload": ("id",)}
    assert declared_by_case({"payload": "x", "inputs": 3})["inputs"] == ()


def test_sources_are_limited_to_what_is_declared():
    options = Declared(inputs=("q",), assets=("f",)).sources()
    assert [option.value for option in options] == ["input:q", "artifact:f"]


def test_evidence_names_what_is_at_hand():
    found = Declared(inputs=("q",), expectations=("a",), captures=("out",)).evidence()
    assert {"case.inputs.q", "case.expectations.a", "file:out", "final_output", "literal:"} <= set(found)


def test_an_unknown_pick_offers_nothing():
    assert Declared(assets=("f",)).picks("castles") == ()
