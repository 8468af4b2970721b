import importlib
import pkgutil

import orjson
import pytest
from hypothesis import HealthCheck, given, settings

import packs.formats.challenge_pack
import packs.formats.kinds
from packs.formats.adapter import Node
from packs.formats.challenge_pack import (
    PACK_WIDE,
    check,
    check_node,
    identify,
    load,
    load_node,
    locate,
    path_of,
    stored_document,
)
from packs.formats.challenge_pack.checks.artifacts import ARTIFACT_UNKNOWN, CONTENT_MISSING, check_artifacts
from packs.formats.document import NodeKind
from packs.formats.findings import Rule
from packs.formats.index import TreeIndex
from tests.drawing import drawn
from tests.packs.formats.challenge_pack.generated import packs as generated_packs
from tests.packs.formats.challenge_pack.samples import base, code_of, entries, files_of, place_of

SAMPLES = [pytest.param(entry, id=entry["code"]) for entry in entries() if "lens" not in entry]
LENS_SAMPLES = [pytest.param(entry, id=entry["code"]) for entry in entries() if "lens" in entry]


def declared_rules():
    packages = (packs.formats.challenge_pack, packs.formats.kinds)
    found = [info.name for each in packages for info in pkgutil.walk_packages(each.__path__, f"{each.__name__}.")]
    names = [name for name in found if not name.endswith(".__main__")]
    stated = [value for name in names for value in vars(importlib.import_module(name)).values()]
    rules = [rule for value in stated for rule in (value.values() if isinstance(value, dict) else [value])]
    return list({id(rule): rule for rule in rules if isinstance(rule, Rule)}.values())


def findings_of(files):
    pack, findings = load(files)
    return [*findings, *(check(pack) if pack else ())]


def nodes_of(pack):
    for address, document in pack.nodes():
        key, challenge_key = identify(address.kind, document)
        *parents, position = address.indices or (0,)
        yield address, Node(address.kind, document, key, challenge_key, *(parents or [0]), position)


def as_facts(findings):
    return sorted(
        (finding.path, finding.code, finding.rule, finding.field_path, finding.message) for finding in findings
    )


def facts_of_nodes(pack):
    index = TreeIndex(pack)
    return as_facts(
        finding.below(path_of(address)) for address, node in nodes_of(pack) for finding in check_node(index, node)
    )


def test_no_two_rules_share_a_code():
    codes = [rule.code for rule in declared_rules()]
    assert sorted(codes) == sorted(set(codes))


def test_every_rule_has_a_sample():
    # What is asked on publishing has its own test.
    declared = {rule.code for rule in declared_rules()} - {ARTIFACT_UNKNOWN.code, CONTENT_MISSING.code}
    assert declared == {code_of(entry) for entry in entries()}


@pytest.mark.parametrize("name", ["native", "conversation", "voice", "security"])
def test_a_good_pack_has_no_finding(name):
    assert findings_of(files_of({"base": name})) == []


@pytest.mark.parametrize("entry", SAMPLES)
def test_a_sample_yields_exactly_its_finding(entry):
    findings = findings_of(files_of(entry))
    expected = {code_of(entry), *(f"challenge_pack.{code}" for code in entry.get("also", ()))}
    assert {finding.code for finding in findings} == expected
    assert place_of(entry) in {finding.field_path for finding in findings if finding.code == code_of(entry)}


@pytest.mark.parametrize("entry", LENS_SAMPLES)
def test_a_text_that_is_no_document_yields_exactly_its_finding(entry):
    _, findings = load_node(NodeKind(entry["lens"]), entry["text"])
    assert [(finding.code, finding.field_path) for finding in findings] == [(code_of(entry), place_of(entry))]


def test_a_stored_file_that_nobody_knows_is_found_wherever_an_asset_names_it():
    known, missing = "00000000-0000-0000-0000-000000000001", "00000000-0000-0000-0000-000000000002"
    edits = {
        "/version/assets/0/artifact_id": known,
        "/challenges/0/assets": [{"key": "a", "path": "a", "artifact_id": missing}],
        "/input_sets/0/cases/0/assets": [{"key": "a", "path": "a", "artifact_id": missing}],
    }
    pack, _ = load(files_of({"set": edits}))
    found = [(finding.code, finding.rule, finding.field_path) for finding in check_artifacts(pack, {known})]
    assert found == [
        (ARTIFACT_UNKNOWN.code, "Z1", "challenges[0].assets[0].artifact_id"),
        (ARTIFACT_UNKNOWN.code, "Z1", "input_sets[0].cases[0].assets[0].artifact_id"),
    ]


def test_a_blank_item_that_no_file_brought_is_left_out_as_well():
    pack, _ = load(files_of({}))
    case = pack.input_sets[0].cases[0].document
    pack.input_sets[0].cases[0].document["expectations"] = [*case["expectations"], None]
    assert [(finding.code, finding.field_path) for finding in check(pack)] == [
        ("challenge_pack.W006", "input_sets[0].cases[0].expectations[1]")
    ]
    assert stored_document(pack.input_sets[0].cases[0])["expectations"] == case["expectations"][:1]


@pytest.mark.parametrize("entry", SAMPLES)
def test_every_finding_says_what_is_wrong_and_what_to_do(entry):
    for finding in findings_of(files_of(entry)):
        assert finding.message
        assert finding.hint or finding.code == "challenge_pack.N001"
        assert "{" not in finding.message.replace("{{", "").replace("${", "") or "{'" in finding.message


@pytest.mark.parametrize("entry", SAMPLES)
def test_checking_node_by_node_finds_the_same_as_checking_the_pack(entry):
    pack, _ = load(files_of(entry))
    if pack is not None:
        found = [finding for finding in check(pack) if finding.code not in PACK_WIDE]
        assert as_facts(found) == facts_of_nodes(pack)


@pytest.mark.parametrize("entry", SAMPLES)
def test_every_finding_belongs_to_a_node(entry):
    pack, _ = load(files_of(entry))
    for finding in check(pack) if pack else ():
        address, inside = locate(finding)
        assert path_of(address) + inside == finding.path


@settings(max_examples=drawn(60), suppress_health_check=list(HealthCheck))
@given(generated_packs())
def test_any_pack_is_checked_the_same_as_a_whole_and_node_by_node(pack):
    found = [finding for finding in check(pack) if finding.code not in PACK_WIDE]
    assert as_facts(found) == facts_of_nodes(pack)


def spoiled(value, junk):
    """Every document that is the given one with one value, anywhere, replaced by junk."""
    if isinstance(value, dict):
        for key, part in value.items():
            yield {**value, key: junk}
            yield from ({**value, key: other} for other in spoiled(part, junk))
    if isinstance(value, list):
        for place, part in enumerate(value):
            yield [*value[:place], junk, *value[place + 1 :]]
            yield from ([*value[:place], other, *value[place + 1 :]] for other in spoiled(part, junk))


@pytest.mark.parametrize("junk", [None, True, 7, 2.5, "junk", [], ["junk"], [None], {}, {"junk": 1}, [[{}]]], ids=repr)
@pytest.mark.parametrize("name", ["native", "conversation", "voice", "security"])
def test_a_wrong_type_anywhere_never_raises(name, junk):
    for document in spoiled(base(name), junk):
        pack, _ = load({"pack.yaml": orjson.dumps(document)})
        if pack is not None:
            assert as_facts(f for f in check(pack) if f.code not in PACK_WIDE) == facts_of_nodes(pack)


class CountingIndex:
    """An index that counts the questions it is asked and answers nothing but those of the contract."""

    def __init__(self, pack):
        self.index, self.questions = TreeIndex(pack), 0

    def __getattr__(self, name):
        assert name in {"pack", "challenge", "asset", "set_challenge_key", "case_count", "is_repeated"}
        self.questions += 1
        return getattr(self.index, name)


def questions_about_last_case(count):
    case = base("native")["input_sets"][0]["cases"][0]
    cases = [{**case, "case_key": f"case-{number}"} for number in range(count)]
    pack, _ = load(files_of({"set": {"/input_sets/0/cases": cases}}))
    index = CountingIndex(pack)
    *_, (_, node) = nodes_of(pack)
    assert list(check_node(index, node)) == []
    return index.questions


def test_a_case_asks_no_more_of_a_large_pack_than_of_a_small_one():
    assert questions_about_last_case(300) == questions_about_last_case(3)


def test_findings_beneath_a_broken_structure_are_left_out():
    findings = findings_of(files_of({"set": {"ES/validators": "none", "/pack": ["none"]}}))
    assert [(finding.rule, finding.field_path) for finding in findings if finding.is_error] == [
        ("D2", "pack"),
        ("D4", "version.evaluation_spec.validators"),
    ]
