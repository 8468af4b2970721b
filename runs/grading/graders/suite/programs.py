"""suite.deterministic_tests and suite.static_analysis: commands in the agent's workspace, and the tests they ran."""

import re
import shlex
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from packs.formats.task import GraderSpec, Task
from runs.grading.graders.commands import GraderCommand
from runs.grading.graders.contract import Judgement
from runs.grading.graders.pytest_reports import asking, doubt, reports_in, tests_in
from runs.grading.graders.suite.scene import Broken, Check, Missing, Trial, described, from_checks, grade_with, judged

SECONDS = 300.0
NAMED = ("required_tests", "required", "fail_to_pass", "pass_to_pass")
_MARK = re.compile(r"^packwright-exit (\d+) (\d+)$", re.MULTILINE)
# Where the exit codes are written. No command has hold of it: what they print goes to standard output.
MARKS = "stderr"
_BEGINNING = """
command -v python >/dev/null || python() { python3 "$@"; }
export PYTEST_ADDOPTS="$PYTEST_ADDOPTS -rA"
exec 3>&2 2>&1
"""
_TEST = re.compile(r"^(PASSED|FAILED|ERROR|SKIPPED|XFAIL|XPASS) (\S+)", re.MULTILINE)
_UNITTEST = re.compile(r"^(\w+) \(([\w.]+)\)(?:\n[^\n]*)? \.\.\. (ok|FAIL|ERROR|skipped)\b", re.MULTILINE)
_WORDS = {"ok": "passed", "FAIL": "failed", "ERROR": "error"}
_VERBOSE = re.compile(r"^(\S+::\S+) (PASSED|FAILED|ERROR|SKIPPED|XFAIL|XPASS)\b", re.MULTILINE)


def commands_of(grader: Mapping[str, Any]) -> list[str]:
    """What is run: the commands, or pytest on the tests that are named where there are none."""
    stated = [text for text in grader.get("commands") or () if isinstance(text, str)]
    if stated:
        return stated
    names = named_tests(grader)
    return [f"python -m pytest -q {' '.join(map(shlex.quote, names))}"] if names else []


def named_tests(grader: Mapping[str, Any]) -> list[str]:
    """Every test that must have run and passed."""
    return list(dict.fromkeys(name for field in NAMED for name in grader.get(field) or () if isinstance(name, str)))


def command(spec: GraderSpec, task: Task, output: str = "") -> GraderCommand | None:
    """One shell that runs all commands, whatever happens to those before, and tells the exit code of each."""
    grader = (spec.config or {}).get("grader") or {}
    lines = [
        # A subshell, so that `exit` and `cd` of one command do not touch the next.
        f"( {asking(index)}\n{text}\n) 3>&-\nprintf 'packwright-exit {index} %s\\n' $? >&3"
        for index, text in enumerate(commands_of(grader))
    ]
    if not lines:
        return None
    script = "\n".join([_BEGINNING, *lines])
    seconds = grader.get("timeout_seconds")
    return GraderCommand(
        key=spec.key,
        arguments=("sh", "-c", script),
        seconds=float(seconds) if isinstance(seconds, int | float) else SECONDS,
        target="workspace",
        facts={"marks": MARKS},
        texts=tuple(commands_of(grader)),
        tests=tuple(named_tests(grader)),
        stand_ins={"python": "python3"},
    )


def judge_tests(trial: Trial) -> Judgement:
    """Every command ended with 0 and every named test ran and passed."""
    exits, tests = results(trial)
    checks = [_exit(text, code) for text, code in exits]
    names = named_tests(trial.grader)
    named = [Check(name, has_passed(name, tests), "passed") for name in names]
    failed = [check for check in (*checks, *named) if not check.passed]
    counted = named or checks
    if not counted:
        raise Missing("neither commands nor tests were recorded")
    score = sum(check.passed for check in counted) / len(counted)
    return judged(not failed, score, described(failed), [*checks, *named])


def judge_analysis(trial: Trial) -> Judgement:
    """Every command ended with 0."""
    exits, _ = results(trial)
    return from_checks([_exit(text, code) for text, code in exits])


def _exit(text: str, code: int | str | None) -> Check:
    return Check(text[:80], code == 0, 0, code)


# Each command with the code that it ended with, or why that is not believed; None where it did not end.
Exits = list[tuple[str, int | str | None]]
Tests = list[tuple[str, str]]


def results(trial: Trial) -> tuple[Exits, Tests]:
    """Exit codes of the commands, and names and results of tests. Raises Missing where nothing was run."""
    execution = trial.recording.executions.get(trial.key)
    if execution is not None:
        return _executed(trial, execution.payload)
    wanted = [text for text in trial.grader.get("commands") or () if isinstance(text, str)]
    recorded = {str(item.get("command")): item.get("exit_code") for item in _listed(trial, "commands")}
    missing = [text for text in wanted if text not in recorded]
    tests = [(str(item.get("name", "")), str(item.get("status", ""))) for item in _listed(trial, "tests")]
    if missing or (named_tests(trial.grader) and not tests):
        reported = f"no result of {missing[0]!r} was" if missing else "no results of tests were"
        raise Missing(f"{reported} recorded, and the agent left no workspace to run it in")
    return [(text, recorded[text]) for text in wanted], tests


def _listed(trial: Trial, name: str) -> list[Mapping[str, Any]]:
    value = trial.supplied.get(name)
    return [item for item in value if isinstance(item, Mapping)] if isinstance(value, list) else []


def _executed(trial: Trial, payload: Mapping[str, Any]) -> tuple[Exits, Tests]:
    if payload.get("execution_error"):
        raise Broken(f"the commands could not be started: {payload['execution_error']}")
    output = f"{payload.get('stdout', '')}\n{payload.get('stderr', '')}"
    # Older trials have exit codes among what the commands printed.
    marks = str(payload.get(MARKS, "")) if payload.get("marks") == MARKS else output
    codes = {int(index): int(code) for index, code in _MARK.findall(marks)}
    texts, reports = commands_of(trial.grader), reports_in(payload)
    doubts = [doubt(report) for report in reports] or [""] * len(texts)
    exits: Exits = [
        (text, why or codes.get(index)) for index, (text, why) in enumerate(zip(texts, doubts, strict=True))
    ]
    # Where pytest itself tells of all tests, nobody else is listened to.
    printed = () if reports and all(report.get("awaited") for report in reports) else _tests_in(output)
    return exits, list(dict.fromkeys((*tests_in(reports), *printed)))


def _tests_in(output: str) -> Iterator[tuple[str, str]]:
    yield from ((name, status.lower()) for status, name in _TEST.findall(output))
    yield from ((name, status.lower()) for name, status in _VERBOSE.findall(output))
    yield from ((node_id(name, path), _WORDS.get(word, word)) for name, path, word in _UNITTEST.findall(output))


def node_id(name: str, path: str) -> str:
    """The node id of a test of unittest, printed as `name (package.module.Class.name)`."""
    steps = [step for step in path.split(".") if step != name]
    return "::".join([f"{'/'.join(steps[:-1])}.py", *steps[-1:], name])


def has_passed(name: str, tests: Sequence[tuple[str, str]]) -> bool:
    """Whether a name fits tests that all passed: a whole node id, a function with any parameters, or a file."""
    fitting = [status for test, status in tests if is_named(name, test)]
    return bool(fitting) and all(status == "passed" for status in fitting)


def is_named(name: str, test: str) -> bool:
    """Whether a name means a test."""
    if name == test:
        return True
    without = test.partition("[")[0]
    file, _, function = without.partition("::")
    is_file = name == file or file.endswith(f"/{name}")
    return is_file or name in (without, function, function.rpartition("::")[2])


grade_tests = grade_with(judge_tests)
grade_analysis = grade_with(judge_analysis)
