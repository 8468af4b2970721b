import io
import os
import re
import subprocess
import sys
from pathlib import Path

import orjson
import pytest

from runs.management import grading
from tests.runs.studio_packs import pack_text

ROOT = Path(__file__).parents[3]


@pytest.fixture
def pack(tmp_path):
    path = tmp_path / "pack.yaml"
    path.write_text(pack_text({"day": 2, "night": 1}))
    return path


@pytest.fixture
def grade(tmp_path, pack):
    """Grade rows against the pack; gives exit code and document."""

    def act(*rows, lines=b""):
        file = tmp_path / "outputs.jsonl"
        file.write_bytes(b"".join(orjson.dumps(row) + b"\n" for row in rows) + lines)
        out = io.StringIO()
        code = grading.main(["grade", str(pack), "--outputs", str(file), "--json"], out, io.StringIO())
        return code, orjson.loads(out.getvalue())

    return act


def errors(document):
    return [found for found in document["findings"] if found["severity"] == "error"]


def test_outputs_that_pass_exit_with_zero(grade):
    code, document = grade({"case_key": "case-0001", "output": "at the hub"})
    [entry] = document["results"]
    assert (code, entry["verdict"], entry["score"], entry["input_set"]) == (grading.FINE, "pass", 1.0, "day")
    assert entry["grades"][0]["key"] == "answer"


def test_an_output_that_fails_exits_with_one(grade):
    code, document = grade(
        {"case_key": "case-0001", "output": "nowhere"}, {"case_key": "case-0001", "output": "at the hub"}
    )
    assert (code, [entry["verdict"] for entry in document["results"]]) == (grading.FAILED, ["fail", "pass"])


def test_a_key_that_several_sets_use_needs_the_set(grade):
    code, document = grade({"case_key": "case-0000", "output": "hub"})
    assert (code, [found["code"] for found in errors(document)]) == (grading.FAILED, ["outputs.E003"])
    _, document = grade({"case_key": "case-0000", "input_set": "night", "output": "hub"})
    assert document["results"][0]["input_set"] == "night"


def test_what_cannot_be_graded_is_a_finding_at_its_line_and_the_rest_is_graded(grade):
    rows = [
        {"case_key": "nope", "output": "x"},
        {"case_key": "case-0001"},
        [],
        {"case_key": "case-0001", "output": "hub"},
    ]
    code, document = grade(*rows, lines=b"not json\n")
    assert code == grading.FAILED
    assert [(found["code"], found["line"]) for found in errors(document)] == [
        ("outputs.E002", 1),
        ("outputs.E001", 2),
        ("outputs.E001", 3),
        ("json.E001", 5),
    ]
    assert len(document["results"]) == 1


def test_recorded_events_are_graded(grade):
    done = {"event_type": "system.run.completed", "payload": {"final_output": "the hub"}}
    _, document = grade({"case_key": "case-0001", "events": [done]})
    assert document["results"][0]["verdict"] == "pass"


def test_a_pack_with_errors_is_not_graded_against(grade, pack):
    pack.write_text(pack_text({"day": 1}).replace("slug: parcels", "slug: ''"))
    code, document = grade({"case_key": "case-0000", "output": "hub"})
    assert (code, document["results"]) == (grading.FAILED, [])
    assert document["findings"]


def test_wrong_usage_exits_with_two(pack, tmp_path):
    err = io.StringIO()
    for arguments in (
        ["grade"],
        ["grade", str(pack), "--outputs", str(tmp_path / "none")],
        ["grade", "none", "--outputs", "x"],
    ):
        assert grading.main(arguments, io.StringIO(), err) == grading.USAGE
    assert err.getvalue()


def test_the_command_needs_neither_database_nor_django(pack, tmp_path):
    file = tmp_path / "outputs.jsonl"
    file.write_text('{"case_key": "case-0001", "output": "the hub"}\n')
    command = [sys.executable, "-X", "importtime", "manage.py", "run", "grade", str(pack), "--outputs", str(file)]
    environment = {**os.environ, "DATABASE_URL": "postgres://nobody@127.0.0.1:1/none"}
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, env=environment, check=False)
    assert done.returncode == 0
    assert "pass rate 100 % (1 of 1 judged)" in done.stdout
    assert re.search(r"^pass +1\.000  day/case-0001$", done.stdout, re.M)
    assert not [line for line in done.stderr.splitlines() if line.rpartition("|")[2].strip() in ("django", "celery")]
