"""Dimensions: how each source gives a score between 0 and 1 (challenge-pack d.8)."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from packs.formats.task import Dimension
from runs.grading.graders.contract import Grade, State, Verdict
from runs.grading.scoring.metrics import Trial, cost, latency
from runs.grading.scoring.results import DimensionResult, JudgeResult, Measured, MetricResult
from runs.grading.scoring.signals import behaviour


@dataclass(frozen=True, slots=True)
class Results:
    """What dimensions are made from."""

    trial: Trial
    metrics: Sequence[MetricResult]
    judges: Sequence[JudgeResult]
    human_preference: float | None = None


def lower_is_better(value: float, target: float, maximum: float) -> float:
    """1 at or below the target, 0 at or above the maximum, linear between."""
    if value <= target:
        return 1.0
    if value >= maximum:
        return 0.0
    return 1 - (value - target) / (maximum - target)


def higher_is_better(value: float, target: float, floor: float) -> float:
    """1 at or above the target, 0 at or below the floor, linear between."""
    if value >= target:
        return 1.0
    if value <= floor:
        return 0.0
    return (value - floor) / (target - floor)


def _validators(dimension: Dimension, results: Results) -> Measured:
    """The mean over the graders in scope; one that erred, or is unavailable, makes the dimension so."""
    grades = [grade for grade in results.trial.grades if not dimension.graders or grade.key in dimension.graders]
    if not grades:
        return Measured(None, "no grader is in scope")
    total = 0.0
    for grade in grades:
        if grade.state is State.ERROR:
            return Measured(None, _described("grader", grade), is_error=True)
        if grade.score is None:
            return Measured(None, _described("grader", grade))
        total += grade.score
    return Measured(total / len(grades))


def _described(what: str, grade: Grade) -> str:
    return f"{what} {grade.key!r}: {grade.reason or grade.state.value}"


def _reliability(dimension: Dimension, results: Results) -> Measured:
    """1 when the run completed without any failure, 0 otherwise."""
    collected = {result.metric.collector: result.value for result in reversed(results.metrics)}
    completed, failures = collected.get("run_completed_successfully"), collected.get("run_failure_count")
    if completed is None or failures is None:
        return Measured(None, "it needs metrics with the collectors run_completed_successfully and run_failure_count")
    return Measured(float(completed is True and failures == 0))


def _normalized(dimension: Dimension, measured: Measured, direction: str) -> Measured:
    if measured.value is None:
        return measured
    if dimension.target is None or dimension.maximum is None:
        return Measured(None, "it states no target and maximum")
    if direction not in ("lower", "higher"):
        return Measured(None, f"there is no direction {direction!r}", is_error=True)
    scale = lower_is_better if direction == "lower" else higher_is_better
    return Measured(scale(measured.value, dimension.target, dimension.maximum))


def _metric(dimension: Dimension, results: Results) -> Measured:
    found = next((result for result in results.metrics if result.metric.key == dimension.metric), None)
    if found is None or isinstance(found.value, bool) or found.value is None:
        return Measured(None, f"metric {dimension.metric!r} has no number")
    return _normalized(dimension, Measured(found.value), dimension.better_direction)


def _latency(dimension: Dimension, results: Results) -> Measured:
    return _normalized(dimension, latency(results.trial), "lower")


def _cost(dimension: Dimension, results: Results) -> Measured:
    return _normalized(dimension, cost(results.trial), "lower")


def _behavioral(dimension: Dimension, results: Results) -> Measured:
    trial = results.trial
    return behaviour(trial.scoring.signals, trial.evidence, trial.grades)


def _llm_judge(dimension: Dimension, results: Results) -> Measured:
    found = next((result for result in results.judges if result.judge_key == dimension.judge), None)
    if found is None:
        return Measured(None, f"judge {dimension.judge!r} was not asked")
    return Measured(found.score, "" if found.score is not None else found.reason or "the judge gave no score")


def _human_preference(dimension: Dimension, results: Results) -> Measured:
    if results.human_preference is None:
        return Measured(None, "no human preference was given")
    return Measured(results.human_preference)


SOURCES: dict[str, Callable[[Dimension, Results], Measured]] = {
    "validators": _validators,
    "reliability": _reliability,
    "metric": _metric,
    "latency": _latency,
    "cost": _cost,
    "behavioral": _behavioral,
    "llm_judge": _llm_judge,
    "human_preference": _human_preference,
    "grader": _validators,
}


def score_dimension(dimension: Dimension, results: Results) -> DimensionResult:
    """Score one dimension; an unknown source is an error."""
    source = SOURCES.get(dimension.source)
    if source is None:
        measured = Measured(None, f"there is no dimension source {dimension.source!r}", is_error=True)
    else:
        measured = source(dimension, results)
    own = [grade for grade in results.trial.grades if grade.key in dimension.graders]
    if dimension.source != "grader" or not own:
        return DimensionResult(dimension, measured.state, measured.value, measured.reason)
    # Its verdict counts, whatever its score.
    passed = own[0].verdict is Verdict.PASS if own[0].verdict in (Verdict.PASS, Verdict.FAIL) else None
    is_violation = any(flag.get("severity") == "violation" for flag in own[0].raw.get("flags", ()))
    facts = {"is_violation": is_violation, "is_pending": own[0].raw.get("pending") is True}
    return DimensionResult(dimension, measured.state, measured.value, measured.reason, passed, **facts)
