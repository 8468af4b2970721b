"""The grid of a run: cases by agents, each cell with what its trials say."""

from array import array
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from django.core.paginator import Page, Paginator
from django.db.models import QuerySet

from runs.models import OPEN_STATUSES, Run, Trial, TrialPlan, TrialStatus
from runs.models.case_counts import case_counts_of
from runs.proof.document import CaseState
from runs.results.case_verdicts import joint_verdict, plans_of
from runs.results.filtering import with_words
from runs.results.groups import GROUPS, grouped
from runs.results.layout import layout_of, packed
from runs.results.memory import remembered, remembered_by_agent
from runs.results.proofs import states_in_version
from runs.statistics.estimates import Joined, is_flaky
from runs.statistics.shares import Shares, shares_of
from runs.views.trials.states import in_state

PAGE_CASES = 50
# Shades of a cell: from no trial passed to all.
SHADES = 10
# What a cell may say beside its pass rate: the statuses, the icon, and the words for one trial and for several.
MARKS: tuple[tuple[frozenset[str], str, str, str], ...] = (
    (frozenset({TrialStatus.ERROR}), "triangle-alert", "error", "errors"),
    (frozenset({TrialStatus.UNDECIDED}), "circle-help", "undecided", "undecided"),
    (frozenset({TrialStatus.CANCELLED}), "ban", "cancelled", "cancelled"),
    (frozenset(OPEN_STATUSES), "loader", "open", "open"),
)
# A trial of its own is shown by its icon.
ICONS = {TrialStatus.PASSED: "check", TrialStatus.FAILED: "x"}
BY_PASSED = "passed"
# The letters of the shades in the map of a run.
LETTERS = "0123456789a"


@dataclass(frozen=True, slots=True)
class Mark:
    """Something that a cell says beside its pass rate: an icon, and words."""

    icon: str
    words: str


@dataclass(frozen=True)
class Cell:
    """The trials of one agent at one case, in order; `joint` is what they say together by the pack's rule, if any."""

    trials: list[Trial]
    joint: Joined | None

    @cached_property
    def shares(self) -> Shares:
        return shares_of(Counter(trial.status for trial in self.trials))

    @property
    def shade(self) -> int | None:
        """How many tenths of the judged trials passed; None where none is judged."""
        rate = self.shares.pass_rate
        return None if rate is None else shade_of(rate)

    @property
    def icon(self) -> str:
        """What stands for a trial without others; empty where a number does."""
        return ICONS.get(TrialStatus(self.trials[0].status), "") if len(self.trials) == 1 else ""

    @cached_property
    def marks(self) -> list[Mark]:
        """What is missing, and whether trials disagree."""
        found = [Mark("split", "flaky")] if is_flaky(trial.status for trial in self.trials) else []
        for statuses, icon, one, several in MARKS:
            count = sum(trial.status in statuses for trial in self.trials)
            if count:
                found.append(Mark(icon, f"{count} {one if count == 1 else several}"))
        return found

    @cached_property
    def described(self) -> str:
        """The cell in words."""
        shares = self.shares
        passed = f"{shares.passed} of {shares.judged} passed" if shares.judged else ""
        alone = self.trials[0].get_status_display() if self.icon else passed
        joint = f"{self.joint.name}: {self.joint.verdict}" if self.joint else ""
        return ", ".join(filter(None, (alone, joint, *(mark.words for mark in self.marks))))


@dataclass(frozen=True, slots=True)
class Group:
    """A group of cases with the shares of all their trials."""

    name: str
    cases: int
    passed: int
    judged: int


@dataclass(frozen=True)
class CaseRow:
    """A line of the grid: a case with the trials of each agent, in the order of the agents.

    `plan` is what the pack says of its trials, where it says that several make one verdict; `head` is the group that
    begins with this line on its page.
    """

    key: str
    challenge: str
    position: int
    cells: list[list[Trial]]
    plan: TrialPlan | None = None
    head: Group | None = None
    # What is known of the case where its verdicts are in doubt.
    doubt: str = ""

    @property
    def first(self) -> Trial:
        return next(trial for cell in self.cells for trial in cell)

    def joined(self) -> list[tuple[list[Trial], Joined | None]]:
        """The trials of each agent with what they say together."""
        return [(cell, joint_verdict(self.plan, cell)) for cell in self.cells]

    @cached_property
    def shown(self) -> list[Cell]:
        return [Cell(trials, joint) for trials, joint in self.joined()]

    @cached_property
    def shares(self) -> Shares:
        """The shares of the trials of all agents."""
        return shares_of(Counter(trial.status for cell in self.cells for trial in cell))


@dataclass(frozen=True)
class JudgedCases:
    """How far the trials of an agent passed, by the position of the case: whether there are any, how many passed, and
    how many are judged."""

    tried: bytearray
    passed: "array[int]"
    judged: "array[int]"

    @classmethod
    def blank(cls, width: int) -> "JudgedCases":
        empty = array("I", [0]) * width
        return cls(bytearray(width), empty, empty[:])

    @cached_property
    def letters(self) -> str:
        """The letter of each cell."""
        cells = zip(self.tried, self.passed, self.judged, strict=True)
        return "".join(
            (LETTERS[shade_of(passed / judged)] if judged else "-") if is_tried else " "
            for is_tried, passed, judged in cells
        )


def filtered_trials(run: Run, query: Mapping[str, str]) -> QuerySet[Trial]:
    """The trials that the filters `status` (one of STATES), `finish` (a finish reason) and `q` of the address mean."""
    rows: QuerySet[Trial] = Trial.objects.filter(run=run)
    if query.get("status"):
        rows = in_state(rows, query["status"])
    if query.get("finish"):
        rows = rows.filter(finish_reason=query["finish"])
    return with_words(rows, query.get("q", ""))


def ordered_cases(run: Run, query: Mapping[str, str]) -> Sequence[int]:
    """The positions of the cases with a trial among the filtered ones, in the order that `sort` asks for.

    That of the pack, or by the share of trials of all agents that passed; cases without a verdict come last. What was
    asked before is kept until a trial of the run changes.
    """
    asked = tuple(query.get(name, "") for name in ("status", "finish", "q", "sort"))
    if not any(asked):
        return layout_of(run).positions
    return remembered("cases", [run], lambda: packed(sought_cases(run, query)), *asked)


def sought_cases(run: Run, query: Mapping[str, str]) -> Iterable[int]:
    """The same, looked up."""
    found: Iterable[int] = layout_of(run).positions
    if any(query.get(name) for name in ("status", "finish", "q")):
        chosen = filtered_trials(run, query)
        found = chosen.order_by("case_position").values_list("case_position", flat=True).distinct()
    sort = query.get("sort", "")
    return by_passed(found, *of_all_agents(run), sort) if sort.removeprefix("-") == BY_PASSED else found


def by_passed(positions: Iterable[int], passed: Sequence[int], judged: Sequence[int], sort: str) -> list[int]:
    """Cases by the share of their judged trials that passed, or the other way round."""
    sign = -1 if sort.startswith("-") else 1
    shares = {at: Shares(passed[at], judged[at], judged[at]).pass_rate for at in positions}
    return sorted(shares, key=lambda at: (shares[at] is None, sign * (shares[at] or 0), at))


def grid(run: Run, agents: list[int], query: Mapping[str, str]) -> tuple[Page[Any], list[CaseRow]]:
    """One page of cases with all their trials; `agents` are the ids of the run agents in the order of the columns."""
    lines = grouped_cases(run, query) if group_by(query) else []
    page: Page[Any] = Paginator(lines or ordered_cases(run, query), PAGE_CASES).get_page(query.get("page"))
    shown = list(page.object_list) if lines else [("", position) for position in page.object_list]
    positions = {position for _, position in shown}
    # By agents: an index has the cases of each.
    trials = list(of_cases(agents, positions))
    order = {agent: place for place, agent in enumerate(agents)}
    rows: dict[int, CaseRow] = {}
    plans = plans_of(run, {trial.case_id for trial in trials})
    known = states_in_version(run.version_id, [trial.case_id for trial in trials])
    for trial in trials:
        plan, at = plans.get(trial.case_id or 0), trial.case_position
        state = known.get(trial.case_id or 0, CaseState.PROVEN)
        doubt = "" if state is CaseState.PROVEN else state.value
        fresh = CaseRow(trial.case_key, trial.challenge_key, at, [[] for _ in order], plan, doubt=doubt)
        rows.setdefault(at, fresh).cells[order[trial.run_agent_id]].append(trial)
    return page, list(headed(rows, shown, groups_of(run, lines) if lines else {}))


def of_cases(agents: list[int], positions: Iterable[int]) -> QuerySet[Trial]:
    """The trials of these agents at some cases, with what a grid shows, in the order of their numbers."""
    keys = ("run_agent_id", "case_id", "case_position", "case_key", "challenge_key", "number")
    rows = Trial.objects.filter(run_agent__in=agents, case_position__in=positions)
    return rows.only(*keys, "status", "score", "fault", "stop_reason").order_by("number")


def group_by(query: Mapping[str, str]) -> str:
    """What the cases are grouped by: a key of GROUPS, or nothing."""
    chosen = query.get("group", "")
    return chosen if chosen in GROUPS else ""


def grouped_cases(run: Run, query: Mapping[str, str]) -> list[tuple[str, int]]:
    """The group and the position of each line, in the order that `query` asks for within a group."""
    return grouped(run, group_by(query), ordered_cases(run, query))


def groups_of(run: Run, entries: Iterable[tuple[str, int]]) -> dict[str, Group]:
    """The groups of the lines by their names."""
    columns = of_all_agents(run)
    found: dict[str, list[int]] = {}
    for name, position in entries:
        found.setdefault(name, []).append(position)
    return {
        name: Group(name, len(each), *(sum(column[at] for at in each) for column in columns))
        for name, each in found.items()
    }


def headed(
    rows: Mapping[int, CaseRow], entries: Iterable[tuple[str, int]], groups: Mapping[str, Group]
) -> Iterator[CaseRow]:
    """The lines of a page, the first of each group with its group."""
    before: Group | None = None
    for name, position in entries:
        group = groups.get(name)
        yield replace(rows[position], head=group if group != before else None)
        before = group


def shades_of(run: Run, agents: list[int], query: Mapping[str, str]) -> list[str]:
    """The whole grid in short: a text for each agent with a letter for each case, in the order that `query` asks for.

    A letter is the shade of the cell (0 to 9, `a` for ten tenths), `-` where nothing is judged, and a blank where the
    agent has no trial.
    """
    lines = grouped_cases(run, query) if group_by(query) else ()
    listed = [place for _, place in lines] if lines else ordered_cases(run, query)
    letters = {agent: cases.letters for agent, cases in judged_cases(run).items()}
    blank = " " * (max(listed, default=-1) + 1)
    return ["".join(map(letters.get(agent, blank).__getitem__, listed)) for agent in agents]


def judged_cases(run: Run) -> Mapping[int, JudgedCases]:
    """How far the trials of each agent entered passed, by its id; kept until one of them changes."""
    return remembered_by_agent("judged", run, lambda changed: read_cases(run, changed))


def read_cases(run: Run, agents: Collection[int]) -> dict[int, JudgedCases]:
    """The same of some agents, from what is kept of their cases."""
    width = max(layout_of(run).positions, default=-1) + 1
    found = {agent: JudgedCases.blank(width) for agent in agents}
    for count in case_counts_of(run.pk, agents):
        cases = found[count.run_agent]
        for at, (passed, judged) in enumerate(zip(*count.columns, strict=True), count.first):
            if judged >= 0:
                cases.tried[at], cases.passed[at], cases.judged[at] = True, passed, judged
    return found


def of_all_agents(run: Run) -> tuple[Sequence[int], Sequence[int]]:
    """How many trials of all agents passed, and how many are judged, by the position of their case."""
    known = judged_cases(run).values()
    passed, judged = [each.passed for each in known], [each.judged for each in known]
    return [sum(each) for each in zip(*passed, strict=True)], [sum(each) for each in zip(*judged, strict=True)]


def shade_of(rate: float) -> int:
    """How many tenths a pass rate has."""
    return round(rate * SHADES)
