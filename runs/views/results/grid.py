"""The grid of a run: cases by agents, each cell with what its trials say."""

from array import array
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain, groupby
from operator import itemgetter
from typing import Any, NamedTuple

from django.core.paginator import Page, Paginator
from django.db.models import QuerySet

from runs.models import Run, Trial, TrialPlan
from runs.models.case_counts import case_counts_of
from runs.models.trials import joint_state
from runs.proof.document import CaseState
from runs.results.case_verdicts import joint_verdict, plans_of
from runs.results.filtering import with_words
from runs.results.groups import GROUPS, grouped
from runs.results.layout import layout_of, packed
from runs.results.memory import remembered, remembered_by_agent
from runs.results.proofs import states_in_version
from runs.statistics.estimates import Joined
from runs.statistics.shares import Shares, shares_of
from runs.views.results.looks import Look, look_of, shade_of
from runs.views.trials.states import in_state

PAGE_CASES = 50
# What is read of each trial.
SHOWN = ("pk", "status", "stop_reason", "score")
BY_PASSED = "passed"
# The letters of the shades in the map of a run.
LETTERS = "0123456789a"


class CellKey(NamedTuple):
    """The agent and the case of a cell."""

    run_agent_id: int
    case_position: int
    case_id: int | None
    case_key: str
    challenge_key: str


@dataclass(frozen=True, slots=True)
class Cell:
    """The statuses of the trials of one agent at one case, in order.

    `joint` is what the trials say together by the pack's rule, if any; `first` is the id of the first one.
    """

    statuses: tuple[str, ...] = ()
    joint: Joined | None = None
    first: int = 0

    @property
    def look(self) -> Look:
        return look_of(tuple(sorted(self.statuses)), *((self.joint.name, self.joint.verdict) if self.joint else ()))


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

    `head` is the group that begins with this line on its page.
    """

    key: str
    challenge: str
    position: int
    cells: list[Cell]
    head: Group | None = None
    # What is known of the case where its verdicts are in doubt.
    doubt: str = ""

    @property
    def first(self) -> int:
        """The id of a trial of the case."""
        return next(cell.first for cell in self.cells if cell.first)

    @cached_property
    def shares(self) -> Shares:
        """The shares of the trials of all agents."""
        return shares_of(Counter(chain.from_iterable(cell.statuses for cell in self.cells)))


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
    order = {agent: place for place, agent in enumerate(agents)}
    rows: dict[int, CaseRow] = {}
    found = list(cells_of(agents, positions))
    cases = {key.case_id for key, _ in found}
    plans, known = plans_of(run, cases), states_in_version(run.version_id, cases)
    for key, trials in found:
        at, case = key.case_position, key.case_id or 0
        if at not in rows:
            state = known.get(case, CaseState.PROVEN)
            doubt = "" if state is CaseState.PROVEN else state.value
            rows[at] = CaseRow(key.case_key, key.challenge_key, at, [Cell()] * len(order), doubt=doubt)
        rows[at].cells[order[key.run_agent_id]] = cell_of(trials, plans.get(case))
    return page, list(headed(rows, shown, groups_of(run, lines) if lines else {}))


def cells_of(agents: list[int], positions: Iterable[int]) -> Iterator[tuple[CellKey, list[tuple[Any, ...]]]]:
    """The trials of these agents at some cases, of each agent in the order of cases and numbers: an index has it."""
    rows = Trial.objects.filter(run_agent__in=agents, case_position__in=positions)
    ordered = rows.order_by("run_agent_id", "case_position", "number").values_list(*CellKey._fields, *SHOWN)
    width = len(CellKey._fields)
    for _, found in groupby(ordered, key=itemgetter(*range(width))):
        trials = list(found)
        yield CellKey(*trials[0][:width]), [trial[width:] for trial in trials]


def cell_of(trials: Sequence[tuple[Any, ...]], plan: TrialPlan | None) -> Cell:
    """A cell from the columns SHOWN of its trials, in order."""
    joint = joint_verdict(
        plan, [(joint_state(status, stop), score) for _, status, stop, score in trials] if plan else []
    )
    return Cell(tuple([status for _, status, _, _ in trials]), joint, trials[0][0])


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
