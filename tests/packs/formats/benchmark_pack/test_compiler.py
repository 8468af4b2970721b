import json

import pytest

from packs.formats.benchmark_pack import compile_tasks, load
from packs.formats.benchmark_pack.families import ACTIVE
from tests.packs.formats.benchmark_pack.samples import STARTS, pack_files

SECRET = "s3cr3t-value"


def tasks_of(*rows, manifest=None, beside=None):
    pack, _ = load(pack_files(manifest, rows, beside))
    return list(compile_tasks(pack))


def with_secrets(family):
    row = {"id": "a", "family": family, **STARTS[family]}
    return {**row, "eval": {**row["eval"], "own_secret": SECRET}, "metadata": {"note": SECRET}}


@pytest.mark.parametrize("family", list(ACTIVE))
def test_what_is_hidden_is_nowhere_in_what_an_agent_gets(family):
    [task] = tasks_of(with_secrets(family))
    told = json.dumps(task.for_agent()) + "".join(file.text or "" for file in task.environment.files)
    assert SECRET not in told
    for name, value in STARTS[family]["eval"].items():
        assert name not in task.visible
        assert isinstance(value, int) or json.dumps(value)[1:-1] not in told
    assert SECRET in json.dumps(task.hidden)


@pytest.mark.parametrize("family", list(ACTIVE))
def test_each_active_family_is_judged_by_its_own_verifier(family):
    [task] = tasks_of({"id": "a", "family": family, **STARTS[family]})
    assert [grader.kind for grader in task.graders] == [family]
    assert task.challenge_key == family


def test_a_family_without_verifier_stays_without_a_verdict():
    [task] = tasks_of({"id": "a", "family": "tool_call", "input": {"prompt": "P"}})
    assert (task.graders, task.scoring.dimensions) == ((), ())


def test_agents_find_their_task_and_public_files_and_no_hidden_one():
    row = {
        "id": "a",
        "family": "terminal_task",
        "input": {"instructions": "Sort é"},
        "assets": [{"path": "data", "mount": "work", "read_only": False}],
        "eval": {"checker": {"command": "sh run"}, "run_tests": {"path": "run.sh"}},
        "environment": {"workdir": "/app", "timeout_seconds": 9},
    }
    beside = {"assets/data/a.txt": "a", "assets/data/b/c.txt": "c", "assets/other.txt": "o", "hidden/run.sh": "true"}
    [task] = tasks_of(row, beside=beside)
    files = {file.path: file for file in task.environment.files}
    assert set(files) == {"task.json", "securebench/public/instructions.json", "work/a.txt", "work/b/c.txt"}
    assert files["work/b/c.txt"].asset_key == "assets/data/b/c.txt"
    assert not files["work/a.txt"].read_only
    assert files["task.json"].text == (
        '{\n  "assets": [\n    {\n      "mount": "work",\n      "path": "data",\n'
        '      "read_only": false\n    }\n  ],\n'
        '  "instructions": "Sort \\u00e9"\n}\n'
    )
    assert (task.environment.working_directory, task.budgets.wall_seconds) == ("/app", 9)
    staged = {file.path: file.asset_key for file in task.graders[0].files}
    assert staged == {
        "securebench/public/instructions.json": "",
        "securebench/evaluation_inputs/checker.json": "",
        "securebench/evaluation_inputs/run.sh": "hidden/run.sh",
    }


@pytest.mark.parametrize(
    ("family", "changes", "gold"),
    [
        ("multiple_choice", {"answer": 1}, "B"),
        ("multiple_choice", {"answer": ["23", 0]}, "B"),
        ("multiple_choice", {"answer": "none of them"}, "none of them"),
        ("short_answer", {"accepted_answers": [42, "x"]}, "42"),
        ("free_response", {}, "missing label"),
        ("code_completion", {"canonical_solution": "def double(x): ..."}, "def double(x): ..."),
        ("repo_patch", {"gold_patch": "diff --git a/x b/x"}, "diff --git a/x b/x"),
        ("terminal_task", {}, None),
    ],
)
def test_the_gold_answer_is_what_the_verifier_accepts(family, changes, gold):
    start = STARTS[family]
    [task] = tasks_of({"id": "a", "family": family, **start, "eval": {**start["eval"], **changes}})
    assert task.reference == gold


def test_lines_that_are_no_rows_are_passed_over():
    pack, _ = load(pack_files(lines=["oops", '{"id": "a"}']))
    assert [task.case_key for task in compile_tasks(pack)] == ["a"]
    assert list(compile_tasks(pack, "other.jsonl")) == []
