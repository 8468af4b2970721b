"""Reports that pytest leaves of the tests that a grader had run: taken from the workspace and recorded."""

import secrets
from typing import Any

from runs.engine.workspace.programs import run_program
from runs.grading.graders.commands import GraderCommand
from runs.grading.graders.pytest_reports import MAX_REPORT, VARIABLE, is_awaited, read_report
from runs.grading.graders.suite.programs import is_named
from runs.sandbox.contract import Command, CommandResult, Workspace


def run_reported(workspace: Workspace, command: GraderCommand, whole: Command) -> tuple[CommandResult, dict[str, Any]]:
    """Run a grader's command; its result, and what is recorded of reports. Raises as `Workspace.run`.

    Nobody knows their names before, so nothing that lies there already is taken for one.
    """
    name = f".packwright-{secrets.token_hex(8)}"
    result = run_program(workspace, whole.with_variables({VARIABLE: f"{workspace.working_directory}/{name}"}))
    found = [_taken(workspace, command, text, f"{name}.{index}") for index, text in enumerate(command.texts)]
    counts = any(report["awaited"] or report["written"] for report in found)
    return result, {"reports": found} if counts else {}


def _taken(workspace: Workspace, command: GraderCommand, text: str, path: str) -> dict[str, Any]:
    """What is recorded of the report of one command, which is gone afterwards."""
    found = workspace.read_file(path, MAX_REPORT)
    workspace.delete(path)
    report = None if found is None or found.is_truncated else read_report(found.content)
    reported = {"awaited": is_awaited(text), "written": report is not None}
    if report is None:
        return reported
    wanted = {test for test in report.tests if any(is_named(name, test) for name in command.tests)}
    return {**reported, **report.as_dict(wanted)}
