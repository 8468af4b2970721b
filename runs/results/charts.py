"""Charts of a run as values: what is drawn, and the table that says the same.

The table is the chart's data: pages show it, drawings and downloads read it.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from django.db.models import Count, F, Max, Min, QuerySet, Sum
from django.db.models.functions import Floor, Greatest, Least

from runs.models import Run, RunAgent, Trial
from runs.models.trial_counts import TrialCounts, trial_counts_of
from runs.replay.trajectories.tracked import Rate
from runs.results.measuring import TELLING, Collected, number_of
from runs.results.memory import remembered
from runs.results.sampling import Sample
from runs.statistics.clusters import ClusteredMean, clustered_mean
from runs.statistics.distributions import Steps, counted, few_values, steps, steps_of
from runs.statistics.fronts import efficient
from runs.statistics.shares import Shares, shares_of

Value = str | int | float | None


class Column(NamedTuple):
    """A column of a chart's table. `kind` says how its values read: text, count, share, number, usd, seconds, wait,
    bytes or time. A time is text in ISO 8601; waits are seconds that read as minutes and hours.
    """

    key: str
    title: str
    kind: str


@dataclass(frozen=True, slots=True)
class Chart:
    """What is drawn, and how: `drawing` is a kind of static/src/charts/drawings.js. Each row has a value a column."""

    key: str
    drawing: str
    title: str
    about: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Value, ...], ...]


# How the values of a metric read, by its unit.
KINDS_COUNTED = "How many trials have each value."
KINDS_OF_UNITS = {"usd": "usd", "s": "seconds"}
AGENT = Column("label", "Agent", "text")
BOUNDS = (Column("low", "From (95%)", "share"), Column("high", "To (95%)", "share"))


class Measured(NamedTuple):
    """A number that trials have: its column, what it is called, and how its values read."""

    field: str
    title: str
    kind: str


SPREAD = (
    Measured("seconds", "Time per trial", "seconds"),
    Measured("cost_usd", "Cost per trial", "usd"),
    Measured("total_tokens", "Tokens per trial", "count"),
)


def charts_of(run: Run) -> list[Chart]:
    """The charts of a run that have something to show; kept until one of its trials changes."""
    return remembered("charts", [run], lambda: _drawn(run))


def _drawn(run: Run) -> list[Chart]:
    agents = list(run.agents.defer("config").order_by("position"))
    trial_counts = trial_counts_of(run.pk)
    shares = {pk: shares_of(counts) for pk, counts in trial_counts.by_agent.items()}
    found = [_pass_rates(agents, shares), _scores(run, agents), _tradeoff(trial_counts, agents, shares)]
    sample = Sample.of(run)
    spread = (_spread(run, agents, measured, sample) for measured in SPREAD)
    return [chart for chart in (*found, *spread) if chart]


def judged(run: Run) -> QuerySet[Trial]:
    """The trials that say something of an agent, in no order."""
    return Trial.objects.filter(run=run, status__in=TELLING).order_by()


def _pass_rates(agents: Sequence[RunAgent], shares: dict[int, Shares]) -> Chart | None:
    """The pass rate of each agent with its interval, and of how many trials it is."""
    known = [(agent.name, shares[agent.pk]) for agent in agents if agent.pk in shares and shares[agent.pk].judged]
    columns = (AGENT, Column("value", "Pass rate", "share"), *BOUNDS)
    counts = (
        Column("passed", "Passed", "count"),
        Column("judged", "Judged", "count"),
        Column("planned", "Of", "count"),
    )
    rows = (
        (name, each.pass_rate, *(each.interval or ()), each.passed, each.judged, each.planned) for name, each in known
    )
    about = "Passed of judged trials, with the 95% Wilson interval."
    return _unless_empty(Chart("pass-rates", "intervals", "Pass rate", about, (*columns, *counts), tuple(rows)))


def _scores(run: Run, agents: Sequence[RunAgent]) -> Chart | None:
    """The mean score of each agent, its interval over cases."""
    means = scores_by_agent(run)
    columns = (AGENT, Column("value", "Mean score", "share"), *BOUNDS)
    counts = (Column("trials", "Trials", "count"), Column("cases", "Cases", "count"))
    rows = tuple(
        (agent.name, mean.mean, *within(mean.interval), mean.count, mean.clusters)
        for agent in agents
        if (mean := means.get(agent.pk))
    )
    about = "Mean of the trials with a score; the 95% interval takes trials of one case as one group."
    return _unless_empty(Chart("scores", "intervals", "Score", about, (*columns, *counts), rows))


def scores_by_agent(run: Run) -> dict[int, ClusteredMean]:
    """The mean score of each agent entered over its trials with a score, its error over cases."""
    sums: dict[int, list[tuple[float, int]]] = {}
    rows = Trial.objects.filter(run=run, score__isnull=False).order_by().values_list("run_agent", "case_position")
    for agent, _, total, count in rows.annotate(Sum("score"), Count("score")):
        sums.setdefault(agent, []).append((total, count))
    return {agent: mean for agent, each in sums.items() if (mean := clustered_mean(each))}


def within(bounds: tuple[float, float] | None) -> tuple[float | None, float | None]:
    """An interval of scores, which lie from 0 to 1; two times None without one."""
    return (max(0.0, bounds[0]), min(1.0, bounds[1])) if bounds else (None, None)


def _tradeoff(trial_counts: TrialCounts, agents: Sequence[RunAgent], shares: dict[int, Shares]) -> Chart | None:
    """The pass rate of each agent against what its trials cost, or took where nobody knows a cost."""
    telling = TrialCounts(tuple(row for row in trial_counts if row.status in TELLING), trial_counts.stamp)
    used = telling.by("run_agent")
    is_paid = any(state_count.priced for state_count in used.values())
    points = {
        agent.pk: (mean, rate)
        for agent in agents
        if (state_count := used.get(agent.pk)) is not None
        and (mean := state_count.mean_cost if is_paid else state_count.mean_seconds) is not None
        and (rate := shares[agent.pk].pass_rate) is not None
    }
    if len(points) < 2:
        return None
    front = efficient(points)
    spent = (
        Column("cost", "Mean cost per trial", "usd") if is_paid else Column("cost", "Mean time per trial", "seconds")
    )
    columns = (AGENT, spent, Column("quality", "Pass rate", "share"), Column("front", "Efficient", "text"))
    rows = (
        (agent.name, *points[agent.pk], "yes" if agent.pk in front else "no") for agent in agents if agent.pk in points
    )
    about = "An agent is efficient if no other passes as often for less. The line joins the efficient ones."
    title = "Cost and quality" if is_paid else "Time and quality"
    return Chart("tradeoff", "tradeoff", title, about, columns, tuple(rows))


def _spread(run: Run, agents: Sequence[RunAgent], measured: Measured, sample: Sample) -> Chart | None:
    """How a number that trials have is spread: how many trials of each agent lie in each step."""
    rows = sample.rows(judged(run)).filter(**{f"{measured.field}__isnull": False})
    ends = rows.aggregate(low=Min(measured.field), high=Max(measured.field))
    if ends["low"] is None:
        return None
    found = steps(ends["low"], ends["high"])
    counts = _counts(rows, measured.field, found)
    shown = [agent for agent in agents if any(agent.pk == key for key, _ in counts)]
    columns = (Column("from", "From", measured.kind), Column("to", "To", measured.kind))
    of_agents = (Column(f"agent-{agent.position}", agent.name, "count") for agent in shown)
    lines = _lines(found, shown, counts)
    about = f"How many judged trials lie in each range. {sample}".strip()
    return Chart(measured.field, "bins", measured.title, about, (*columns, *of_agents), tuple(lines))


def _counts(rows: QuerySet[Trial], field: str, found: Steps) -> dict[tuple[int, int], int]:
    """How many trials of each agent lie in each step."""
    place = Floor((F(field) - found.start) / found.width)
    within_steps = Least(Greatest(place, 0.0), float(found.count - 1))
    groups = rows.annotate(step=within_steps).values_list("run_agent", "step").annotate(Count("pk"))
    return {(agent, int(step)): count for agent, step, count in groups}


def _lines(found: Steps, agents: Sequence[RunAgent], counts: dict[tuple[int, int], int]) -> Iterator[tuple[Any, ...]]:
    for place, (low, high) in enumerate(found.edges):
        yield (low, high, *(counts.get((agent.pk, place), 0) for agent in agents))


def metric_chart(name: str, agents: Sequence[RunAgent], found: Mapping[int, Collected]) -> Chart | None:
    """How a metric is spread over the trials of each agent: flags and kinds by their counts, numbers in steps."""
    values = {agent.pk: known_values(found, agent, name) for agent in agents}
    shown = [agent for agent in agents if values[agent.pk]]
    if not shown:
        return None
    of_agents = tuple(Column(f"agent-{agent.position}", agent.name, "count") for agent in shown)
    kinds = [_kinds(values[agent.pk]) for agent in shown]
    if all(each is not None for each in kinds):
        names = dict.fromkeys(kind for each in kinds for kind in each or ())
        rows: list[tuple[Value, ...]] = [(kind, *((each or {}).get(kind, 0) for each in kinds)) for kind in names]
        columns = (Column("label", name, "text"), *of_agents)
        return Chart("metric", "kinds", name, KINDS_COUNTED, columns, tuple(rows))
    numbers = [
        [float(number) for value in values[agent.pk] if (number := number_of(value)) is not None] for agent in shown
    ]
    together = [number for each in numbers for number in each]
    if few := few_values(together):
        columns = (Column("label", name, "text"), *of_agents)
        rows = [(f"{value:g}", *(each.count(value) for each in numbers)) for value in few]
        return Chart("metric", "kinds", name, KINDS_COUNTED, columns, tuple(rows))
    bins = steps_of(together)
    counts = [counted(bins, each) for each in numbers]
    unit = next((found[agent.pk].units[name] for agent in shown), "")
    edges = (Column("from", "From", KINDS_OF_UNITS.get(unit, "number")), Column("to", "To", "number"))
    lines = tuple((low, high, *(each[at] for each in counts)) for at, (low, high) in enumerate(bins.edges))
    about = "How many trials with a verdict lie in each range."
    return Chart("metric", "bins", name, about, (*edges, *of_agents), lines)


def known_values(found: Mapping[int, Collected], agent: RunAgent, name: str) -> list[Any]:
    """The values of a metric that are defined, one for each trial of an agent."""
    values = found[agent.pk].values.get(name, ()) if agent.pk in found else ()
    return [value for value in values if value is not None and (not isinstance(value, Rate) or value.under)]


def _kinds(values: Sequence[Any]) -> Mapping[str, int] | None:
    """Counts of kinds, and of yes and no; None for numbers."""
    if all(isinstance(value, Counter) for value in values):
        return sum(values, Counter())
    if all(isinstance(value, bool) for value in values):
        return {"yes": values.count(True), "no": values.count(False)}
    return None


def _unless_empty(chart: Chart) -> Chart | None:
    return chart if chart.rows else None
