import pytest

from packs.formats import challenge_pack
from packs.formats.challenge_pack.structure import examine
from packs.formats.document import NodeKind


def found(kind, document):
    """What is said of types and keys; what is missing, or not among its choices, has samples of its own."""
    listed = [
        (finding.code.rpartition(".")[2], finding.rule, finding.field_path) for finding in examine(kind, document)
    ]
    return [each for each in listed if each[1].startswith("D")]


def in_spec(spec):
    return found(NodeKind.PACK, {"version": {"evaluation_spec": spec}})


def test_a_well_typed_document_has_no_structure_findings():
    assert found(NodeKind.CASE, {"case_key": "a", "payload": {"any": [1, {"x": None}]}}) == []


@pytest.mark.parametrize(
    ("document", "path"),
    [
        ({"payload": [1]}, "payload"),
        ({"inputs": {}}, "inputs"),
        ({"inputs": ["a"]}, "inputs[0]"),
        ({"inputs": [{"key": ["a"]}]}, "inputs[0].key"),
        ({"user_simulator": {"phases": [{"turns": [{"expects": [{"kind": {}}]}]}]}}, ""),
    ],
)
def test_a_wrong_type_is_told_at_its_path(document, path):
    path = path or "user_simulator.phases[0].turns[0].expects[0].kind"
    assert found(NodeKind.CASE, document) == [("E003", "D2", path)]


def test_a_number_beyond_32_bits_is_told():
    assert found(NodeKind.CASE, {"case_timeout_seconds": 2**31}) == [("E005", "D2", "case_timeout_seconds")]
    assert found(NodeKind.CASE, {"case_timeout_seconds": -5}) == []


@pytest.mark.parametrize("text", ["5b8f0c1e-8d1c-4d7e-9f65-0a2b3c4d5e6f", "5B8F0C1E8D1C4D7E9F650A2B3C4D5E6F"])
def test_spellings_of_a_uuid_are_taken(text):
    assert found(NodeKind.ASSET, {"key": "a", "path": "p", "artifact_id": text}) == []


def test_what_is_no_uuid_is_told():
    assert found(NodeKind.ASSET, {"key": "a", "path": "p", "artifact_id": "mine"}) == [("E004", "D2", "artifact_id")]


def test_unknown_keys_are_errors_in_the_evaluation_spec_and_warnings_elsewhere():
    assert in_spec({"validatorz": []}) == [("E006", "D3", "version.evaluation_spec.validatorz")]
    assert found(NodeKind.CASE, {"paylod": {}}) == [("W005", "D6", "paylod")]
    assert found(NodeKind.CASE, {"x-team": "a"}) == [("N001", "D6", "x-team")]


def test_the_closest_known_key_is_proposed():
    hints = {finding.code: finding.hint for finding in examine(NodeKind.CASE, {"paylod": {}})}
    assert "payload" in hints["challenge_pack.W005"]


def test_a_key_of_the_top_level_is_sent_there():
    found = {finding.field_path: finding for finding in examine(NodeKind.PACK, {"version": {"tools": {"custom": []}}})}
    assert "top level" in found["version.tools"].hint


def test_types_are_strict_in_the_evaluation_spec():
    assert in_spec({"name": 5}) == [("E007", "D4", "version.evaluation_spec.name")]
    assert in_spec({"version_number": "1"}) == [("E007", "D4", "version.evaluation_spec.version_number")]
    assert in_spec({"version_number": 1.5}) == [("E007", "D4", "version.evaluation_spec.version_number")]
    assert in_spec({"version_number": 1.0}) == []
    assert in_spec({"llm_judges": [{"samples": True}]}) == [
        ("E007", "D4", "version.evaluation_spec.llm_judges[0].samples")
    ]


def test_a_dimension_is_a_text_or_a_mapping():
    assert in_spec({"scorecard": {"dimensions": ["latency", {"key": "a"}]}}) == []
    assert in_spec({"scorecard": {"dimensions": [5]}}) == [
        ("E007", "D4", "version.evaluation_spec.scorecard.dimensions[0]")
    ]


def test_the_configuration_of_a_validator_is_free():
    assert in_spec({"validators": [{"key": "a", "config": [1, {"any": None}]}]}) == []


def test_names_that_the_author_chooses_are_not_unknown_keys():
    version = {"sandbox": {"env_vars": {"A": "1"}}, "deployment_defaults": {"lineups": {"default": ["a"]}}}
    assert found(NodeKind.PACK, {"version": version}) == []


def test_an_entry_that_is_no_node_is_told_with_its_line():
    files = {"p.yaml": b"pack: {slug: s}\nchallenges:\n- key: a\n- text\n"}
    pack, _ = challenge_pack.load(files)
    placed = challenge_pack.place(files, challenge_pack.check(pack))
    assert [(one.field_path, one.line) for one in placed if one.code == "challenge_pack.E010"] == [("challenges", 3)]
