"""The corpus of task suites through the command line: what a pipeline sees of packs, tasks and trials."""

import io
import json
import re

import pytest

from packs.formats import task_suite, yamlio
from packs.formats.command import main as pack
from packs.formats.findings import to_pointer
from runs.management.grading import main as run
from tests.corpora import corpus_folder

FOLDER = corpus_folder("task-suite")
VECTORS, _ = yamlio.read((FOLDER / "vectors.yaml").read_bytes(), dialect=yamlio.CORE_12)
EXAMPLES = FOLDER / "examples"


def say(command, *words):
    out, err = io.StringIO(), io.StringIO()
    code = command([str(word) for word in words], out, err)
    assert not err.getvalue()
    return code, json.loads(out.getvalue())


def write(folder, vector):
    """The files of a vector below a folder, and what the command is given."""
    if vector["kind"] == "pack":
        for name, text in vector["files"].items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(text)
        return folder
    folder.mkdir()
    path = folder / ("config.yml" if vector["kind"] == "config" else "task.yaml")
    path.write_bytes(vector["source"].encode())
    return path


def place_of(found, kind):
    """Where a finding of the command is, in the words of the vectors: a field path from the root of the file."""
    if found.get("path", "").startswith(("assets", "files")):
        return found["file"]
    steps = [part or index for part, index in re.findall(r"([^.\[\]]+)|\[(\d+)\]", found.get("path", ""))]
    pointer = to_pointer(tuple(steps))
    if kind != "pack":
        return pointer
    return f"{found['file']}#{pointer}" if pointer else found["file"]


@pytest.fixture(scope="module")
def checked(tmp_path_factory):
    """What one call of `pack check` says of all vectors, by their ids."""
    root = tmp_path_factory.mktemp("vectors")
    told = [vector for vector in VECTORS["cases"] if vector["kind"] != "trace"]
    paths = {vector["id"]: write(root / vector["id"], vector) for vector in told}
    code, document = say(pack, "check", "--format", "task_suite", "--json", *paths.values())
    assert code == 1
    return dict(zip(paths, document["results"], strict=True))


@pytest.mark.parametrize(
    "vector", [pytest.param(case, id=case["id"]) for case in VECTORS["cases"] if case["kind"] != "trace"]
)
def test_check_tells_just_the_errors_of_a_vector_and_at_least_its_warnings(checked, vector):
    result = checked[vector["id"]]
    assert result["valid"] is vector["valid"]
    placed = [(found["rule"], place_of(found, vector["kind"]), found["severity"]) for found in result["findings"]]
    errors = {(rule, place) for rule, place, severity in placed if severity == "error"}
    others = {(rule, place) for rule, place, severity in placed if severity != "error"}
    assert errors == {(stated["rule"], stated["at"]) for stated in vector["errors"]}
    assert others >= {(stated["rule"], stated["at"]) for stated in vector["warnings"]}


@pytest.mark.parametrize(
    "vector", [pytest.param(case, id=case["id"]) for case in VECTORS["cases"] if case["kind"] == "trace"]
)
def test_grade_refuses_the_traces_that_have_errors_and_warns_of_the_others(tmp_path, vector):
    path = tmp_path / "outputs.jsonl"
    path.write_text(json.dumps(json.loads(vector["source"])))
    _, document = say(run, "grade", EXAMPLES, "--outputs", path, "--json")
    told = [(found["rule"], found["severity"]) for found in document["findings"] if found["rule"].startswith("TS-7")]
    assert {rule for rule, severity in told if severity == "error"} == {item["rule"] for item in vector["errors"]}
    assert {rule for rule, severity in told if severity != "error"} >= {item["rule"] for item in vector["warnings"]}
    assert bool(document["results"]) <= vector["valid"]


def test_stored_and_compile_tell_every_task_of_the_examples():
    _, stored = say(pack, "stored", EXAMPLES, "--json")
    _, compiled = say(pack, "compile", EXAMPLES, "--json")
    names = sorted(path.stem for path in EXAMPLES.glob("evals/*/*.yaml"))
    assert sorted(case["case_key"] for case in stored["cases"]) == names
    tasks = {task["case_key"]: task for task in compiled["tasks"]}
    assert sorted(tasks) == names
    for task in tasks.values():
        suite = task_suite.suites.SUITES[task["input_set"]]
        own = stored_trials(stored, task["case_key"])
        assert (task["trials"]["count"], task["trials"]["rule"]) == (
            own.get("k", suite.k),
            own.get("metric", suite.metric),
        )


def stored_trials(stored, key):
    return next(case["document"] for case in stored["cases"] if case["case_key"] == key).get("trials", {})


def test_fmt_writes_the_canonical_folder(tmp_path):
    code, document = say(pack, "fmt", EXAMPLES, "-o", tmp_path / "out", "--json")
    assert code == 0
    for path in (FOLDER / "canonical").glob("*.yaml"):
        if path.stem != "odd_1":
            [name] = [name for name in document["files"] if name.endswith(f"/{path.name}")]
            assert document["files"][name].encode() == path.read_bytes()


def graded(tmp_path, *rows):
    path = tmp_path / "outputs.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return say(run, "grade", EXAMPLES, "--outputs", path, "--json")


def read(name):
    return json.loads((EXAMPLES / "traces" / name).read_text())


def test_the_recorded_trial_of_the_examples_is_graded_as_its_record_says(tmp_path):
    record = read("trial-record-9b21.json")
    code, document = graded(tmp_path, record)
    assert (code, {found["severity"] for found in document["findings"]}) == (0, {"note"})
    [result] = document["results"]
    assert (result["case_key"], result["verdict"]) == (record["task_id"], "pass")
    found = {grade["key"]: (grade["verdict"], grade["normalized_score"]) for grade in result["grades"]}
    assert found == {item["id"]: ("pass" if item["passed"] else "fail", item["score"]) for item in record["graders"]}


def test_the_run_behind_an_incident_does_not_pass_the_task_that_was_made_of_it(tmp_path):
    trace = read("incident-run-7f3a.json")
    code, document = graded(tmp_path, {"case_key": "incident-2026-02-11_duplicate-payout_1", "trial": trace})
    assert code == 1
    assert [result["verdict"] for result in document["results"]] != ["pass"]
