"""Runs beside each other: which columns they have, what their trials say, and in what they differ themselves."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from operator import is_
from typing import Any

import orjson

from runs.models import Connection, Rescore, Run, RunAgent, Trial, TrialPlan
from runs.models.plans import terms_of
from runs.models.trial_counts import stamps_of
from runs.models.trials import joint_state
from runs.results.case_verdicts import by_case
from runs.results.charts import AGENT, BOUNDS, Chart
from runs.results.charts import Column as ChartColumn
from runs.results.memory import MEMORY, name_of
from runs.statistics.comparing.cells import Cell, Sample, cell_of
from runs.statistics.comparing.rows import ComparedCase, align
from runs.statistics.comparing.totals import Total, corrected_totals, sum_up
from runs.statistics.estimates import said

MAX_RUNS = 6
# Agents of all runs together; wider tables cannot be read.
MAX_COLUMNS = 12
# A comparison of more trials is not kept: it would take too much memory.
MOST_KEPT = 200_000
COLUMNS = (
    *("case_id", "case_key", "case__input_set__key", "challenge_key", "case__digest"),
    *("pk", "number", "status", "stop_reason", "score", "cost_usd", "total_tokens", "seconds"),
)
MAX_VALUE = 160
MAX_DIFFERENCES = 24


class Refused(ValueError):
    """Numbers that name no runs, or too many. `code` is stable."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


@dataclass(frozen=True, slots=True)
class Column:
    """One agent of one run. `name` is what an address calls it: the run alone where it has no other agent.

    `title` is what it is called where several judgements of one run are compared, `rescore` the one that judged.
    """

    run: Run
    agent: RunAgent
    name: str
    title: str = ""
    rescore: Rescore | None = None


@dataclass(frozen=True, slots=True)
class Difference:
    """Something that is not the same for all columns, with its value for each."""

    name: str
    values: tuple[str, ...]


@dataclass(frozen=True)
class Comparison:
    """Runs side by side; `base` is the place of the column that the others are held against. `hidden` counts columns
    beyond MAX_COLUMNS, which are left out; `stated` are the differences where runs and agents do not tell them."""

    columns: Sequence[Column]
    base: int
    rows: Sequence[ComparedCase]
    hidden: int = 0
    # Of each column its cells, and what it adds up to alone.
    cells: Sequence[Sequence[Cell]] = ()
    sums: Sequence[Total] = ()
    stated: Sequence[Difference] | None = None

    @cached_property
    def totals(self) -> list[Total]:
        return corrected_totals(self.sums)

    @property
    def letters(self) -> list[str]:
        """What the columns are called beside each other."""
        return [chr(65 + at) for at in range(len(self.columns))]

    @cached_property
    def shared(self) -> int:
        """Cases that the base has in common with any other column."""
        return sum(
            len([cell for cell in row.cells if cell]) > 1 and row.cells[self.base] is not None for row in self.rows
        )

    @cached_property
    def differences(self) -> Sequence[Difference]:
        if self.stated is not None:
            return self.stated
        return differences_of([column.run for column in self.columns], [column.agent for column in self.columns])


def comparison_charts(comparison: Comparison) -> list[Chart]:
    """The share of cases that pass in each column with its interval, where any case is decided."""
    named = zip(comparison.letters, comparison.columns, comparison.totals, strict=True)
    rows = tuple(
        (
            f"{letter} · {column.agent.name}",
            cases.pass_rate,
            *(cases.interval or (None, None)),
            cases.passed,
            cases.judged,
        )
        for letter, column, cases in ((letter, column, total.cases) for letter, column, total in named)
        if cases.judged
    )
    columns = (AGENT, ChartColumn("value", "Cases passed", "share"), *BOUNDS)
    counts = (ChartColumn("passed", "Passed", "count"), ChartColumn("judged", "Judged", "count"))
    about = "Passed of judged cases, with the 95% Wilson interval."
    return [Chart("cases", "intervals", "Cases that passed", about, (*columns, *counts), rows)] if rows else []


def read_ids(texts: Iterable[str]) -> list[int]:
    """The numbers of runs, separated by commas, each once and in order. Raises Refused."""
    words = [word.strip() for text in texts for word in text.split(",") if word.strip()]
    wrong = next((word for word in words if not (word.isascii() and word.isdecimal() and len(word) < 19)), None)
    if wrong is not None:
        raise Refused("invalid_ids", f"{wrong[:40]!r} is not a number of a run.")
    found = list(dict.fromkeys(int(word) for word in words))
    if len(found) > MAX_RUNS:
        raise Refused("too_many_runs", f"At most {MAX_RUNS} runs are compared; these are {len(found)}.")
    return found


def comparison_of(runs: Sequence[Run], base: str = "") -> Comparison:
    """These runs, in their order. `base` names a column, or a run whose first agent is meant; otherwise it is the
    first. What was compared before is made anew just as far as trials changed since."""
    listed = columns_of(runs)
    columns = listed[:MAX_COLUMNS]
    place = next((at for at, column in enumerate(columns) if base in (column.name, str(column.run.pk))), 0)
    key = ("comparison", *((*name_of(column.run), column.agent.pk) for column in columns), place)
    stamps = stamps_of(*(run.pk for run in runs))
    kept = MEMORY.find(key)
    before: tuple[dict[int, int], Comparison] | None = kept[1] if kept else None
    found = _compared(columns, place, len(listed) - len(columns), stamps, before)
    if sum(run.trial_count for run in runs) <= MOST_KEPT:
        MEMORY.keep(key, None, (stamps, found))
    return found


def _compared(
    columns: Sequence[Column],
    base: int,
    hidden: int,
    stamps: dict[int, int],
    before: tuple[dict[int, int], Comparison] | None,
) -> Comparison:
    """Runs side by side; `before` are the stamps and the result of the last time."""
    if before is None:
        read = cells_of(columns) if columns else {}
        cells: list[Sequence[Cell]] = [read.get(column.agent.pk, []) for column in columns]
        rows = align(cells, base)
        return Comparison(columns, base, rows, hidden, cells, [sum_up(rows, at) for at in range(len(columns))])
    old_stamps, old = before
    changed = [column for column in columns if stamps[column.run.pk] != old_stamps[column.run.pk]]
    fresh = cells_of(changed) if changed else {}
    cells = [
        _taken_over(fresh[column.agent.pk], known) if column.agent.pk in fresh else known
        for column, known in zip(columns, old.cells, strict=True)
    ]
    rows = align(cells, base, old.rows) if changed else list(old.rows)
    is_aligned_alike = [row.name for row in rows] == [row.name for row in old.rows]
    is_same = [one is other for one, other in zip(cells, old.cells, strict=True)]
    sums = [
        total if is_aligned_alike and is_same[at] and is_same[base] else sum_up(rows, at)
        for at, total in enumerate(old.sums)
    ]
    return Comparison(columns, base, rows, hidden, cells, sums)


def _taken_over(fresh: Sequence[Cell], known: Sequence[Cell]) -> Sequence[Cell]:
    """The cells as they are now; those that say what they said are the same objects as before."""
    before = {cell.samples[0].id: cell for cell in known}
    found = [earlier if (earlier := before.get(cell.samples[0].id)) == cell else cell for cell in fresh]
    return known if len(found) == len(known) and all(map(is_, found, known)) else found


def columns_of(runs: Sequence[Run]) -> list[Column]:
    entries: dict[int, list[RunAgent]] = {}
    rows = RunAgent.objects.filter(run__in=[run.pk for run in runs]).select_related("connection")
    for entry in rows.order_by("run_id", "position"):
        entries.setdefault(entry.run_id, []).append(entry)
    return [
        Column(run, entry, str(run.pk) if len(entries[run.pk]) == 1 else f"{run.pk}.{entry.pk}")
        for run in runs
        for entry in entries.get(run.pk, ())
    ]


def cells_of(columns: Sequence[Column]) -> dict[int, list[Cell]]:
    """The cases of each column in their order, by the id of the agent entered."""
    agents = {column.agent.pk: column.run.pk for column in columns}
    runs = set(agents.values())
    plans = {(plan.run_id, plan.case_id): plan for plan in TrialPlan.objects.filter(run__in=runs)}
    found: dict[int, list[Cell]] = {key: [] for key in agents}
    for agent, rows in by_case(Trial.objects.filter(run__in=runs, run_agent__in=agents), *COLUMNS):
        found[agent].append(joint_cell(rows, plans.get((agents[agent], rows[0][0]))))
    return found


def joint_cell(rows: Sequence[tuple[Any, ...]], plan: TrialPlan | None) -> Cell:
    """A case from its trials, of which each row has the columns of COLUMNS."""
    samples = [_sample(*row[5:]) for row in rows]
    joint = said(*terms_of(plan), [(sample.state, sample.score) for sample in samples])
    _, key, input_set, challenge, digest = rows[0][:5]
    return cell_of((key, input_set or "", challenge, digest or ""), joint, samples)


def _sample(pk: int, number: int, status: str, stopped: str, score: float | None, *used: Any) -> Sample:
    return Sample(pk, number, joint_state(status, stopped), score, *used)


def differences_of(runs: Sequence[Run], agents: Sequence[RunAgent]) -> list[Difference]:
    """In what columns differ: what was run, by whom, how it was configured, and who answered for models of the pack."""
    named = {
        "Pack": [f"{run.version.pack.team.slug}/{run.version.pack.slug}" for run in runs],
        "Version": [str(run.version.number) for run in runs],
        "Input set": [_input_set(run) for run in runs],
        "Agent": [agent.name for agent in agents],
        "Kind of agent": [agent.kind for agent in agents],
        "Connection": [agent.connection.name if agent.connection else "" for agent in agents],
        "Trials per case": [str(run.trials_per_case) for run in runs],
        "Step limit": [_described(run.max_iterations) for run in runs],
    }
    settings = dict.fromkeys(key for agent in agents for key in agent.config)
    configured = ((f"Agent: {key}", [_described(agent.config.get(key)) for agent in agents]) for key in settings)
    found = [
        Difference(name, tuple(value[:MAX_VALUE] for value in values))
        for name, values in [*named.items(), *configured]
        if len(set(values)) > 1
    ]
    return [*found, *answers_of([run.connections for run in runs])][:MAX_DIFFERENCES]


def _input_set(run: Run) -> str:
    return run.input_set.key if run.input_set else "all input sets" if run.selection == "all" else ""


def _described(value: Any) -> str:
    """A value of a configuration as text; nothing for one that is not there."""
    if value is None or isinstance(value, str):
        return value or ""
    return orjson.dumps(value, option=orjson.OPT_SORT_KEYS).decode()


def answers_of(chosen: Sequence[Mapping[str, Any]]) -> Iterator[Difference]:
    """Who answers for each model that a pack names, such as those of its judges, in the shape of `Run.connections`."""
    models = dict.fromkeys(name for each in chosen for name in each)
    if not models:
        return
    keys = {entry.get("connection") for each in chosen for entry in each.values()}
    names = dict(Connection.objects.filter(pk__in=keys).values_list("pk", "name"))
    for model in models:
        entries = [each.get(model) for each in chosen]
        values = [
            f"{names.get(entry.get('connection'), '')} {entry.get('model', '')}".strip() if entry else ""
            for entry in entries
        ]
        if len(set(values)) > 1:
            yield Difference(f"Model {model}", tuple(value[:MAX_VALUE] for value in values))
