"""What the cases of a pack are worth: one matrix of all runs that may be compared, and what is drawn of it."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from typing import Any

from packs.columns import canonical
from packs.models import VersionCase
from runs.models import Run, RunAgent, Trial
from runs.results.charts import Chart, Column, Value
from runs.results.memory import remembered
from runs.results.trends import newest_runs
from runs.statistics.estimates import FAILED, PASSED
from runs.statistics.items import Analysis, Item, Matrix, analyse, kind_of
from runs.statistics.subsets import Duel, SmallSet, duel, smallest_set

# What is said of a case, by the key of `kind_of`.
KINDS = {
    "wrong_way": "weaker agents pass it more often",
    "never": "nobody solves it",
    "always": "everybody always solves it",
    "flaky": "flaky",
}
# How many of the cases between the best two agents are drawn.
MOST_GAPS = 20

Place = tuple[str, str, str]


@dataclass(frozen=True)
class Worth:
    """What cases are worth. `cases` are the newest published rows of them, None for a run without cases; they stand in
    the order of the matrix. `runs` counts those read, `left_out` earlier ones; `edited` counts judged trials of cases
    that were changed since, which are not compared.
    """

    analysis: Analysis
    cases: Sequence[VersionCase | None]
    runs: int
    left_out: int
    edited: int

    @cached_property
    def best(self) -> Duel | None:
        """The best two agents at the cases that both were judged at."""
        first_two = list(self.analysis.means)[:2]
        return duel(self.analysis.matrix, *first_two) if len(first_two) == 2 else None

    @cached_property
    def small(self) -> SmallSet | None:
        return smallest_set(self.analysis.matrix)

    @cached_property
    def wrong_places(self) -> frozenset[int]:
        return frozenset(item.place for item in self.analysis.wrong_way)

    def kind(self, item: Item) -> str:
        return kind_of(item, self.wrong_places)

    def shown(self, kind: str) -> list[Item]:
        """The cases of a kind; `gaps` and `small` are those that decide and those of the small set; all for none."""
        chosen = {
            "gaps": [place for place, _ in self.best.gaps] if self.best else [],
            "small": list(self.small.places) if self.small else [],
        }.get(kind)
        if chosen is not None:
            known = {item.place: item for item in self.analysis.items}
            return [known[place] for place in chosen]
        if kind == "flaky":
            return [item for item in self.analysis.items if item.flaky]
        return [item for item in self.analysis.items if not kind or self.kind(item) == kind]


def worth_of(runs: Sequence[Run]) -> Worth:
    """What the cases of runs, given newest first, are worth; kept until a trial of these runs changes.

    A case is the same in several runs while its stored document is; an agent while its name and configuration are.
    """
    read = newest_runs(runs)
    return remembered("worth", read, lambda: _worth(read, len(runs) - len(read)))


def _worth(read: Sequence[Run], left_out: int) -> Worth:
    agents = _agents(read)
    judged = list(
        Trial.objects.filter(run__in=[run.pk for run in read], status__in=(PASSED, FAILED))
        .order_by("run_id", "case_position", "number")
        .values_list("run_agent_id", "case_id", "status")
    )
    rows = _cases(read)
    newest = _newest(rows[case] if case else None for case in dict.fromkeys(case for _, case, _ in judged))
    places = {at: place for place, at in enumerate(sorted(newest, key=lambda at: _order(newest[at])))}
    names = list(dict.fromkeys(agents.values()))
    cells: list[list[list[bool]]] = [[[] for _ in names] for _ in places]
    columns = {name: at for at, name in enumerate(names)}
    edited = 0
    for agent, case, status in judged:
        at = _place(rows.get(case))
        if _digest(rows.get(case)) != _digest(newest[at]):
            edited += 1
        else:
            cells[places[at]][columns[agents[agent]]].append(status == PASSED)
    matrix = Matrix(names, [key for _, _, key in places], [[tuple(cell) for cell in row] for row in cells])
    return Worth(analyse(matrix), [newest[at] for at in places], len(read), left_out, edited)


def _cases(runs: Sequence[Run]) -> dict[int | None, VersionCase]:
    rows = VersionCase.objects.filter(version__in={run.version_id for run in runs}).select_related("input_set")
    return {row.pk: row for row in rows.defer("document", "stored", "input_set__document").order_by()}


def _agents(runs: Sequence[Run]) -> dict[int, str]:
    """What each agent entered is called: its name, with a number where it had other configurations before."""
    rows = RunAgent.objects.filter(run__in=[run.pk for run in runs]).order_by("run_id", "position").defer("summary")
    known: dict[str, list[str]] = {}
    found = {}
    for entry in rows:
        states = known.setdefault(entry.name, [])
        state = sha256(canonical([entry.kind, entry.config])).hexdigest()
        if state not in states:
            states.append(state)
        number = states.index(state) + 1
        found[entry.pk] = entry.name if number == 1 else f"{entry.name} ({number})"
    return found


def _newest(cases: Iterable[VersionCase | None]) -> dict[Place, VersionCase | None]:
    """The row of the newest version of each case."""
    found: dict[Place, VersionCase | None] = {}
    for case in cases:
        known = found.get(_place(case))
        if known is None or (case is not None and case.version_id > known.version_id):
            found[_place(case)] = case
    return found


def _place(case: VersionCase | None) -> Place:
    return (case.input_set.key, case.challenge_key, case.key) if case else ("", "", "")


def _digest(case: VersionCase | None) -> str:
    return case.digest if case else ""


def _order(case: VersionCase | None) -> tuple[int, int]:
    return (case.input_set_id, case.position) if case else (0, 0)


def charts_of_items(worth: Worth, kind: str = "") -> list[Chart]:
    """Difficulty against discrimination of the cases of a kind, and where the best two agents part."""
    columns = (
        Column("label", "Case", "text"),
        Column("difficulty", "Difficulty (mean pass rate)", "share"),
        Column("discrimination", "Discrimination (item-rest correlation)", "number"),
        Column("low", "From (95%)", "number"),
        Column("high", "To (95%)", "number"),
        Column("agents", "Agents", "count"),
        Column("trials", "Trials", "count"),
        Column("flaky", "Flaky agents", "count"),
        Column("kind", "Finding", "text"),
    )
    about = (
        "Each dot is a case: to the right it is easier, above 0 stronger agents pass it more often. Intervals are "
        "Fisher's; with few agents they are wide."
    )
    rows = tuple(_item_row(worth, item) for item in worth.shown(kind))
    found = [Chart("items", "items", "Difficulty and discrimination", about, columns, rows)] if rows else []
    return found + list(_gaps(worth))


def _item_row(worth: Worth, item: Item) -> tuple[Value, ...]:
    known = item.discrimination
    bounds = (known.interval if known else None) or (None, None)
    numbers = (item.difficulty, known.value if known else None, *bounds, item.agents, item.trials, item.flaky)
    return (item.key, *numbers, KINDS.get(worth.kind(item), ""))


def _gaps(worth: Worth) -> Iterator[Chart]:
    best = worth.best
    if best is None or not best.gaps:
        return
    matrix = worth.analysis.matrix
    one, other = matrix.agents[best.first], matrix.agents[best.second]
    rates = matrix.rates
    columns = (
        Column("label", "Case", "text"),
        Column("value", f"{one} less {other}", "number"),
        Column("first", one, "share"),
        Column("second", other, "share"),
    )
    rows = tuple(
        (matrix.cases[at], gap, rates[at][best.first], rates[at][best.second]) for at, gap in best.gaps[:MOST_GAPS]
    )
    about = f"How much more often {one} passes than {other}: the {len(rows)} cases where they differ most."
    yield Chart("gaps", "gaps", "What decides between the best two", about, columns, rows)


def item_dict(worth: Worth, item: Item) -> dict[str, Any]:
    """A case as JSON values."""
    known, case = item.discrimination, worth.cases[item.place]
    return {
        "case": case.pk if case else None,
        "case_key": item.key,
        "challenge": case.challenge_key if case else "",
        "input_set": case.input_set.key if case else "",
        "agents": item.agents,
        "trials": item.trials,
        "difficulty": item.difficulty,
        "discrimination": known.value if known else None,
        "interval": list(known.interval) if known and known.interval else None,
        "p_value": known.p_value if known else None,
        "flaky_agents": item.flaky,
        "finding": worth.kind(item),
    }
