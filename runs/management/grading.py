"""`run grade`: grade outputs that were made elsewhere against a pack, without a database or a broker.

Rows of the outputs file are JSON objects, one a line: `case_key`, `output` (a text; may be left out where `events` tell
it), `events` in the shape of challenge-pack h.1, and `challenge_key` and `input_set` where a case key is ambiguous. In
place of output and events a row can hold a `trial`: a trial record or a trace (task-suite 8); such a record can also be
the row itself, which then names its case by `task_id`.
`files` (path to text) are what the agent left in its workspace, or the clean repository that a patch is for.
"""

import argparse
import os
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TextIO

import orjson

from packs.formats import FORMATS, adapter_of
from packs.formats.archives import read_path
from packs.formats.arguments import Misuse, Parser
from packs.formats.checking import Checked, check_files
from packs.formats.document import Pack
from packs.formats.findings import Finding, Rule, has_errors
from packs.formats.jsonio import read_lines
from packs.formats.task import Task, WorkspaceFile
from packs.formats.testers import read_policy
from packs.formats.traces import check_record
from runs.agents.recorded import fits
from runs.engine.given import grade_given
from runs.engine.outcome import Outcome, Verdict
from runs.grading.graders.commands import with_tester_policy
from runs.management import FAILED, FINE, MACHINERY, USAGE
from runs.replay.trajectories.records import events_of, is_record
from runs.sandbox import SANDBOXES
from runs.sandbox.choice import Choice, policy_of
from runs.statistics.shares import shares_of

NOT_A_ROW = Rule(
    "outputs.E001",
    "A row must be an object with a text case_key, and output a text, events a list of objects, or files a mapping.",
    hint='For example {{"case_key": "one", "output": "The answer"}}.',
)
UNKNOWN_CASE = Rule("outputs.E002", "The pack has no case {key!r}{where}.", hint="Compare with the keys of the pack.")
AMBIGUOUS_CASE = Rule(
    "outputs.E003",
    "{count} cases have the key {key!r}.",
    hint="Name the challenge_key and the input_set in this row as well.",
)

WORDS = {
    Verdict.PASSED: "pass",
    Verdict.FAILED: "fail",
    Verdict.UNDECIDED: "undecided",
    Verdict.ERROR: "error",
    Verdict.CANCELLED: "error",
}


@dataclass(frozen=True, slots=True)
class Graded:
    """One output with what was said of it."""

    task: Task
    outcome: Outcome

    def as_dict(self) -> dict[str, Any]:
        """The entry of `run grade --json`."""
        return {
            "input_set": self.task.input_set_key,
            "challenge_key": self.task.challenge_key,
            "case_key": self.task.case_key,
            "verdict": WORDS[self.outcome.verdict],
            "score": self.outcome.score,
            "fault": self.outcome.fault.value,
            "error": self.outcome.error,
            "grades": self.outcome.scorecard.get("validator_details", []),
            "scorecard": self.outcome.scorecard,
        }


def main(argv: Sequence[str], out: TextIO | None = None, err: TextIO | None = None) -> int:
    """Run `["grade", PATH, "--outputs", FILE]`.

    The exit code is 0 when every output passes, 1 for findings that are errors or another verdict, 2 for wrong usage, 3
    when our own machinery failed; with `--json`, `out` gets one JSON document and nothing else.
    """
    out, err = out or sys.stdout, err or sys.stderr
    try:
        arguments = _parser().parse_args(list(argv))
        return _grade(arguments, out)
    except Misuse as misuse:
        err.write(f"{misuse}\n")
        return USAGE
    except SystemExit:
        # Only --help ends this way.
        return FINE
    except Exception as error:  # noqa: BLE001 - the last barrier: whatever fails here is ours, and says so
        err.write(f"Packwright failed: {type(error).__name__}: {error}\n")
        return MACHINERY


def _parser() -> argparse.ArgumentParser:
    parser = Parser(prog="manage.py run", description="Grade outputs without a database.")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    command = commands.add_parser("grade", help="grade given outputs against a pack")
    command.add_argument("path", type=Path, help="the pack: a file, a folder, a ZIP or a TAR")
    command.add_argument("--outputs", type=Path, required=True, metavar="FILE.jsonl", help="the outputs, one a line")
    command.add_argument("--format", choices=sorted(FORMATS), help="the format (default: recognised)")
    command.add_argument("--tester", type=Path, metavar="FILE.yaml", help="what checkers may run: `verification` of it")
    command.add_argument("--json", action="store_true", help="print one JSON document")
    return parser


def _grade(arguments: argparse.Namespace, out: TextIO) -> int:
    checked = _checked(arguments)
    findings = list(checked.findings)
    graded: list[Graded] = []
    if checked.pack is not None and checked.is_valid:
        policy = _policy(arguments.tester)
        compiled = adapter_of(checked.format).compile_tasks(checked.pack)
        tasks = Tasks((with_tester_policy(task, policy) for task in compiled), checked.pack)
        for found in grade_rows(_read(arguments.outputs), tasks, str(arguments.outputs)):
            if isinstance(found, Graded):
                graded.append(found)
            else:
                findings.append(found)
    _tell(arguments, graded, findings, out)
    failed = any(entry.outcome.verdict is not Verdict.PASSED for entry in graded)
    return FAILED if failed or any(finding.is_error for finding in findings) else FINE


def _checked(arguments: argparse.Namespace) -> Checked:
    try:
        files, findings = read_path(arguments.path)
    except OSError as error:
        raise Misuse(f"{arguments.path}: {error.strerror or error}") from error
    return check_files(files, arguments.format, before=findings)


def _policy(path: Path | None) -> Mapping[str, Any]:
    """The `verification` section of a tester's configuration (benchmark-pack 11.3); empty without one."""
    if path is None:
        return {}
    policy, findings = read_policy(_read(path), str(path))
    if findings:
        raise Misuse("\n".join(f"{path}:{finding.line}: {finding.message}" for finding in findings))
    return policy


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise Misuse(f"{path}: {error.strerror or error}") from error


class Tasks:
    """The tasks of a pack by the keys that a row may name, and the bytes of its files."""

    def __init__(self, tasks: Iterator[Task], pack: Pack | None = None) -> None:
        self.sandbox = Choice(SANDBOXES, policy_of(os.environ))
        self.assets = {asset.key: asset.content for asset in pack.assets} if pack else {}
        self.files = {file.path: file.content for file in pack.files} if pack else {}
        self.by_case: dict[str, list[Task]] = {}
        for task in tasks:
            self.by_case.setdefault(task.case_key, []).append(task)

    def of(self, row: Mapping[str, Any]) -> list[Task]:
        """All tasks that a row fits."""
        known = self.by_case.get(row["case_key"], [])
        return [task for task in known if fits(row, task.input_set_key, task.challenge_key, task.case_key)]

    def read_asset(self, file: WorkspaceFile) -> bytes | None:
        """The bytes of an asset or file of the pack that a task names."""
        return self.assets.get(file.asset_key) if file.asset_key else self.files.get(file.path)


def grade_rows(data: bytes, tasks: Tasks, file: str) -> Iterator[Graded | Finding]:
    """Grade each row of an outputs file, in order; what cannot be graded is a finding at its line."""
    for row in read_lines(data.split(b"\n"), file=file):
        yield from row.findings
        if any(finding.is_error for finding in row.findings):
            continue
        reported = list(check_record(row.value))
        yield from (replace(finding, file=file, line=row.line) for finding in reported)
        if has_errors(reported):
            continue
        found = grade_row(row.value, tasks)
        yield found if isinstance(found, Graded) else replace(found, file=file, line=row.line)


def grade_row(row: Any, tasks: Tasks) -> Graded | Finding:
    """Grade one row, or say why that cannot be done."""
    row = with_events(row)
    if not is_row(row):
        return NOT_A_ROW.at(())
    fitting = tasks.of(row)
    if not fitting:
        named = [f" with {name} {row[name]!r}" for name in ("challenge_key", "input_set") if name in row]
        return UNKNOWN_CASE.at(("case_key",), key=row["case_key"], where="".join(named))
    if len(fitting) > 1:
        return AMBIGUOUS_CASE.at(("case_key",), key=row["case_key"], count=len(fitting))
    given = row.get("files")
    files = None if given is None else {path: text.encode() for path, text in given.items()}
    outcome = grade_given(
        fitting[0], row.get("output"), row.get("events") or (), tasks.sandbox, tasks.read_asset, files
    )
    return Graded(fitting[0], outcome)


def with_events(row: Any) -> Any:
    """A row that holds a trial of elsewhere, with its output and events; any other row as it is."""
    if is_record(row) and "case_key" not in row:
        row = {"case_key": row.get("task_id") or row.get("trace", row).get("task_id"), "trial": row}
    if not isinstance(row, dict) or not is_record(row.get("trial")):
        return row
    output, events = events_of(row["trial"])
    return {"output": output, "events": events, **{key: part for key, part in row.items() if key != "trial"}}


def is_row(row: Any) -> bool:
    """Whether a value has the shape of a row of outputs."""
    if not isinstance(row, dict) or not isinstance(row.get("case_key"), str):
        return False
    output, events, files = row.get("output"), row.get("events"), row.get("files")
    if not isinstance(output, str | None) or (output is None and events is None and files is None):
        return False
    if files is not None and not (isinstance(files, dict) and all(isinstance(text, str) for text in files.values())):
        return False
    return events is None or (isinstance(events, list) and all(isinstance(event, dict) for event in events))


def _tell(arguments: argparse.Namespace, graded: list[Graded], findings: list[Finding], out: TextIO) -> None:
    shares = shares_of(Counter(entry.outcome.verdict.value for entry in graded))
    if arguments.json:
        document = {
            "results": [entry.as_dict() for entry in graded],
            "findings": [finding.as_dict() for finding in findings],
            **shares.as_dict(),
        }
        out.write(orjson.dumps(document, option=orjson.OPT_INDENT_2).decode() + "\n")
        return
    for finding in findings:
        place = ":".join(str(part) for part in (finding.file or arguments.path, finding.line, finding.column) if part)
        out.write(f"{place}: {finding.severity} {finding.code} {finding.message}\n")
    for entry in graded:
        score = "-" if entry.outcome.score is None else f"{entry.outcome.score:.3f}"
        why = f"  {entry.outcome.error}" if entry.outcome.error else ""
        out.write(
            f"{WORDS[entry.outcome.verdict]:9} {score:>6}  {entry.task.input_set_key}/{entry.task.case_key}{why}\n"
        )
    out.write(f"{len(graded)} outputs: {shares.described}\n")
