"""A grader's command without its program is trouble of the machine; what an agent's program ends so is a failure."""

from dataclasses import replace

import pytest

from packs.formats.task import Dimension, Environment, GraderSpec, Scoring, WorkspaceFile, WorkspacePlan
from runs.engine.missing import programs_of
from runs.engine.outcome import Verdict
from runs.sandbox import SANDBOXES
from tests.runs.tasks import make_task, run

NOWHERE = "no-such-judge --strict"


def task_checked_by(command, kind):
    specs = {
        "terminal_task": {"checker": {"command": command}, "environment": {"image": "any"}},
        "code_execution": {"test_command": command},
        "suite.static_analysis": {"grader": {"commands": [command]}},
    }
    grader = GraderSpec("it", kind, "final_output", config=specs[kind])
    environment = Environment(workspace=WorkspacePlan(), files=(WorkspaceFile("run.sh", "exit 127\n"),))
    scoring = Scoring((Dimension("it", "grader", graders=("it",), gate=True),), strategy="every_critical")
    return replace(make_task(environment=environment, graders=(grader,)), scoring=scoring)


@pytest.mark.parametrize("kind", ["terminal_task", "code_execution", "suite.static_analysis"])
@pytest.mark.parametrize(
    ("command", "verdict", "fault"),
    [
        (NOWHERE, Verdict.ERROR, "machine"),
        (f"cd . && MODE=all {NOWHERE}", Verdict.ERROR, "machine"),
        # What the agent was to leave there, and what it ends itself.
        ("./no-such-program", Verdict.FAILED, ""),
        ("sh run.sh", Verdict.FAILED, ""),
        ("exit 126", Verdict.FAILED, ""),
        (f"sh run.sh || {NOWHERE}", Verdict.FAILED, ""),
    ],
)
def test_only_a_program_that_the_sandbox_lacks_excuses_the_agent(kind, command, verdict, fault):
    outcome, _ = run(task_checked_by(command, kind), "echo", sandbox=SANDBOXES["local"])
    assert (outcome.verdict, str(outcome.fault)) == (verdict, fault), outcome.grades
    assert ("has no program 'no-such-judge'" in str(outcome.grades[0].reason)) == (verdict is Verdict.ERROR)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("pytest -q tests", ["pytest"]),
        ("cd app && CI=1 npm test", ["cd", "npm"]),
        ("./run.sh && jq . out.json", ["jq"]),
        ("make; other", ["make"]),
        ("make\nother", ["make"]),
        ("a || b", []),
        ("cat x | grep y", ["cat"]),
        ("(a && b)", []),
        ("echo 'open", []),
        ("grep 'a && b' file", ["grep"]),
        ("$CHECKER --all", []),
    ],
)
def test_the_programs_that_a_line_cannot_do_without(text, expected):
    assert list(programs_of(text)) == expected
