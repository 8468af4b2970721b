"""A SWE-style suite of AgentV from its files to its verdicts: a repository, patches, hooks, focused tests."""

import json
import subprocess

import pytest

from packs.formats.agentv.compiler import compile_tasks
from packs.formats.agentv.reader import load
from runs.engine.outcome import Verdict
from runs.engine.workspace import Site
from runs.replay import index_steps
from runs.sandbox import SANDBOXES
from runs.sandbox.bubblewrap.etc import open_for_all
from tests.runs.tasks import payload, run, types

CONFINED = SANDBOXES["bubblewrap"]
pytestmark = pytest.mark.skipif(bool(CONFINED.obstacle()), reason=CONFINED.obstacle() or "confined")

SUITE = """\
$schema: agentv-eval-v2
name: calculator
workspace:
  isolation: per_test
  repos:
    - path: ./repo
      source: {{type: local, path: {folder}}}
      checkout: {{base_commit: {commit}}}
  hooks:
    before_each:
      command: [python3, ./scripts/apply-test-patch.py]
assertions:
  - name: focused-tests
    type: code-grader
    command: [python3, ./graders/run-focused-tests.py]
    required: true
tests: ./cases/
"""
CASE = """\
criteria: The focused tests pass.
input:
  - role: user
    content:
      - {{type: file, value: cases/{name}/prompt.md}}
      - {{type: text, value: Keep the change small.}}
metadata:
  test_patch: cases/{name}/test.patch
  fail_to_pass_tests: [test_{name}.py]
"""
APPLY = """\
import json, pathlib, subprocess, sys
told = json.load(sys.stdin)
patch = pathlib.Path(told["case_metadata"]["test_patch"]).resolve()
repo = pathlib.Path(told["workspace_path"], "repo")
subprocess.run(["git", "-C", str(repo), "apply", str(patch)], check=True)
pathlib.Path(told["workspace_path"], "focused.json").write_text(json.dumps(told["case_metadata"]["fail_to_pass_tests"]))
print("applied", patch.name)
"""
FOCUSED = """\
import json, pathlib, subprocess, sys
told = json.load(sys.stdin)
workspace = pathlib.Path(told["workspace_path"])
checks = []
for name in json.loads((workspace / "focused.json").read_text()):
    done = subprocess.run(["python3", name], cwd=workspace / "repo", capture_output=True, text=True)
    checks.append({"text": name, "passed": done.returncode == 0, "evidence": done.stderr[-200:]})
changed = told["file_changes"] or ""
print(json.dumps({"assertions": checks, "details": {"touches_calc": "repo/calc.py" in changed}}))
"""
CALC = "def add(a, b):\n    return a - b\n\n\ndef divide(a, b):\n    return a * b\n"
TESTS = {"add": "assert calc.add(2, 3) == 5", "divide": "assert calc.divide(6, 3) == 2"}
# Mends the one mistake that it can see, whatever it is asked.
AGENT = """
import pathlib
path = pathlib.Path("repo/calc.py")
path.write_text(path.read_text().replace("return a - b", "return a + b"))
print("Mended.")
"""


def patch_of(name):
    lines = ["import calc", "", TESTS[name]]
    head = f"diff --git a/test_{name}.py b/test_{name}.py\nnew file mode 100644\n--- /dev/null\n+++ b/test_{name}.py\n"
    return f"{head}@@ -0,0 +1,{len(lines)} @@\n" + "".join(f"+{line}\n" for line in lines)


@pytest.fixture
def repository(tmp_path):
    folder = tmp_path / "calculator"
    folder.mkdir()
    (folder / "calc.py").write_text(CALC)
    for arguments in (["init", "--quiet"], ["add", "."], ["commit", "--quiet", "-m", "Calculate"]):
        identity = ["-c", "user.name=t", "-c", "user.email=t@localhost"]
        subprocess.run(["git", "-C", folder, *identity, *arguments], check=True)
    found = subprocess.run(["git", "-C", folder, "rev-parse", "HEAD"], check=True, capture_output=True, text=True)
    # Programs clone as other users.
    open_for_all(folder)
    return folder, found.stdout.strip()


@pytest.fixture
def suite(repository):
    """The tasks of the suite by their cases, and who reads their files."""
    folder, commit = repository
    files = {"calculator.eval.yaml": SUITE.format(folder=folder, commit=commit)}
    files |= {"scripts/apply-test-patch.py": APPLY, "graders/run-focused-tests.py": FOCUSED}
    for name in TESTS:
        files |= {
            f"cases/{name}/case.yaml": CASE.format(name=name),
            f"cases/{name}/prompt.md": f"Mend {name} in repo/calc.py.\n",
            f"cases/{name}/test.patch": patch_of(name),
        }
    pack, findings = load({name: text.encode() for name, text in files.items()})
    assert [finding for finding in findings if finding.is_error] == []
    contents = {asset.key: asset.content for asset in pack.assets}
    return {task.case_key: task for task in compile_tasks(pack)}, lambda file: contents.get(file.asset_key)


def start(suite, repository, name, code=AGENT):
    tasks, read_asset = suite
    task = next(task for key, task in tasks.items() if key.endswith(name))
    config = {"arguments": ["python3", "-c", code]}
    site = Site("run-1", (str(repository[0].parent),))
    return run(task, "command", config, sandbox=CONFINED, read_asset=read_asset, site=site)


def test_the_agent_solves_one_case_and_not_the_other(suite, repository):
    outcomes = {name: start(suite, repository, name)[0] for name in TESTS}
    assert {name: outcome.verdict for name, outcome in outcomes.items()} == {
        "add": Verdict.PASSED,
        "divide": Verdict.FAILED,
    }, [outcome.error for outcome in outcomes.values()]
    assert [outcome.score for outcome in outcomes.values()] == [1.0, 0.0]


def test_hooks_the_diff_and_what_the_grader_said_are_in_the_replay(suite, repository):
    outcome, events = start(suite, repository, "add")
    assert payload(events, "workspace.repository.placed")["commit"] == repository[1]
    assert payload(events, "workspace.hook.completed")["stdout"] == "applied test.patch\n"
    diff = payload(events, "workspace.changed")["diff"]
    assert "-    return a - b\n+    return a + b\n" in diff
    assert "test_add.py" not in diff
    said = json.loads(payload(events, "grader.verification.code_executed")["stdout"])
    assert said["details"] == {"touches_calc": True}
    [grade] = outcome.grades
    assert grade.raw["row"]["checks"] == [{"text": "test_add.py", "passed": True}]
    assert {event["event_type"] for event in events} >= {"workspace.hook.completed", "workspace.changed"}
    assert index_steps(events)


def test_the_agent_sees_the_prompt_and_neither_hooks_nor_graders(suite, repository):
    code = "import pathlib, sys; print(sorted(str(p) for p in pathlib.Path('.').rglob('*.py')), sys.stdin.read())"
    outcome, _ = start(suite, repository, "add", code)
    listed, _, told = outcome.final_output.partition("] ")
    assert listed == "['repo/calc.py', 'repo/test_add.py'"
    assert "Mend add in repo/calc.py." in json.loads(told)["prompt"]
    assert "run-focused-tests" not in told


MISBEHAVING = {
    "hangs": "while True: pass",
    "forks": "import os, time\nwhile True:\n    if os.fork() == 0: time.sleep(60)",
    "floods": "print('x' * 3_000_000)",
    "deletes its workspace": "import subprocess; subprocess.run('rm -rf * .[!.]*', shell=True, cwd=W)",
}


@pytest.mark.parametrize("code", MISBEHAVING.values(), ids=MISBEHAVING)
def test_a_grader_that_misbehaves_ends_its_own_trial_with_an_error(suite, repository, code, monkeypatch):
    tasks, read_asset = suite
    broken = f"import sys, os; sys.stdin.read(); W = os.environ['AGENTV_WORKSPACE_PATH']\n{code}".encode()

    def read_broken(file):
        return broken if file.path.endswith("run-focused-tests.py") else read_asset(file)

    with monkeypatch.context() as briefly:
        briefly.setattr("runs.grading.graders.agentv.programs.SECONDS", 1.5)
        outcome, events = start((tasks, read_broken), repository, "add")
    assert (outcome.verdict, outcome.fault) == (Verdict.ERROR, "pack"), outcome.error
    assert "focused-tests" in outcome.error
    assert types(events)[-1] == "scoring.completed"
    assert start(suite, repository, "add")[0].verdict is Verdict.PASSED


@pytest.mark.parametrize(
    ("code", "told"),
    [("open('/etc/passwd', 'w')", "/etc/passwd"), ("open('calculator.eval.yaml', 'w')", "calculator.eval.yaml")],
    ids=["outside", "into the pack"],
)
def test_a_grader_that_writes_where_it_may_not_fails_with_what_it_said(suite, repository, code, told):
    tasks, read_asset = suite
    broken = f"import sys; sys.stdin.read()\n{code}".encode()

    def read_broken(file):
        return broken if file.path.endswith("run-focused-tests.py") else read_asset(file)

    outcome, _ = start((tasks, read_broken), repository, "add")
    assert (outcome.verdict, outcome.score) == (Verdict.FAILED, 0.0)
    assert told in outcome.grades[0].reason


def test_a_grader_that_ends_without_reading_a_long_input_is_an_error_of_the_pack(suite, repository):
    tasks, read_asset = suite

    def read_broken(file):
        return b"print('{\"score\": 0.9}')" if file.path.endswith("run-focused-tests.py") else read_asset(file)

    broken = (tasks, read_broken)
    outcome, _ = start(broken, repository, "add", code="print('x' * 2_000_000)")
    assert (outcome.verdict, outcome.fault) == (Verdict.ERROR, "pack")
    assert "focused-tests" in outcome.error
    assert start(broken, repository, "add", code="print('x')")[0].score == 0.9
