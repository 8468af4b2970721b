"""code_execution: the result of a test command, run in the sandbox after the agent, is good enough.

`command` says what is to be run; its result is a `grader.verification.code_executed` event (challenge-pack d.3, h.3).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from packs.formats.kinds import Settings
from packs.formats.kinds.settings import BadSettings
from packs.formats.task import GraderSpec, Task
from runs.grading.graders.commands import GraderCommand
from runs.grading.graders.comparison import NOTHING, finish, guarded, settings_of
from runs.grading.graders.contract import Grade, Judgement, decided, infra_error, unavailable
from runs.grading.graders.evidence import Evidence
from runs.grading.graders.outputs import count_tests
from runs.grading.graders.pytest_reports import asking, doubt, is_cut_short, reports_in
from runs.grading.graders.values import as_count

SHOWN = ("test_command", "timeout_ms", "exit_code", "timed_out", "stdout", "stderr", "target_path")


@dataclass(frozen=True, slots=True)
class Counts:
    """How many tests passed, failed and could not be run; None where nothing was said."""

    passed: int | None
    failed: int | None
    errors: int | None
    total: int

    @property
    def is_clean(self) -> bool:
        return not self.failed and not self.errors


def _stated_counts(result: Mapping[str, Any]) -> Counts | None:
    """The counts that a result states; None when it states none."""
    passed, failed, errors = (as_count(result.get(f"{name}_tests")) for name in ("passed", "failed", "error"))
    total = as_count(result.get("total_tests")) or 0
    if total <= 0:
        total = sum(count or 0 for count in (passed, failed, errors))
    return Counts(passed, failed, errors, total) if total > 0 else None


def _score(result: Mapping[str, Any], scoring: str) -> tuple[float, str] | None:
    """Score and what it rests on; None when the result says nothing.

    The counts are read from the output where the command is run, so the output is read here only for results without
    an exit code, which come from elsewhere. Where pytest left a report, that counts and not what was printed; and a
    command that failed although all its tests are said to have passed, or the other way round, has failed.
    """
    exit_code = as_count(result.get("exit_code"))
    report = next(iter(reports_in(result)), {})
    counts = _reported_counts(report) or _stated_counts(result)
    is_doubted = exit_code == 0 or is_cut_short(report)
    why = doubt(report) if is_doubted else _contradiction(counts, exit_code)
    scored = (0.0, why) if why else _score_counts(counts, scoring)
    if scored is not None or exit_code is not None:
        return scored or (float(exit_code == 0), f"the command ended with code {exit_code}")
    counted = count_tests(f"{result.get('stdout') or ''}\n{result.get('stderr') or ''}")
    return _score_counts(Counts(*counted), scoring) if counted else None


def _reported_counts(report: Mapping[str, Any]) -> Counts | None:
    """The counts of the report that pytest left of the command; None where there is none, or it does not count."""
    if not report.get("awaited") or not report.get("written"):
        return None
    passed, failed, errors = (as_count(report.get(state)) or 0 for state in ("passed", "failed", "error"))
    total = passed + failed + errors
    return Counts(passed, failed, errors, total) if total else None


def _contradiction(counts: Counts | None, code: int | None) -> str:
    """What speaks against counts without a failure: a command that was run here, and failed."""
    if counts is None or code is None or counts.failed or counts.errors or counts.passed != counts.total:
        return ""
    return f"{counts.passed} of {counts.total} tests are said to have passed, but the command ended with code {code}"


def _score_counts(counts: Counts | None, scoring: str) -> tuple[float, str] | None:
    if counts is None:
        return None
    if scoring == "all_or_nothing":
        return float(counts.is_clean), f"{counts.failed or 0} failed, {counts.errors or 0} errors of {counts.total}"
    if counts.passed is None:
        return None
    return min(1.0, max(0.0, counts.passed / counts.total)), f"{counts.passed} of {counts.total} tests passed"


def command(spec: GraderSpec, task: Task, output: str) -> GraderCommand | None:
    """The test command, run by a login shell; None where the specification has none that can be run."""
    try:
        settings = settings_of(spec)
    except BadSettings:
        return None
    written = settings["test_command"]
    if not written:
        return None
    captures = {capture.key: capture.path for capture in task.environment.captures}
    return GraderCommand(
        key=spec.key,
        arguments=("sh", "-c", f'{asking(0)}\nexec sh -lc "$1"', "sh", written),
        texts=(written,),
        seconds=settings["timeout_ms"] / 1000,
        target=spec.target,
        target_path=captures.get(spec.target.removeprefix("file:"), ""),
        files=spec.files,
        facts={name: settings[name] for name in ("test_command", "scoring", "pass_threshold")},
    )


def judge(result: Mapping[str, Any], settings: Settings) -> Judgement:
    """Judge the payload of a code_executed event."""
    shown = {name: result[name] for name in SHOWN if result.get(name) not in (None, "")}
    error = result.get("execution_error")
    if isinstance(error, str) and error.strip():
        return infra_error(f"the test command could not be started: {error}", **shown)
    if result.get("timed_out") is True:
        return decided(False, "the test command ran out of time", **shown)
    scored = _score(result, settings["scoring"])
    if scored is None:
        return unavailable("the test command left no result", **shown)
    return decided(scored[0] >= settings["pass_threshold"], scored[1], score=scored[0], **shown)


def grade(spec: GraderSpec, evidence: Evidence) -> Grade:
    execution = evidence.recording.executions.get(spec.key)
    if execution is None:
        return finish(spec, guarded(lambda: without_result(spec)))
    judgement = guarded(lambda: judge(execution.payload, settings_of(spec)))
    return finish(spec, judgement, NOTHING, NOTHING, execution.source)


def without_result(spec: GraderSpec) -> Judgement:
    """Why the command was not run: it cannot be, or nothing ran in a workspace. Raises BadSettings."""
    settings_of(spec)
    return unavailable("the test command was not run")
