"""How the results of a pack change over its runs: pass rate, cost, and the cases that changed."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from packs.models import Pack
from packs.models.searched import SearchedRuns
from runs.models import Run, RunAgent
from runs.models.runs import ALL_SETS
from runs.models.trial_counts import trial_counts_of
from runs.results.charts import AGENT, BOUNDS, Chart, Column
from runs.results.comparing import Column as Compared
from runs.results.comparing import cells_of
from runs.results.memory import remembered
from runs.statistics.comparing.cells import Cell
from runs.statistics.estimates import PASSED
from runs.statistics.shares import Shares, shares_of

# How far back is looked: so many runs, as long as they have no more trials than this together.
MOST_RUNS = 100
MOST_TRIALS = 200_000
# The choice of runs of no single input set, because their version has none.
NO_SET = "none"
WHEN = (
    AGENT,
    Column("at", "Ended", "time"),
    Column("run", "Run", "text"),
    Column("version", "Version", "text"),
    Column("published", "Version published", "time"),
)


@dataclass(frozen=True, slots=True)
class Point:
    """One agent in one run. `cost_usd` is what all of its trials cost, None unless that is known of each judged one."""

    run: int
    entry: int
    agent: str
    version: int
    published_at: datetime
    ended_at: datetime
    shares: Shares
    cost_usd: float | None

    @property
    def cost_per_pass(self) -> float | None:
        """What was spent for each trial that passed; None where none passed or the cost is not known."""
        return self.cost_usd / self.shares.passed if self.cost_usd is not None and self.shares.passed else None

    def as_dict(self) -> dict[str, Any]:
        return {
            "run": self.run,
            "run_agent": self.entry,
            "agent": self.agent,
            "version": self.version,
            "published_at": self.published_at,
            "ended_at": self.ended_at,
            "passed": self.shares.passed,
            "judged": self.shares.judged,
            "planned": self.shares.planned,
            **self.shares.as_dict(),
            "cost_usd": self.cost_usd,
            "cost_per_pass": self.cost_per_pass,
        }


@dataclass(frozen=True, slots=True)
class Trend:
    """The newest runs of one choice of cases, oldest first. `left_out` counts earlier runs that were not read."""

    points: Sequence[Point]
    left_out: int

    @property
    def agents(self) -> list[str]:
        """The agents by their names, the one that ran last first."""
        return list(dict.fromkeys(point.agent for point in reversed(self.points)))

    @property
    def incomplete(self) -> list[Point]:
        """The points that not all planned trials stand behind."""
        return [point for point in self.points if point.shares.missing]


def set_name(run: Run) -> str:
    """What a run was of: the key of its input set, `all` for every set, `none` for a version without sets."""
    return run.input_set.key if run.input_set else ALL_SETS if run.selection == ALL_SETS else NO_SET


def ended_runs(pack: Pack) -> SearchedRuns:
    """The runs of a pack that have ended, the newest first."""
    rows = Run.objects.filter(version__pack=pack, finished_at__isnull=False).select_related("input_set", "version")
    return rows.defer("scorecard", "metadata", "version__challenges", "version__assets", "version__files").order_by(
        "-finished_at", "-pk"
    )


def sets_of(runs: Sequence[Run]) -> list[str]:
    """What runs were of, as `set_name` says it; that of the newest first."""
    return list(dict.fromkeys(set_name(run) for run in runs))


def newest_runs(runs: Sequence[Run]) -> list[Run]:
    """As many of the newest runs as are read, oldest first."""
    found: list[Run] = []
    trials = 0
    for run in runs[:MOST_RUNS]:
        trials += run.trial_count
        if found and trials > MOST_TRIALS:
            break
        found.append(run)
    return found[::-1]


def trend_of(runs: Sequence[Run], agent: str = "") -> Trend:
    """The results of runs, given newest first, of one agent or of all. Two queries."""
    read = newest_runs(runs)
    by_run = {run.pk: run for run in read}
    entries = RunAgent.objects.filter(run__in=by_run).order_by("position").defer("config", "summary")
    counted = _counted(read)
    points: dict[int, list[Point]] = {}
    for entry in entries.filter(name=agent) if agent else entries:
        if (found := _point(by_run[entry.run_id], entry, counted.get(entry.pk, {}))).shares.judged:
            points.setdefault(entry.run_id, []).append(found)
    return Trend([point for run in read for point in points.get(run.pk, ())], len(runs) - len(read))


def _counted(runs: Sequence[Run]) -> dict[int, dict[str, tuple[int, int, float]]]:
    """By agent entered and status: how many trials there are, how many with a cost, and what these cost."""
    found: dict[int, dict[str, tuple[int, int, float]]] = {}
    for (agent, status), state_count in trial_counts_of(*(run.pk for run in runs)).by("run_agent", "status").items():
        found.setdefault(agent, {})[status] = (state_count.trials, state_count.priced, state_count.cost_usd)
    return found


def _point(run: Run, entry: RunAgent, counted: dict[str, tuple[int, int, float]]) -> Point:
    shares = shares_of({status: count for status, (count, _, _) in counted.items()})
    judged = [counted[status] for status in ("passed", "failed") if status in counted]
    is_known = all(count == priced for count, priced, _ in judged)
    spent = sum(cost for _, _, cost in counted.values()) if is_known else None
    ended = run.finished_at or run.created_at
    return Point(run.pk, entry.pk, entry.name, run.version.number, run.version.published_at, ended, shares, spent)


def charts_of_trend(trend: Trend) -> list[Chart]:
    """Pass rate and cost over time, as far as there is something to show."""
    rates = tuple(
        (*_when(point), point.shares.pass_rate, *(point.shares.interval or ()), *_behind(point))
        for point in trend.points
    )
    costs = tuple(
        (*_when(point), point.cost_per_pass, None, None, point.cost_usd, point.shares.passed)
        for point in trend.points
        if point.cost_per_pass is not None
    )
    counts = (
        Column("passed", "Passed", "count"),
        Column("judged", "Judged", "count"),
        Column("coverage", "Coverage", "share"),
    )
    spent = (Column("spent", "Cost of all trials", "usd"), Column("passed", "Passed", "count"))
    ends = (Column("low", "From", "usd"), Column("high", "To", "usd"))
    charts = (
        Chart(
            *("pass-rate-over-time", "trend", "Pass rate over time"),
            "Passed of judged trials of each run, with the 95% Wilson interval. Lines mark published versions.",
            (*WHEN, Column("value", "Pass rate", "share"), *BOUNDS, *counts),
            rates,
        ),
        Chart(
            *("cost-over-time", "trend", "Cost per passed trial"),
            "What all trials of an agent in a run cost, divided by those that passed; without the costs of judges.",
            (*WHEN, Column("value", "Cost per passed trial", "usd"), *ends, *spent),
            costs,
        ),
    )
    return [chart for chart in charts if chart.rows]


def _when(point: Point) -> tuple[Any, ...]:
    moments = (point.ended_at.isoformat(), f"#{point.run}", str(point.version), point.published_at.isoformat())
    return (point.agent, *moments)


def _behind(point: Point) -> tuple[Any, ...]:
    return point.shares.passed, point.shares.judged, point.shares.coverage


@dataclass(frozen=True, slots=True)
class ChangedCase:
    """A case whose verdict changed between two runs. `is_edited` where its stored document changed as well."""

    key: str
    input_set: str
    challenge: str
    before: int
    after: int
    is_edited: bool


@dataclass(frozen=True, slots=True)
class Changes:
    """The cases that an agent passed in one run and not in the next one, and the other way. `shared` counts the cases
    that both runs decided."""

    before: Point
    after: Point
    regressed: Sequence[ChangedCase]
    fixed: Sequence[ChangedCase]
    shared: int


def changes_of(trend: Trend, agent: str) -> Changes | None:
    """What changed between the last two runs of an agent; None for one that ran once. Kept until a trial changes."""
    runs = [point for point in trend.points if point.agent == agent]
    if len(runs) < 2:
        return None
    before, after = runs[-2:]
    entries = list(RunAgent.objects.filter(pk__in=(before.entry, after.entry)).select_related("run").order_by("pk"))
    runs_of = [entry.run for entry in entries]
    return remembered("changes", runs_of, lambda: _changes(before, after, entries), before.entry, after.entry)


def _changes(before: Point, after: Point, entries: Sequence[RunAgent]) -> Changes:
    cells = cells_of([Compared(entry.run, entry, "") for entry in entries])
    earlier = {_place(cell): cell for cell in cells[before.entry] if cell.is_telling}
    pairs = [
        (earlier[_place(cell)], cell) for cell in cells[after.entry] if cell.is_telling and _place(cell) in earlier
    ]
    changed = [(one, other) for one, other in pairs if one.verdict != other.verdict]
    return Changes(
        before,
        after,
        list(_changed(pair for pair in changed if pair[0].state == PASSED)),
        list(_changed(pair for pair in changed if pair[1].state == PASSED)),
        len(pairs),
    )


def _place(cell: Cell) -> tuple[str, str, str]:
    return cell.input_set, cell.challenge, cell.key


def _changed(pairs: Iterable[tuple[Cell, Cell]]) -> Iterator[ChangedCase]:
    for before, after in pairs:
        is_edited = before.digest != after.digest
        yield ChangedCase(after.key, after.input_set, after.challenge, before.deciding.id, after.deciding.id, is_edited)
