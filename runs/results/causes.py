"""Failures of runs grouped by their cause: what was said of them, what went wrong in a tool, or where they part from
trials that passed."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any, NamedTuple

import orjson
from django.db.models import Exists, OuterRef, Q
from django.db.models.functions import Substr

from packs.models import Pack
from runs.models import FailureGroup, Grade, Run, Trial, TrialStatus
from runs.results.memory import remembered
from runs.results.parting import partings, passed_beside
from runs.results.tool_errors import tool_errors
from runs.results.trends import newest_runs
from runs.statistics.likeness import REST, grouped, masked

# Of more failures the newest are grouped.
MOST_FAILURES = 10_000
READ = 400
# Who found a failure: a grader that did not pass, what kept the trial from a verdict, a tool, a step that differs.
GRADER, ERROR, TOOL, STEP = "grader", "error", "tool", "step"
# What failures are grouped by, with what it is called.
REASON = "reason"
WAYS = {REASON: "Reason", TOOL: "Tool error", STEP: "First step that differs"}


class Failed(NamedTuple):
    """One trial that failed or ended in an error, and what was said of it; `case` is its challenge and key."""

    trial: int
    run: int
    agent: str
    case: tuple[str, str]
    kind: str
    source: str
    said: str
    # Where its replay and that of a trial that passed part, if that is why it is here.
    row: int | None = None


@dataclass(slots=True)
class CauseGroup:
    """Failures of one cause. `text` stands for what was said, with marks for what differs; `said` is one of them."""

    kind: str
    source: str
    text: str
    name: str = ""
    members: list[Failed] = field(default_factory=list)

    @property
    def digest(self) -> str:
        return digest_of(self.kind, self.source, self.text)

    @property
    def title(self) -> str:
        """Its name, else what was said, else that it is the rest."""
        return self.name or self.text or "Other reasons, or none given"

    @property
    def said(self) -> str:
        return self.members[0].said

    @property
    def trials(self) -> int:
        return len(self.members)

    @property
    def runs(self) -> int:
        return len({member.run for member in self.members})

    @property
    def agents(self) -> int:
        return len({member.agent for member in self.members})

    @property
    def cases(self) -> int:
        return len({member.case for member in self.members})


@dataclass(frozen=True, slots=True)
class Causes:
    """The groups of failures, the largest first.

    `left_out` counts failures beyond those that were read, `apart` those that were read and have no such cause.
    """

    groups: Sequence[CauseGroup]
    left_out: int
    apart: int = 0

    @property
    def total(self) -> int:
        return sum(group.trials for group in self.groups)

    def group(self, digest: str) -> CauseGroup | None:
        return next((group for group in self.groups if group.digest == digest), None)


def digest_of(kind: str, source: str, text: str) -> str:
    return sha256(orjson.dumps([kind, source, text])).hexdigest()[:32]


def causes_of(pack: Pack, runs: Sequence[Run], by: str = REASON) -> Causes:
    """The failures of runs of a pack, given newest first, by their causes: `by` is one of WAYS.

    They are kept until a trial of these runs or the name of a group changes.
    """
    read, named = newest_runs(runs), _names(pack)
    return remembered("causes", read, lambda: _grouped([run.pk for run in read], named, by), by, repr(named))


def _grouped(read: Sequence[int], named: Mapping[tuple[str, str], Mapping[str, str]], by: str) -> Causes:
    failures = failed_in(read)
    having = CAUSED[by](failures, read) if by in CAUSED else failures
    groups: dict[tuple[str, str, str], CauseGroup] = {}
    for (kind, source), members in _by_source(having).items():
        texts = [member.said if kind == STEP else masked(member.said) for member in members]
        names = named.get((kind, source), {})
        leaders = {} if kind == STEP else grouped(Counter(texts), [text for text in names if text])
        for member, text in zip(members, texts, strict=True):
            leader = leaders.get(text, text)
            at = (kind, source, leader)
            if at not in groups:
                groups[at] = CauseGroup(kind, source, leader, names.get(leader, ""))
            groups[at].members.append(member)
    total = Trial.objects.filter(_is_failure(), run__in=read).count() if len(failures) == MOST_FAILURES else 0
    ordered = sorted(groups.values(), key=lambda group: (group.text == REST, -group.trials, group.text))
    return Causes(ordered, max(0, total - len(failures)), len(failures) - len(having))


def _by_tool(failures: Sequence[Failed], runs: Sequence[int]) -> list[Failed]:
    """The failures in which a tool failed, by what it said."""
    found = tool_errors([failure.trial for failure in failures], READ)
    return [
        failure._replace(kind=TOOL, source=found[failure.trial][0], said=found[failure.trial][1])
        for failure in failures
        if failure.trial in found
    ]


def _by_step(failures: Sequence[Failed], runs: Sequence[int]) -> list[Failed]:
    """The failures whose case another trial passed, by the first step that differs; the newest are compared."""
    passed = passed_beside(runs, {failure.case for failure in failures})
    found = partings([(failure.trial, passed[failure.case]) for failure in failures if failure.case in passed])
    return [
        failure._replace(kind=STEP, source=parting.source, said=parting.said, row=parting.row)
        for failure in failures
        if (parting := found.get(failure.trial))
    ]


CAUSED: dict[str, Callable[[Sequence[Failed], Sequence[int]], list[Failed]]] = {TOOL: _by_tool, STEP: _by_step}


def failed_in(runs: Sequence[int]) -> list[Failed]:
    """The newest failures of runs, each with the first grade that did not pass, or why it has no verdict."""
    columns = ("pk", "run_id", "run_agent__name", "challenge_key", "case_key", "status", "fault", "stop_reason")
    rows = list(
        Trial.objects.filter(_is_failure(), run__in=runs)
        .order_by("-pk")
        .annotate(what=Substr("error", 1, READ))
        .values_list(*columns, "what")[:MOST_FAILURES]
    )
    graded = _graded(runs, min((row[0] for row in rows), default=0))
    return [_failed(row, graded) for row in rows]


def _is_failure() -> Q:
    return Q(status__in=(TrialStatus.FAILED, TrialStatus.ERROR))


def _graded(runs: Sequence[int], since: int) -> dict[int, tuple[str, str]]:
    """What the first grader said that a failed trial did not pass; where none failed it, the one with the least
    score."""
    failed = Trial.objects.filter(pk=OuterRef("trial"), run__in=runs, status=TrialStatus.FAILED)
    rows = Grade.objects.filter(Exists(failed), trial__gte=since).exclude(verdict="pass")
    found: dict[int, tuple[float, str, str]] = {}
    columns = rows.order_by("trial_id", "position").values_list(
        "trial_id", "key", "verdict", "score", Substr("reason", 1, READ)
    )
    for trial, key, verdict, score, reason in columns:
        weight = -1.0 if verdict == "fail" else 1.0 if score is None else score
        if trial not in found or weight < found[trial][0]:
            found[trial] = (weight, key, reason)
    return {trial: (key, reason) for trial, (_, key, reason) in found.items()}


def _failed(row: Sequence[Any], graded: Mapping[int, tuple[str, str]]) -> Failed:
    trial, run, agent, challenge, key, status, fault, stopped, what = row
    place = (trial, run, agent, (challenge, key))
    if status == TrialStatus.ERROR or (what and trial not in graded):
        return Failed(*place, ERROR, " · ".join(part for part in (fault, stopped) if part), what)
    source, reason = graded.get(trial, ("", ""))
    return Failed(*place, GRADER, source, reason)


def _by_source(failures: Iterable[Failed]) -> dict[tuple[str, str], list[Failed]]:
    found: dict[tuple[str, str], list[Failed]] = {}
    for failure in failures:
        found.setdefault((failure.kind, failure.source), []).append(failure)
    return found


def _names(pack: Pack) -> dict[tuple[str, str], dict[str, str]]:
    """The names of groups by the texts that stand for these, by kind and source."""
    found: dict[tuple[str, str], dict[str, str]] = {}
    for row in FailureGroup.objects.filter(pack=pack):
        found.setdefault((row.kind, row.source), {})[row.text] = row.name
    return found
