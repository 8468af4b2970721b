from packs.formats import challenge_pack
from packs.formats.challenge_pack.normal import manifest, normal_case, normal_challenge, normal_pack, normal_security


def test_texts_of_a_case_are_trimmed_and_its_data_is_not():
    case = {
        "challenge_key": " c ",
        "item_key": " k ",
        "payload": {" a ": " b "},
        "inputs": [{"key": " i ", "kind": " t ", "value": " v ", "artifact_key": " a ", "path": " p "}],
        "expectations": [{"key": "e", "kind": "t", "source": " input:i "}],
        "artifacts": [{"key": " a "}],
    }
    assert normal_case(case) == {
        "challenge_key": "c",
        "case_key": "k",
        "item_key": "k",
        "payload": {" a ": " b "},
        "inputs": [{"key": "i", "kind": "t", "value": " v ", "artifact_key": "a", "path": "p"}],
        "expectations": [{"key": "e", "kind": "t", "source": "input:i"}],
        "artifacts": [{"key": "a"}],
    }


def test_the_case_key_wins_over_the_item_key_and_both_are_kept():
    case = normal_case({"case_key": "a", "item_key": "b"})
    assert (case["case_key"], case["item_key"]) == ("a", "b")


def test_a_blank_text_is_an_absent_one():
    assert "artifact_key" not in normal_case({"inputs": [{"key": "i", "artifact_key": "  "}]})["inputs"][0]


def test_instructions_are_copied_into_a_definition_that_has_none():
    assert normal_challenge({"key": "c", "instructions": " Do "})["definition"] == {"instructions": "Do"}
    assert normal_challenge({"key": "c"})["definition"] == {}
    own = {"instructions": "Other", "effort": 1}
    assert normal_challenge({"key": "c", "instructions": "Do", "definition": own})["definition"] == own


def test_the_family_is_in_lower_case_and_the_description_as_written():
    found = normal_pack({"pack": {"slug": " s ", "family": " Coding ", "description": " d "}, "modality": " voice "})
    assert found == {"pack": {"slug": "s", "family": "coding", "description": " d "}, "modality": "voice"}


def test_aliases_and_lineups_are_trimmed_and_an_empty_block_goes():
    block = {"aliases": {" a ": " m "}, "lineups": {" default ": [" a "]}}
    version = normal_pack({"version": {"number": 1, "deployment_defaults": block}})["version"]
    assert version["deployment_defaults"] == {"aliases": {"a": "m"}, "lineups": {"default": ["a"]}}
    empty = {"version": {"number": 1, "deployment_defaults": {"own": 1}}}
    assert normal_pack(empty)["version"] == {"number": 1}


def test_the_security_block_is_trimmed_and_lowered_except_for_prompt_texts():
    block = {
        "default_severity": " HIGH ",
        "planted_secrets": [{"name": " N ", "value": " V ", "location": " ENV "}],
        "forbidden_egress": [{"description": " D ", "host": " A.Example ", "allow": [" B.Example "]}],
        "adversarial_prompts": [{"name": "n", "text": " T ", "strategy": " DAN "}],
    }
    assert normal_security(block) == {
        "default_severity": "high",
        "planted_secrets": [{"name": "N", "value": "V", "location": "env"}],
        "forbidden_egress": [{"description": "D", "host": "a.example", "allow": ["b.example"]}],
        "adversarial_prompts": [{"name": "n", "text": " T ", "strategy": "dan"}],
    }


def test_the_manifest_holds_what_a_version_stores():
    text = b"""
pack: {slug: s, name: N, family: f, own: 1}
version:
  number: 2
  sandbox: {sandbox_template_id: image}
  assets: [{key: ' a ', path: p}]
  evaluation_spec: {name: ' e ', scorecard: {dimensions: [latency]}}
challenges: [{key: c, instructions: Do}]
input_sets: [{key: s, name: S, items: [{challenge_key: c, item_key: i}]}]
security: {}
"""
    pack, _ = challenge_pack.load({"p": text})
    case = {"challenge_key": "c", "case_key": "i", "item_key": "i", "payload": {}}
    assert manifest(pack) == {
        "schema_version": 1,
        "pack": {"slug": "s", "name": "N", "family": "f"},
        "version": {"number": 2, "assets": [{"key": "a", "path": "p"}], "sandbox_template_id": "image"},
        "tool_policy": {},
        "filesystem": {},
        "evaluation_spec": {"name": " e ", "scorecard": {"dimensions": ["latency"]}},
        "challenges": [{"key": "c", "instructions": "Do", "definition": {"instructions": "Do"}}],
        "input_sets": [{"key": "s", "name": "S", "cases": [case]}],
        "sandbox": {"sandbox_template_id": "image"},
        "security": {},
    }


def test_values_of_a_wrong_type_are_left_out():
    assert normal_case({"case_key": 5, "inputs": [1, {"key": []}], "payload": []}) == {
        "challenge_key": "",
        "case_key": "",
        "item_key": "",
        "payload": {},
        "inputs": [{}],
    }
