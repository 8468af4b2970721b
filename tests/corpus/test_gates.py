"""The gates of the corpus through the command line: verdicts, exit codes, conditions and members."""

import io
import json

import pytest
from django.core.management import call_command

from packs.formats import yamlio
from runs.gates import SHORT
from tests.corpora import corpus_folder

VECTORS, _ = yamlio.read((corpus_folder("task-suite") / "metrics-vectors.yaml").read_bytes(), dialect=yamlio.CORE_12)
CASES = [
    pytest.param(case["input"], case["expect"], id=case["id"]) for case in VECTORS["cases"] if case["kind"] == "gate"
]
NAMES = {gate: short for short, gate in SHORT.items()}


def asked(folder, given):
    """Exit code and report of `manage.py gate check` on the files of a vector."""
    arguments = ["check", str(folder / "candidate.json"), "--gate", NAMES[given["gate"]], "--json"]
    parts = {"candidate": given["candidate"], "baseline": given["baseline"], "policy": given.get("config")}
    for name, value in parts.items():
        if value is not None:
            (folder / f"{name}.json").write_text(json.dumps(value))
            arguments += [f"--{name}", str(folder / f"{name}.json")] if name != "candidate" else []
    out = io.StringIO()
    try:
        call_command("gate", *arguments, stdout=out, stderr=io.StringIO())
    except SystemExit as ended:
        return ended.code, json.loads(out.getvalue())
    return 0, json.loads(out.getvalue())


@pytest.mark.parametrize(("given", "expected"), CASES)
def test_a_gate_says_on_the_command_line_what_is_stated(tmp_path, given, expected):
    code, report = asked(tmp_path, given)
    assert (report["verdict"], code) == (expected["verdict"], expected["exit_code"])
    assert [task["task_id"] for task in report["tasks"]] == expected["members"]
    assert {condition["id"]: condition["status"] for condition in report["conditions"]} == expected["conditions"]
