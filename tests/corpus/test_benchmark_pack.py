"""The corpus of real benchmark packs, and what the vectors say of loading, compiling and planning."""

import orjson
import pytest

from packs.formats import benchmark_pack, yamlio
from packs.formats.archives import read_path
from packs.formats.benchmark_pack.compiled import compile_row
from packs.formats.benchmark_pack.header import header_of
from packs.formats.benchmark_pack.plan import plan
from packs.formats.benchmark_pack.policy import internal_trouble, mount_trouble
from packs.formats.checking import check_files
from packs.formats.index import TreeIndex
from tests.corpora import corpus_folder
from tests.packs.formats.benchmark_pack.specs import resources_of

FOLDER = corpus_folder("benchmark-pack")
VECTORS, _ = yamlio.read((FOLDER / "vectors.yaml").read_bytes(), file="vectors.yaml", dialect=yamlio.CORE_12)
PACKS = sorted(path.parent for path in FOLDER.glob("*/manifest.yaml"))
VALID = [path for path in PACKS if path.name != "sample-broken"]
# What the format's reference implementation raises; other findings are an authoring application's own.
RAISED = {"ConfigError", "MaterializationError", "PathPolicyError", "ValueError"}


# The hundreds of a code say at which stage the format meets the trouble.
STAGES = {"manifest": "01", "rows": "01", "compile": "0123", "plan": "01234"}


def params(*stages):
    return [pytest.param(vector, id=vector["name"]) for vector in VECTORS if vector["stage"] in stages]


def files_of(vector, folder):
    """The pack of a vector as a folder, read as the command line reads it."""
    rows = vector.get("rows_text")
    if rows is None:
        rows = "".join(orjson.dumps(row).decode() + "\n" for row in vector.get("rows", []))
    if "limit" in vector:
        rows = "".join(rows.splitlines(keepends=True)[: vector["limit"]])
    (folder / "manifest.yaml").write_text(yamlio.write(vector["manifest"]))
    (folder / "tasks.jsonl").write_text(rows)
    for name, text in vector.get("files", {}).items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    for name, target in vector.get("symlinks", {}).items():
        (folder / name).symlink_to(target)
    return read_path(folder)


def stage_of(finding):
    return finding.code.partition(".E")[2][:1]


def raised(findings):
    return [finding for finding in findings if finding.rule in RAISED]


def assert_agrees(vector, found):
    """Whether what the format refuses is refused, at the place that it names."""
    errors = raised(found)
    assert vector["valid"] == (not errors), [error.as_dict() for error in errors]
    for stated in vector.get("errors", ()):
        places = [(error.rule, error.field_path) for error in errors if error.line == stated.get("line", error.line)]
        assert (stated["type"], stated["field"]) in places, places
    for stated in vector.get("studio", ()):
        assert (stated["level"], stated["code"]) in {(finding.severity.value, finding.rule) for finding in found}


@pytest.mark.parametrize("vector", params("manifest", "rows", "compile"))
def test_a_vector_is_valid_or_not_as_it_says_and_at_the_place_that_it_names(vector, tmp_path):
    files, before = files_of(vector, tmp_path)
    checked = check_files(files, "benchmark_pack", before=before)
    reached = STAGES[vector["stage"]]
    found = [finding for finding in checked.findings if finding.rule not in RAISED or stage_of(finding) in reached]
    assert_agrees(vector, found)


@pytest.mark.parametrize("vector", params("manifest"))
def test_a_manifest_reads_as_a_vector_says(vector, tmp_path):
    pack, _ = benchmark_pack.load(files_of(vector, tmp_path)[0])
    header = header_of(pack.document)
    found = {
        "id": header.id,
        "version": header.version,
        "defaults": {"family": header.family or None, "environment": header.environment},
        "asset_roots": {"public": header.public_root, "eval": header.hidden_root},
        "asset_defaults": {"read_only": header.read_only},
    }
    assert found == vector.get("manifest_expected", found)


@pytest.mark.parametrize("vector", params("rows"))
def test_rows_read_as_a_vector_says(vector, tmp_path):
    pack, _ = benchmark_pack.load(files_of(vector, tmp_path)[0])
    header, rows = header_of(pack.document), [case.document for case in pack.input_sets[0].cases]
    found = [
        {
            "id": row.get("id"),
            "family": header.family_of(row),
            "input": row.get("input", {}),
            "assets": row.get("assets", []),
            "eval": row.get("eval", {}),
            "environment": header.environment_of(row),
            "metadata": row.get("metadata", {}),
        }
        for row in rows
    ]
    assert found == vector.get("rows_expected", found)
    assert [row.get("id") for row in rows] == vector.get("row_ids", [row.get("id") for row in rows])


@pytest.mark.parametrize("vector", [param for param in params("compile") if "compiled" in param.values[0]])
def test_a_row_compiles_as_a_vector_says(vector, tmp_path):
    pack, _ = benchmark_pack.load(files_of(vector, tmp_path)[0])
    header = header_of(pack.document)
    for case, stated in zip(pack.input_sets[0].cases, vector["compiled"], strict=True):
        compiled = compile_row(header, case.document)
        found = {
            "id": compiled.id,
            "task_type": compiled.task_type,
            "agent_payload": compiled.payload("agent"),
            "evaluation_payload": compiled.payload("test_sandbox"),
            "hidden_payload": compiled.payload("evaluator"),
            "result_payload": compiled.payload("result"),
            "visibility": compiled.visibility,
            "metadata": compiled.metadata,
        }
        assert {name: found[name] for name in stated} == stated
        assert list(compiled.visibility) == list(stated.get("visibility", compiled.visibility))


@pytest.mark.parametrize("vector", params("plan"))
def test_a_plan_is_made_or_refused_as_a_vector_says(vector, tmp_path):
    files, before = files_of(vector, tmp_path)
    pack, _ = benchmark_pack.load(files)
    header, row = header_of(pack.document), pack.input_sets[0].cases[0].document
    found = plan(header, compile_row(header, row), vector["component"], TreeIndex(pack).has_assets_at)
    if "symlinks" in vector:
        # Links never come in: reading the folder refuses them at their own place.
        assert [(error.code, error.file) for error in before] == [("files.E014", "assets/link.txt")]
        assert [error.path for error in found.findings] == [("assets", 0, "path")]
        return
    assert_agrees(vector, found.findings)
    items = [
        {
            "path": item.path,
            "placement": item.placement,
            "serialization": item.serialization,
            **({"read_only": item.read_only} if item.serialization == "copy" else {}),
        }
        for item in found.items
    ]
    assert items == vector.get("plan_expected", items)


@pytest.mark.parametrize("vector", params("path", "mount"))
def test_a_path_is_allowed_or_not_as_a_vector_says(vector):
    ask = internal_trouble if vector["stage"] == "path" else mount_trouble
    assert bool(ask(vector["component"], vector["path"])) is not vector["valid"]


@pytest.mark.parametrize("vector", params("spec"))
def test_a_task_spec_is_taken_or_refused_as_a_vector_says(vector):
    resources, found = resources_of(vector["spec"])
    assert_agrees(vector, found)
    kinds = {resource.name: resource.kind for resource in resources}
    assert kinds == vector.get("resource_kinds", kinds)


@pytest.mark.parametrize("folder", PACKS, ids=lambda path: path.name)
def test_a_real_pack_is_recognised_and_survives_reading_and_writing(folder):
    files, _ = read_path(folder)
    assert benchmark_pack.recognises(files)
    pack, _ = benchmark_pack.load(files)
    canonical = benchmark_pack.dump(pack)
    assert benchmark_pack.recognises(canonical)
    again, _ = benchmark_pack.load(canonical)
    assert again == pack
    assert benchmark_pack.dump(again) == canonical
    assert list(benchmark_pack.check(again)) == list(benchmark_pack.check(pack))
    assert list(benchmark_pack.compile_tasks(again)) == list(benchmark_pack.compile_tasks(pack))


@pytest.mark.parametrize("folder", VALID, ids=lambda path: path.name)
def test_a_real_pack_has_no_errors(folder):
    found = check_files(read_path(folder)[0]).findings
    assert [finding.as_dict() for finding in found if finding.is_error] == []


def test_the_broken_sample_shows_everything_that_it_states_at_its_lines():
    files, _ = read_path(FOLDER / "sample-broken")
    stated, _ = yamlio.read(files["expected.yaml"], dialect=yamlio.CORE_12)
    found = check_files(files).findings
    by_line = {line: [finding for finding in found if finding.line == line] for line in range(1, 13)}
    for entry in stated:
        here = by_line[entry["line"]]
        if entry.get("ok"):
            assert not [finding for finding in here if finding.is_error]
        elif "type" in entry:
            assert (entry["type"], entry["field"]) in {(finding.rule, finding.field_path) for finding in here}
        else:
            assert (entry["level"], entry["code"]) in {(finding.severity.value, finding.rule) for finding in here}
    assert {finding.line for finding in found if finding.is_error} == {
        entry["line"] for entry in stated if "type" in entry or entry.get("level") == "error"
    }
