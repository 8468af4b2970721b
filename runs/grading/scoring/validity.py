"""Whether a scorecard can be trusted: valid, degraded or invalid, with the reason (challenge-pack d.8)."""

from collections.abc import Iterator, Sequence

from runs.grading.graders.contract import Grade, State
from runs.grading.scoring.results import DimensionResult, MetricResult

Reason = tuple[State, str]


def validity(
    grades: Sequence[Grade], metrics: Sequence[MetricResult], dimensions: Sequence[DimensionResult]
) -> tuple[str, str]:
    """Invalid when anything erred, else degraded when anything is unavailable, else valid."""
    by_grades = [_described("grader", grade.key, grade.state, grade.reason) for grade in grades]
    by_metrics = [_described("metric", result.metric.key, result.state, result.reason) for result in metrics]
    by_dimensions = [
        _described("dimension", result.dimension.key, result.state, result.reason) for result in dimensions
    ]
    for reason in _in_state(State.ERROR, by_grades, by_metrics, by_dimensions):
        return "invalid", reason
    for reason in _in_state(State.UNAVAILABLE, by_dimensions, by_grades, by_metrics):
        return "degraded", reason
    return "valid", ""


def _described(what: str, key: str, state: State, reason: str) -> Reason:
    return state, f"{what} {key!r}: {reason or state.value}"


def _in_state(state: State, *groups: Sequence[Reason]) -> Iterator[str]:
    return (reason for group in groups for found, reason in group if found is state)
