"""Trial records and traces from files: JSON, one a line, or an archive of such files; run folders of AgentV."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from packs.formats import jsonio
from packs.formats.archives import read_upload
from packs.formats.findings import Finding, Rule
from packs.formats.traces import check_trace
from runs.replay.trajectories.agentv import is_run_folder, read_folder
from runs.replay.trajectories.candidates import is_candidate, is_too_large, record_of, workspace_of, workspaces_of
from runs.replay.trajectories.records import is_record

MAX_RECORDS = 10_000

NOT_A_RECORD = Rule(
    "traces.E001",
    "This is neither a trial record nor a trace.",
    hint="A trace holds steps and an outcome; a record holds a trace, or is one itself.",
)
TOO_MANY = Rule(
    "traces.E007", "More than {limit} records were given.", hint="Import them in several runs.", rule="limit"
)
NO_WORKSPACE = Rule(
    "traces.W009",
    "The workspace of {key!r} is not in the upload, so what was left there cannot be judged again.",
    hint="Give an archive of the whole output folder: candidates.jsonl with the folder workspaces beside it.",
)
LARGE_WORKSPACE = Rule(
    "traces.W010",
    "The workspace of {key!r} is too large to be kept with its record, so it is not judged again.",
    hint="Leave out what its checker does not look at.",
)
LINES = (".jsonl", ".ndjson")
# Under which members a JSON file may list several records.
LISTS = ("trials", "records", "traces")


@dataclass(frozen=True, slots=True)
class Record:
    """A trial record, or a trace alone, with where it stands: its file, and its line or its number in the file."""

    value: Mapping[str, Any]
    file: str
    line: int = 0
    number: int = 0

    @property
    def trace(self) -> Mapping[str, Any]:
        found: Mapping[str, Any] = self.value.get("trace", self.value)
        return found

    @property
    def place(self) -> str:
        return f"{self.file}:{self.line}" if self.line else f"{self.file} ({self.number})" if self.number else self.file

    @property
    def task_id(self) -> str:
        """The case that it names; empty for one that names none."""
        stated = self.value.get("task_id") or self.trace.get("task_id")
        return stated if isinstance(stated, str) else ""

    @property
    def trial_index(self) -> int:
        stated = self.value.get("trial_index")
        return stated if isinstance(stated, int) else 0

    @property
    def agent(self) -> str:
        """Who made the trial: as the record names it, else the agent's version and its model."""
        if isinstance(self.value.get("agent"), str):
            return str(self.value["agent"])[:120]
        return f"{self.trace.get('agent_version', '')} ({self.trace.get('model_id', '')})"[:120]


@dataclass(slots=True)
class Records:
    """What was read, and everything that is wrong with it."""

    records: list[Record] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)


def read_records(name: str, data: bytes) -> Records:
    """The records of a file or an archive. Never raises; what is wrong is a finding with file and line."""
    files, findings = read_upload(name, data)
    found = Records(findings=list(findings))
    if is_run_folder(files):
        found.records = [Record(reported.record, reported.file, reported.line) for reported in read_folder(files)]
        if len(found.records) > MAX_RECORDS:
            found.findings.append(replace(TOO_MANY.at((), limit=MAX_RECORDS), file=name))
        return found
    workspaces = workspaces_of(files)
    inside = {f"{folder}/{path}" for folder, left in workspaces.items() for path in left}
    for file, content in sorted(files.items()):
        for record, trouble in () if file in inside else _of_file(file, content):
            found.findings += trouble
            if record is not None:
                record, trouble = _with_workspace(record, workspaces)
                found.findings += trouble
                found.records.append(record)
            if len(found.records) > MAX_RECORDS:
                found.findings.append(replace(TOO_MANY.at((), limit=MAX_RECORDS), file=file))
                return found
    return found


def _of_file(file: str, content: bytes) -> Iterator[tuple[Record | None, list[Finding]]]:
    if file.lower().endswith(LINES):
        yield from _of_lines(file, content)
        return
    value, findings = jsonio.read(content, file=file)
    if any(finding.is_error for finding in findings):
        # Several objects in one file are lines, whatever the file is called.
        lines = list(_of_lines(file, content)) if b"}\n{" in content.replace(b"\r", b"") else []
        yield from lines or [(None, list(findings))]
        return
    values = _listed(value)
    for number, item in enumerate(values, 1):
        yield _checked(Record(item, file, number=number if len(values) > 1 else 0), item)


def _of_lines(file: str, content: bytes) -> Iterator[tuple[Record | None, list[Finding]]]:
    for row in jsonio.read_lines(content.split(b"\n"), file=file):
        if any(finding.is_error for finding in row.findings):
            yield None, list(row.findings)
        else:
            yield _checked(Record(row.value, file, line=row.line), row.value)


def _listed(value: Any) -> list[Any]:
    """The records of a JSON value: itself, the items of a list, or of a member that lists them."""
    if isinstance(value, list):
        return value
    if isinstance(value, dict) and not is_record(value):
        return next((value[name] for name in LISTS if isinstance(value.get(name), list)), [value])
    return [value]


def _checked(record: Record, value: Any) -> tuple[Record | None, list[Finding]]:
    if is_candidate(value):
        return record, []
    if not is_record(value):
        return None, [replace(NOT_A_RECORD.at(()), file=record.file, line=record.line)]
    prefix = ("trace",) if "trace" in value else ()
    findings = [
        replace(finding.below(prefix), file=record.place if not record.line else record.file, line=record.line)
        for finding in check_trace(record.trace)
    ]
    return record, findings


def _with_workspace(record: Record, workspaces: Mapping[str, Mapping[str, bytes]]) -> tuple[Record, list[Finding]]:
    """A result of the benchmark format as the record of a trial, with its workspace; other records as they are."""
    if not is_candidate(record.value):
        return record, []
    folder = workspace_of(record.value, record.file)
    left = workspaces.get(folder)
    rule = NO_WORKSPACE if left is None else LARGE_WORKSPACE if is_too_large(left) else None
    if not folder or rule is None:
        return replace(record, value=record_of(record.value, left)), []
    reported = replace(rule.at((), key=record.value["task_id"]), file=record.file, line=record.line)
    return replace(record, value=record_of(record.value)), [reported]
