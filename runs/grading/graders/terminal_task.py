"""terminal_task: a command finds the workspace in the wanted state (benchmark-pack 9.7)."""

import shlex
from collections.abc import Mapping
from typing import Any

from packs.formats.environment import DANGEROUS_COMMANDS
from packs.formats.task import GraderSpec, Task
from runs.grading.graders.commands import GraderCommand
from runs.grading.graders.comparison import NOTHING, finish
from runs.grading.graders.contract import Grade, Judgement, decided
from runs.grading.graders.evidence import Evidence
from runs.grading.graders.executions import judge_execution
from runs.grading.graders.pytest_reports import asking
from runs.grading.graders.unusable import no_candidate, unusable

SECONDS = 300.0
IN_FOLDER = f'cd "$1" || exit 126\nshift\n{asking(0)}\nexec "$@"'


def trouble(config: Mapping[str, Any]) -> Judgement | None:
    """Why nothing can be verified; None when it can."""
    checker, environment = config.get("checker"), config.get("environment") or {}
    if not isinstance(checker, dict) or not checker.get("command"):
        return unusable("checker", "needs a command")
    image = environment.get("image")
    if not isinstance(image, str) or not image.strip():
        return unusable("environment.image", "is needed to verify a workspace")
    if "timeout_seconds" in checker:
        return None
    seconds = environment.get("timeout_seconds")
    if seconds is not None and (isinstance(seconds, bool) or not isinstance(seconds, int | float) or seconds <= 0):
        return unusable("environment.timeout_seconds", "must be a number above 0")
    return None


def denial(config: Mapping[str, Any]) -> Judgement | None:
    """Why the checker may not run the commands that it needs; None when it may (benchmark-pack 11.3)."""
    needed = list(dict.fromkeys(name.strip() for name in config.get("needed_commands") or ()))
    policy = config.get("tester_policy") or {}
    denied = [name for name in needed if name in (policy.get("deny_commands") or ())]
    is_strict = policy.get("disallow_dangerous_commands", True)
    reason = "tester_denied_commands" if denied else "tester_disallow_dangerous_commands"
    denied = denied or (needed if is_strict else [])
    if not denied:
        return None
    return decided(
        False,
        f"the checker needs {', '.join(denied)}, which needs the right {DANGEROUS_COMMANDS.get(denied[0], '')}",
        verifier="terminal_task",
        phase="checker",
        failure_reason="verifier_dangerous_command_denied",
        denied_command=denied[0],
        denied_commands=denied,
        denial_reason=reason,
        needed_commands=needed,
        tester_disallow_dangerous_commands=is_strict,
        tester_denied_commands=list(policy.get("deny_commands") or ()),
    )


def command(spec: GraderSpec, task: Task, output: str) -> GraderCommand | None:
    """The checker in a copy of the workspace that also holds its hidden files; None where it may not run."""
    config = spec.config or {}
    if trouble(config) or denial(config):
        return None
    checker, environment = config["checker"], config["environment"]
    written, home = checker["command"], task.environment.working_directory
    run = ("sh", "-lc", written) if isinstance(written, str) else tuple(written)
    folder = checker.get("workdir") or home
    return GraderCommand(
        key=spec.key,
        arguments=("sh", "-c", IN_FOLDER, "sh", "." if folder == home else folder, *run),
        seconds=float(checker.get("timeout_seconds") or environment.get("timeout_seconds") or SECONDS),
        target=spec.target,
        files=spec.files,
        texts=(written if isinstance(written, str) else shlex.join(map(str, written)),),
        facts={"image": environment["image"], "workdir": folder, "workspace_root": home, "command": written},
    )


def grade(spec: GraderSpec, evidence: Evidence) -> Grade:
    found = trouble(spec.config or {}) or denial(spec.config or {})
    if found:
        return finish(spec, found)
    execution = evidence.recording.executions.get(spec.key)
    if execution is None:
        return finish(spec, no_candidate("there is no workspace to look at"))
    return finish(
        spec, judge_execution(execution.payload, "terminal_task", "checker"), NOTHING, NOTHING, execution.source
    )
