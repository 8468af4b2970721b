import importlib
import pkgutil

import pytest
from hypothesis import given, settings

import packs.formats.benchmark_pack
from packs.formats import benchmark_pack, rubrics
from packs.formats.adapter import Node
from packs.formats.benchmark_pack import check, check_node, identify, load, locate, path_of, place
from packs.formats.benchmark_pack.checks.manifest import check_manifest
from packs.formats.benchmark_pack.reader import NOT_TEXT
from packs.formats.findings import Rule
from packs.formats.index import TreeIndex
from tests.drawing import drawn
from tests.packs.formats.benchmark_pack.generated import packs as generated_packs
from tests.packs.formats.benchmark_pack.samples import entries, pack_files, pack_of

SAMPLES = [pytest.param(entry, id=entry["code"]) for entry in entries()]
# Their samples are no YAML, or are asked of another input than a pack, or of an import.
ELSEWHERE = {NOT_TEXT.code, *(f"benchmark_pack.{code}" for code in ("E005", "E601", "W601", "W602"))}


def declared_codes():
    package = packs.formats.benchmark_pack
    names = [info.name for info in pkgutil.walk_packages(package.__path__, f"{package.__name__}.")]
    modules = [rubrics, *(importlib.import_module(name) for name in names if not name.endswith("__main__"))]
    return {rule.code for module in modules for rule in vars(module).values() if isinstance(rule, Rule)}


def as_facts(findings):
    return sorted((str(finding.path), finding.code, finding.rule, finding.message) for finding in findings)


def nodes_of(pack):
    for address, document in pack.nodes():
        *parents, position = address.indices or (0,)
        yield (
            address,
            Node(address.kind, document, identify(address.kind, document)[0], "", *(parents or [0]), position),
        )


def facts_of_nodes(pack):
    index = TreeIndex(pack)
    return as_facts(
        finding.below(path_of(address)) for address, node in nodes_of(pack) for finding in check_node(index, node)
    )


@pytest.mark.parametrize("entry", SAMPLES)
def test_a_sample_yields_its_finding_and_no_other(entry):
    pack, findings = pack_of(entry)
    found = [*findings, *(check(pack) if pack else ())]
    codes = {finding.code.rpartition(".")[2] for finding in found}
    assert codes == {entry["code"], *entry.get("also", ())}
    at = {finding.field_path for finding in found if finding.code.endswith(entry["code"])}
    assert {path.rpartition("].")[2] if path.startswith(("files", "rows")) else path for path in at} == {entry["at"]}


def test_every_rule_has_a_sample():
    assert declared_codes() - ELSEWHERE == {f"benchmark_pack.{entry['code']}" for entry in entries()}


@pytest.mark.parametrize("entry", [param for param in SAMPLES if "files" not in param.values[0]])
def test_a_node_is_told_the_same_alone_as_in_its_pack(entry):
    pack, _ = pack_of(entry)
    assert facts_of_nodes(pack) == as_facts(check(pack))


@settings(max_examples=drawn(60))
@given(generated_packs())
def test_any_pack_is_checked_without_raising_and_node_by_node_alike(pack):
    found = list(check(pack))
    assert facts_of_nodes(pack) == as_facts(found)
    for finding in found:
        address, path = locate(finding)
        assert path_of(address) + path == finding.path


def test_rows_are_placed_at_their_lines_and_the_manifest_at_line_and_column():
    files = pack_files({"version": "1"}, lines=["", '{"id": 1}', "", "oops"])
    pack, _ = load(files)
    placed = place(files, check(pack))
    lines = {(finding.file, finding.line, finding.field_path) for finding in placed if finding.is_error}
    assert ("tasks.jsonl", 2, "row.id") in lines
    assert ("tasks.jsonl", 4, "line") in lines
    assert ("manifest.yaml", 2, "manifest.version") in lines


def test_findings_stand_in_the_order_in_which_the_format_meets_them():
    row = {"id": "a", "input": {"hint": 1}, "eval": {"other": 2}}
    pack, _ = load(pack_files(rows=[row]))
    assert [finding.field_path for finding in benchmark_pack.check(pack)] == [
        "input",
        "input.question",
        "eval",
        "eval.accepted_answers",
    ]


@pytest.mark.parametrize(
    "stated",
    [
        {"defaults": None},
        {"defaults": {"family": None}},
        {"defaults": {"environment": None}},
        {"asset_roots": None},
        {"asset_defaults": None},
    ],
)
def test_null_in_a_manifest_says_no_more_than_nothing(stated):
    document = {"id": "demo", "version": 1}
    assert list(check_manifest({**document, **stated})) == list(check_manifest(document)) == []


@pytest.mark.parametrize("stated", [{"asset_roots": {"public": None}}, {"asset_defaults": {"read_only": None}}])
def test_null_is_no_root_and_no_answer_to_whether_files_may_be_changed(stated):
    assert [finding.is_error for finding in check_manifest({"id": "demo", "version": 1, **stated})] == [True]
