"""A task that endings of a workspace try to get through, with every grader that runs programs."""

import glob
import sys
from dataclasses import dataclass, replace
from pathlib import Path

from packs.formats.task import Dimension, Environment, GraderSpec, Scoring, WorkspaceFile, WorkspacePlan
from tests.runs.sandbox.endings import program
from tests.runs.sandbox.rooms import PYTHON
from tests.runs.tasks import make_task

GIVEN = {
    "answer.py": "def answer():\n    return 0\n",
    "tests/test_answer.py": "from answer import answer\n\n\ndef test_answer():\n    assert answer() == 42\n",
    # To these the work is a program of its own, whose word counts for nothing beyond what it computes.
    "tests/check.sh": """\
code="import sys; sys.path.insert(0, '.'); from answer import answer; sys.stderr.write(str(answer()))"
if [ "$(python3 -S -c "$code" 2>&1 >/dev/null)" = 42 ]; then echo "1 passed"; else echo "1 failed"; exit 1; fi
""",
    "tests/run.sh": "sh tests/check.sh && echo PASSED answer || { echo FAILED answer; exit 1; }\n",
}
RIGHT = "def answer():\n    return 42\n"
IMAGE = {"image": "any"}
CHECKER = WorkspaceFile("securebench/evaluation_inputs/check.sh", "sh tests/check.sh\n")
# Reads the work without running it, and runs it.
CODE_GRADER = """\
import json, pathlib, subprocess, sys
told = json.load(sys.stdin)
place = pathlib.Path(told["workspace_path"])
code = "from answer import answer; print(answer())"
made = subprocess.run([sys.executable, "-c", code], cwd=place, capture_output=True)
print(json.dumps({"score": float(made.stdout == b"42\\n")}))
"""
ASSERTION = {"name": "code", "type": "code-grader", "command": ["python3", "grade.py"], "directory": "evals"}
CASE = {"id": "one", "folder": "evals"}
SECONDS = 60.0

SPECS = {
    "tests": ("code_execution", {"test_command": "python3 -m pytest -q tests/test_answer.py"}),
    "program": ("code_execution", {"test_command": "sh tests/check.sh", "pass_threshold": 0.5}),
    "runner": (
        "suite.deterministic_tests",
        {"grader": {"commands": ["sh tests/run.sh"], "required_tests": ["answer"]}},
    ),
    "named": (
        "suite.deterministic_tests",
        {"grader": {"required_tests": ["tests/test_answer.py::test_answer"]}},
    ),
    "analysis": ("suite.static_analysis", {"grader": {"commands": ["sh tests/run.sh"]}}),
    "terminal": (
        "terminal_task",
        {"checker": {"command": f"sh {CHECKER.path}"}, "environment": IMAGE},
    ),
    "code": ("agentv.code-grader", {"assertion": ASSERTION, "test": CASE}),
    "completion": (
        "code_completion",
        {"tests": {"source": "inline", "code": "assert answer() == 42"}, "environment": IMAGE},
    ),
}
# The other one looks at the answer alone.
OF_WORKSPACES = tuple(name for name in SPECS if name != "completion")
WITH_PYTEST = ("tests", "named")


def spec(name, seconds):
    """A grader whose programs have so many seconds, each said in the words of its format."""
    kind, stated = SPECS[name]
    config = {**stated, "seconds": seconds} if kind.startswith("agentv.") else dict(stated)
    if kind == "code_execution":
        config["timeout_ms"] = round(seconds * 1000)
    for part in ("grader", "checker"):
        if part in config:
            config[part] = {**config[part], "timeout_seconds": seconds}
    files = (CHECKER,) if kind == "terminal_task" else ()
    return GraderSpec(name, kind, "final_output", config=config, files=files)


def task_graded_by(*names, seconds=SECONDS):
    """A task whose agent has a folder to work in and less disk than others."""
    environment = Environment(
        files=tuple(WorkspaceFile(path, text) for path, text in GIVEN.items()),
        filesystem={"max_workspace_bytes": 16 * 2**20},
        workspace=WorkspacePlan(),
        material=(WorkspaceFile("evals/grade.py", CODE_GRADER),),
    )
    task = make_task(environment=environment, graders=tuple(spec(name, seconds) for name in names))
    dimensions = tuple(Dimension(name, "grader", graders=(name,), gate=True) for name in names)
    return replace(task, scoring=Scoring(dimensions, strategy="every_critical"), hidden=CASE)


def ended_by(name):
    """The configuration of an agent that ends its workspace in this way."""
    return {"arguments": [PYTHON, "-S", "-c", program(name)]}


@dataclass(frozen=True)
class WithPytest:
    """A sandbox whose programs find pytest, which the machine's own Python may not have."""

    kind: object

    @property
    def ISOLATION(self):
        return self.kind.ISOLATION

    def open_workspace(self, room):
        folder = next(Path(path) for path in sys.path if glob.glob(f"{path}/pytest-*.dist-info"))
        variables = {**room.variables, "PYTHONPATH": str(folder), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
        shared = (*room.shared_paths, str(folder))
        return self.kind.open_workspace(replace(room, variables=variables, shared_paths=shared))
