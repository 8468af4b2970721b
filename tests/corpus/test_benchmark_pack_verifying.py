"""What the vectors say of verifying answers: through `run grade`, and for rows that it refuses as a whole, directly."""

import io

import orjson
import pytest

from packs.formats import adapter_of, yamlio
from packs.formats.archives import read_path
from runs.engine.given import grade_given
from runs.grading.graders import code_completion
from runs.grading.scoring.document import grade_document
from runs.management import grading
from runs.sandbox import bubblewrap
from tests.corpora import corpus_folder

FOLDER = corpus_folder("benchmark-pack")
VECTORS, _ = yamlio.read((FOLDER / "verify-vectors.yaml").read_bytes(), file="v.yaml", dialect=yamlio.CORE_12)
PARAMS = [pytest.param(vector, id=vector["name"]) for vector in VECTORS]
TEXT = ("multiple_choice", "short_answer", "free_response")
pytestmark = pytest.mark.skipif(bool(bubblewrap.obstacle()), reason=bubblewrap.obstacle() or "confined")


@pytest.fixture(autouse=True)
def without_containers(monkeypatch, tmp_path):
    """No image of a vector exists anywhere; its verdict is that of a machine without a container engine."""
    monkeypatch.setenv("DOCKER_HOST", f"unix://{tmp_path}/none.sock")


@pytest.fixture
def pack(tmp_path):
    """Write the pack of a vector; gives its folder."""

    def write(vector):
        folder = tmp_path / "pack"
        row = {name: vector.get(name, {}) for name in ("family", "input", "eval", "environment")}
        # The agent's time limit of text families is not the verifier's, and no image is needed for words.
        (folder / "hidden").mkdir(parents=True)
        (folder / "manifest.yaml").write_text("id: vectors\nversion: 1\n")
        (folder / "tasks.jsonl").write_bytes(orjson.dumps({"id": "row", **row}) + b"\n")
        for name, text in vector.get("pack_files", {}).items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(text)
        return folder

    return write


def row_of(vector):
    """The row of outputs that hands in a submission."""
    given = vector["submission"]
    if vector["family"] == "terminal_task":
        return {"case_key": "row", "output": "", **({} if given is None else {"files": given})}
    return {"case_key": "row", "output": given, **({"files": vector["repo_files"]} if "repo_files" in vector else {})}


def graded(folder, vector, tmp_path):
    """Verdict and grade of a submission."""
    outputs, tester, out = tmp_path / "outputs.jsonl", tmp_path / "tester.yaml", io.StringIO()
    outputs.write_bytes(orjson.dumps(row_of(vector)) + b"\n")
    arguments = ["grade", str(folder), "--outputs", str(outputs), "--json"]
    if "tester_policy" in vector:
        tester.write_text(yamlio.write({"verification": vector["tester_policy"]}))
        arguments += ["--tester", str(tester)]
    code = grading.main(arguments, out, io.StringIO())
    document = orjson.loads(out.getvalue())
    if document["results"]:
        return document["results"][0]["verdict"], document["results"][0]["grades"][0]
    assert code == grading.FAILED
    return refused(folder, vector)


def refused(folder, vector):
    """A pack with errors is not graded; its verifier all the same says what upstream would."""
    pack, _ = adapter_of("benchmark_pack").load(read_path(folder)[0])
    [task] = adapter_of("benchmark_pack").compile_tasks(pack)
    row = row_of(vector)
    files = {path: text.encode() for path, text in row.get("files", {}).items()} if "files" in row else None
    outcome = grade_given(task, row["output"], (), bubblewrap, lambda file: None, files)
    [grade] = outcome.grades
    return outcome.verdict.value, grade_document(grade)


def rounded(value):
    return round(value, 6) if isinstance(value, float) else value


@pytest.mark.parametrize("vector", PARAMS)
def test_an_answer_is_judged_as_a_vector_says(vector, pack, tmp_path, monkeypatch):
    expected = vector["expected"]
    if "verifier_timeout_seconds" in vector:
        monkeypatch.setattr(code_completion, "SECONDS", float(vector["verifier_timeout_seconds"]))
    verdict, grade = graded(pack(vector), vector, tmp_path)
    facts = grade["evidence"]
    if expected["result"] == "config_error":
        assert grade["verdict"] == "error"
        assert (facts["error_type"], facts["field"]) == ("ConfigError", expected["field"])
        return
    assert (verdict, grade["normalized_score"]) == (expected["result"], expected["score"]), facts
    stated = expected.get("metadata", {})
    assert {name: rounded(facts.get(name)) for name in stated} == stated
