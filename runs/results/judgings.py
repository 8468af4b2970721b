"""Two judgings of the same stored answers beside each other, as two runs are: a re-score and what was said before."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import orjson
from django.db.models import QuerySet

from runs.grading.judges.judgements import scores_of
from runs.grading.scoring.judges.consensus import majority
from runs.models import Rescore, RescoreResult, RunAgent, TrialPlan
from runs.results.biases import Biases, biases_of
from runs.results.case_verdicts import by_case
from runs.results.comparing import COLUMNS, Column, Comparison, Difference, answers_of, joint_cell
from runs.statistics.agreement import Agreement, agreement
from runs.statistics.comparing.cells import Cell
from runs.statistics.comparing.pairs import Pairs, ScorePairs, clustered_pairs_of, counted_pairs
from runs.statistics.comparing.rows import align
from runs.statistics.comparing.totals import sum_up
from runs.statistics.estimates import FAILED, PASSED

# The judging by which the run was scored before.
FORMER = "former"
VERDICTS = {PASSED: 1, FAILED: 0}
# The scorecards that are read of each judging.
MOST_CARDS = 2000
BEFORE, NOW = "before", "now"
ABOUT = tuple(f"trial__{name}" for name in COLUMNS[:7])


@dataclass(frozen=True, slots=True)
class JudgeMoved:
    """One judge in both judgings: whether it passes the first trial of each case, and its scores of all trials."""

    judge: str
    pairs: Pairs
    scores: ScorePairs | None


@dataclass(frozen=True, slots=True)
class Judgings:
    """Two judgings of what one agent answered. `agreement` is over trials that both judged, None without any; `judges`
    are those that scored in both. `biases` are over all agents of the run."""

    comparison: Comparison
    agreement: Agreement | None
    judges: Sequence[JudgeMoved]
    biases: Biases


def rivals_of(row: Rescore) -> QuerySet[Rescore]:
    """The other re-scores of the same run."""
    return Rescore.objects.filter(run=row.run_id).exclude(pk=row.pk).select_related("version", "run")


def judgings_of(row: Rescore, agent: RunAgent, other: Rescore | None = None) -> Judgings:
    """A re-score of what an agent answered, against another one of the same run, or against what was said before."""
    before = Column(row.run, agent, FORMER, "As scored before") if other is None else _column(other, agent)
    columns = [before, _column(row, agent)]
    plans = {plan.case_id: plan for plan in TrialPlan.objects.filter(run=row.run_id)}
    first = _results(row, agent, "old_") if other is None else _results(other, agent)
    cells = [_cells(found, plans) for found in (first, _results(row, agent))]
    rows = align(cells, 0)
    sums = [sum_up(rows, at) for at in range(len(columns))]
    comparison = Comparison(columns, 0, rows, cells=cells, sums=sums, stated=list(_differences(row, other)))
    return Judgings(comparison, agreement(_said(comparison)), list(_moved(row, agent, other)), biases_of(row, other))


def _moved(row: Rescore, agent: RunAgent, other: Rescore | None) -> Iterator[JudgeMoved]:
    """What each judge said in both judgings, of the first trials that are read."""
    before, now = (_scores(row, agent, "trial__") if other is None else _scores(other, agent)), _scores(row, agent)
    judges = sorted({judge for scores in now.values() for judge in scores})
    for judge in judges:
        cases: dict[int, list[tuple[float, float]]] = {}
        for place, scores in now.items():
            if judge in scores and judge in (known := before.get(place, {})):
                cases.setdefault(place[0], []).append((known[judge], scores[judge]))
        if cases:
            verdicts = ((bool(majority([old])), bool(majority([new]))) for (old, new), *_ in cases.values())
            differences = [[new - old for old, new in found] for found in cases.values()]
            yield JudgeMoved(judge, counted_pairs(verdicts), clustered_pairs_of(differences))


def _scores(row: Rescore, agent: RunAgent, way: str = "") -> dict[tuple[int, int], dict[str, float]]:
    """The scores of judges by position of the case and number of the trial, in their order."""
    places = ("trial__case_position", "trial__number")
    rows = RescoreResult.objects.filter(rescore=row, trial__run_agent=agent).order_by(*places)
    cards = rows.values_list(*places, f"{way}scorecard")[:MOST_CARDS]
    return {(position, number): scores_of(card) for position, number, card in cards.iterator(chunk_size=200)}


def _column(row: Rescore, agent: RunAgent) -> Column:
    return Column(row.run, agent, str(row.pk), f"Re-score {row.pk}", row)


@dataclass(frozen=True, slots=True)
class Results:
    """Results of a re-score, with the prefix of the verdict that counts here: `old_` for the one before."""

    rows: QuerySet[RescoreResult]
    side: str


def _results(row: Rescore, agent: RunAgent, side: str = "") -> Results:
    return Results(RescoreResult.objects.filter(rescore=row, trial__run_agent=agent), side)


def _cells(results: Results, plans: dict[Any, TrialPlan]) -> list[Cell]:
    """The cases of a judging. Cost and tokens are those of its judges, unknown of the judging before."""
    columns = (*ABOUT, f"{results.side}status", "trial__stop_reason", f"{results.side}score", "usage")
    return [
        joint_cell([_with_usage(each, results.side) for each in rows], plans.get(rows[0][0]))
        for _, rows in by_case(results.rows, *columns, trial="trial__")
    ]


def _with_usage(values: Sequence[Any], side: str) -> tuple[Any, ...]:
    """The columns of a trial, with what its judges used up in the place of what the agent did."""
    *known, usage = values
    used: dict[str, Any] = {} if side else usage
    return (*known, used.get("cost_usd"), used.get("tokens"), None)


def _said(comparison: Comparison) -> Iterator[dict[str, int]]:
    """What each judging said of each trial that it judged."""
    for row in comparison.rows:
        trials: dict[int, dict[str, int]] = {}
        for name, cell in zip((BEFORE, NOW), row.cells, strict=True):
            for sample in cell.samples if cell else ():
                if sample.state in VERDICTS:
                    trials.setdefault(sample.id, {})[name] = VERDICTS[sample.state]
        yield from trials.values()


def _differences(row: Rescore, other: Rescore | None) -> Iterator[Difference]:
    """By what the judgings were made."""
    before = row.run if other is None else other
    sides = (
        ("Shown", _shown(other), _shown(row)),
        ("Version", str(before.version.number), str(row.version.number)),
        ("Evaluation", _evaluation(other), _evaluation(row)),
        ("Judges asked", other.get_asks_display() if other else "In the run", row.get_asks_display()),
    )
    for name, *values in sides:
        if len(set(values)) > 1:
            yield Difference(name, tuple(values))
    chosen = [row.run.connections if other is None else {**other.run.connections, **other.connections}]
    yield from answers_of([*chosen, {**row.run.connections, **row.connections}])


def _shown(row: Rescore | None) -> str:
    return row.get_probe_display() if row is not None and row.probe else "As answered"


def _evaluation(row: Rescore | None) -> str:
    if row is None or row.evaluation is None:
        return "of the version"
    return orjson.dumps(row.evaluation, option=orjson.OPT_SORT_KEYS).decode()[:160]
