"""The corpus of task suites: what the vectors say of findings, and that real tasks are read, written and compiled."""

import pytest
from jsonschema_rs import validator_for

from packs.formats import jsonio, task_suite, yamlio
from packs.formats.document import NodeKind
from packs.formats.findings import has_errors, to_pointer
from packs.formats.task_suite.reading import DIALECT
from tests.corpora import corpus_folder

FOLDER = corpus_folder("task-suite")
VECTORS, _ = yamlio.read((FOLDER / "vectors.yaml").read_bytes(), dialect=yamlio.CORE_12)
PACKS = [FOLDER / "examples", FOLDER / "upstream"]
TASKS = sorted(path for folder in PACKS for path in folder.glob("evals/*/*.yaml"))
CANONICAL = sorted((FOLDER / "canonical").glob("*.yaml"))


def vectors(*kinds):
    return [pytest.param(case, id=case["id"]) for case in VECTORS["cases"] if case["kind"] in kinds]


def files_below(folder):
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def files_of(vector):
    if vector["kind"] == "pack":
        return {name: text.encode() for name, text in vector["files"].items()}
    name = "config.yml" if vector["kind"] == "config" else "task.yaml"
    return {name: vector["source"].encode()}


def findings_in(files):
    pack, findings = task_suite.load(files)
    if pack is not None:
        findings = findings + task_suite.place(files, task_suite.check(pack))
    return pack, findings


def place_of(finding, kind):
    """Where a finding is, in the words of the vectors."""
    path = finding.path
    if path[:1] in (("files",), ("assets",)):
        return finding.file
    pointer = to_pointer(task_suite.locate(finding)[1])
    return f"{finding.file}#{pointer}" if kind == "pack" else pointer


@pytest.mark.parametrize("vector", vectors("task", "pack", "config"))
def test_a_vector_has_just_its_errors_and_at_least_its_warnings(vector):
    _, findings = findings_in(files_of(vector))
    errors = {(found.rule, place_of(found, vector["kind"])) for found in findings if found.is_error}
    others = {(found.rule, place_of(found, vector["kind"])) for found in findings if not found.is_error}
    assert errors == {(stated["rule"], stated["at"]) for stated in vector["errors"]}
    assert others >= {(stated["rule"], stated["at"]) for stated in vector["warnings"]}
    assert has_errors(findings) is not vector["valid"]


@pytest.mark.parametrize("vector", vectors("task", "pack", "config"))
def test_a_vector_survives_reading_and_writing(vector):
    pack, _ = task_suite.load(files_of(vector))
    if pack is None:
        return
    written = task_suite.dump(pack)
    again, _ = task_suite.load(written)
    assert task_suite.dump(again) == written
    assert [case.document for found in again.input_sets for case in found.cases] == [
        case.document for found in pack.input_sets for case in found.cases
    ]


@pytest.mark.parametrize("path", TASKS, ids=lambda path: path.stem)
def test_a_real_task_alone_has_nothing_to_complain_about(path):
    _, findings = findings_in({path.name: path.read_bytes()})
    assert [found.code for found in findings if found.severity != "note"] == []


@pytest.mark.parametrize("path", TASKS, ids=lambda path: path.stem)
def test_every_real_task_keeps_to_the_published_schema(path):
    document, _ = yamlio.read(path.read_bytes(), dialect=DIALECT)
    assert [error.message for error in validator_for(task_suite.SCHEMA[NodeKind.CASE]).iter_errors(document)] == []


def test_the_examples_are_a_pack_without_a_word_but_two_notes():
    _, findings = findings_in(files_below(FOLDER / "examples"))
    assert [(found.rule, found.severity) for found in findings] == [("TS-315", "note")] * 2


def test_the_upstream_folder_misses_its_rubrics_and_its_fixture():
    _, findings = findings_in(files_below(FOLDER / "upstream"))
    told = sorted((found.rule, found.severity) for found in findings if found.rule)
    assert set(told) == {("TS-505", "error"), ("TS-506", "warning")}


@pytest.mark.parametrize("folder", PACKS, ids=lambda path: path.name)
def test_a_real_pack_survives_reading_and_writing(folder):
    pack, _ = task_suite.load(files_below(folder))
    written = task_suite.dump(pack)
    again, findings = task_suite.load(written)
    assert again == pack
    assert task_suite.dump(again) == written
    assert list(written) == sorted(written)
    assert task_suite.recognises(written)


@pytest.mark.parametrize("path", CANONICAL, ids=lambda path: path.stem)
def test_canonical_files_are_written_as_they_are(path):
    document, _ = yamlio.read(path.read_bytes(), dialect=DIALECT)
    assert task_suite.dump_node(NodeKind.CASE, document).encode() == path.read_bytes()


def test_awkward_texts_are_written_as_the_canonical_folder_says():
    document, _ = jsonio.read((FOLDER / "canonical" / "odd_1.json").read_bytes())
    assert task_suite.dump_node(NodeKind.CASE, document).encode() == (FOLDER / "canonical" / "odd_1.yaml").read_bytes()


@pytest.mark.parametrize("path", [path for path in CANONICAL if path.stem != "odd_1"], ids=lambda path: path.stem)
def test_real_tasks_are_written_as_the_canonical_folder_says(path):
    (source,) = (FOLDER / "examples").rglob(path.name)
    document, _ = yamlio.read(source.read_bytes(), dialect=DIALECT)
    assert task_suite.dump_node(NodeKind.CASE, document).encode() == path.read_bytes()


@pytest.mark.parametrize("folder", PACKS, ids=lambda path: path.name)
def test_every_real_task_becomes_a_task_that_hides_what_graders_know(folder):
    pack, _ = task_suite.load(files_below(folder))
    tasks = list(task_suite.compile_tasks(pack))
    assert len(tasks) == sum(len(found.cases) for found in pack.input_sets)
    for task in tasks:
        document = task.evidence.stored
        told = str(task.for_agent())
        for name in ("forbidden_tools", "secrets_in_env", "expected_behavior", "incident_trace_ref"):
            assert name not in told
        # Tools are no request: where no input asks for anything, only the description can.
        asks = {"user_message", "issue_statement", "conversation_context"} & task.visible.keys()
        assert (document["description"].strip() not in task.prompt) is bool(asks)
        assert task.trials.count == document.get("trials", {}).get("k", task.trials.count) >= 1
        assert len(task.graders) == len(document["graders"])
