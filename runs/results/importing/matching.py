"""Which trials of which cases records become, before anything is written."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from packs.columns import as_stored
from packs.formats import adapter_of
from packs.formats.findings import Finding, Rule
from packs.models import PackVersion, VersionCase, VersionInputSet
from runs.launch.planning import tasks_of_cases
from runs.replay.trajectories.agentv.tasks import differences
from runs.results.importing.reading import Record, Records

NO_CASE = Rule(
    "traces.E002",
    "The record names no case.",
    hint="Give it a task_id, or say which case records without one belong to.",
)
UNKNOWN_CASE = Rule("traces.E003", "The version has no case {key}.", hint="Compare with the keys of the version.")
AMBIGUOUS_CASE = Rule(
    "traces.E004", "{count} cases of the version have the key {key}.", hint="Records can only name cases by their keys."
)
TWICE = Rule("traces.E005", "This trial is given twice, first in {place}.", hint="Leave one of the two out.")
NOTHING = Rule("traces.E006", "There is no record in what was given.", hint="Give JSON, one record a line, or a ZIP.")
SEVERAL_SETS = Rule(
    "traces.E008",
    "The records belong to cases of several input sets, and a run of this format takes one.",
    hint="Import the records of each input set by themselves.",
)
CHANGED_TASK = Rule(
    "traces.W001",
    "The trial was made of another task than the case {key} is now: {names} differ.",
    hint="Its verdict here is that of the case; import into the version that was run, where there is one.",
)


@dataclass(frozen=True, slots=True)
class Wish:
    """What an import is asked for: `case` is the key for records that name none, `name` that of the run."""

    case: str = ""
    name: str = ""


@dataclass(frozen=True, slots=True)
class Planned:
    """One record with the case that it belongs to, its agent and the number of the trial that it becomes."""

    record: Record
    case: VersionCase
    agent: str
    number: int


@dataclass(slots=True)
class Import:
    """What an import would do. Nothing can be imported where a finding is an error."""

    version: PackVersion
    wish: Wish
    planned: list[Planned] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    given: int = 0

    @property
    def can_import(self) -> bool:
        return bool(self.planned) and not any(finding.is_error for finding in self.findings)

    @property
    def agents(self) -> dict[str, int]:
        """The trials of each agent."""
        return self._count(planned.agent for planned in self.planned)

    @property
    def cases(self) -> dict[str, int]:
        """The trials of each case."""
        return self._count(planned.case.key for planned in self.planned)

    def as_dict(self) -> dict[str, Any]:
        """What the import would do, as JSON values."""
        return {
            "can_import": self.can_import,
            "trials": len(self.planned),
            "agents": self.agents,
            "cases": self.cases,
            "findings": [finding.as_dict() for finding in self.findings],
        }

    @property
    def input_set(self) -> VersionInputSet | None:
        """The one input set that the cases belong to; None where they belong to several."""
        sets = {planned.case.input_set_id: planned.case.input_set for planned in self.planned}
        return next(iter(sets.values())) if len(sets) == 1 else None

    @staticmethod
    def _count(names: Iterator[str]) -> dict[str, int]:
        found: dict[str, int] = defaultdict(int)
        for name in names:
            found[name] += 1
        return dict(found)


def look(version: PackVersion, given: Records, wish: Wish | None = None) -> Import:
    """Say which trials the records become in a run of a version, and everything that stands against it."""
    found = Import(version, wish or Wish(), findings=list(given.findings), given=len(given.records))
    if not given.records and not given.findings:
        found.findings.append(NOTHING.at(()))
    cases: dict[str, list[VersionCase]] = defaultdict(list)
    rows = VersionCase.objects.filter(version=version).select_related("input_set").defer("document", "stored")
    for row in rows:
        cases[row.key].append(row)
    seen: dict[tuple[str, str, str, int], str] = {}
    matched: list[tuple[Record, VersionCase]] = []
    for record in given.records:
        case = _case_of(record, cases, found)
        if isinstance(case, Finding):
            found.findings.append(replace(case, file=record.file, line=record.line))
            continue
        mark = (case.key, record.agent, str(record.trace.get("run_id")), record.trial_index)
        if mark in seen:
            twice = TWICE.at((), place=seen[mark])
            found.findings.append(replace(twice, file=record.file, line=record.line))
            continue
        seen[mark] = record.place
        matched.append((record, case))
    found.findings += _changed(version, matched)
    found.planned = list(_numbered(matched))
    if found.planned and found.input_set is None and not adapter_of(version.pack.format).RUNS_ALL_SETS:
        found.findings.append(SEVERAL_SETS.at(()))
    return found


def _changed(version: PackVersion, matched: list[tuple[Record, VersionCase]]) -> Iterator[Finding]:
    """Warnings about records that were made of another task than the case is now."""
    frozen = [(record, case) for record, case in matched if isinstance(record.value.get("task"), dict)]
    tasks = tasks_of_cases(version, {case.pk for _, case in frozen}) if frozen else {}
    for record, case in frozen:
        names = differences(tasks[case.pk], record.value["task"])
        if names:
            reported = CHANGED_TASK.at(("task",), key=repr(case.key[:140]), names=", ".join(names))
            yield replace(reported, file=record.file, line=record.line)


def _case_of(record: Record, cases: dict[str, list[VersionCase]], found: Import) -> VersionCase | Finding:
    """The case that a record names; one that names none belongs to the case that tells of it, or was said."""
    key = record.task_id or _telling(record, found.version) or found.wish.case
    if not key:
        return NO_CASE.at(("task_id",))
    known = cases.get(key, [])
    if not known:
        return UNKNOWN_CASE.at(("task_id",), key=repr(key[:140]))
    return known[0] if len(known) == 1 else AMBIGUOUS_CASE.at(("task_id",), count=len(known), key=repr(key[:140]))


def _telling(record: Record, version: PackVersion) -> str:
    """The key of the one case whose document names the trace, as replays of incidents do; empty for none or several."""
    run_id = record.trace.get("run_id")
    if not isinstance(run_id, str) or not run_id:
        return ""
    rows = VersionCase.objects.filter(version=version, document__contains=f'"{as_stored(run_id)}"')
    keys = list(rows.values_list("key", flat=True)[:2])
    return str(keys[0]) if len(keys) == 1 else ""


def _numbered(matched: list[tuple[Record, VersionCase]]) -> Iterator[Planned]:
    """Each record with the number of its trial: in the order of their trial_index, else as they were given."""
    counts: dict[tuple[str, int], int] = defaultdict(int)
    ordered = sorted(matched, key=lambda pair: (pair[1].input_set.position, pair[1].position, pair[0].trial_index))
    for record, case in ordered:
        counts[record.agent, case.pk] += 1
        yield Planned(record, case, record.agent, counts[record.agent, case.pk])
