"""Strategies: how the dimensions of a trial become one score and a pass (challenge-pack d.8, task-suite 4.1)."""

from collections.abc import Callable, Sequence
from functools import partial

from packs.formats.task import Scoring
from runs.grading.graders.contract import State
from runs.grading.scoring import combining, gated
from runs.grading.scoring.means import weighted_mean
from runs.grading.scoring.results import DimensionResult, Overall

Dimensions = Sequence[DimensionResult]


def mean(results: Dimensions) -> float | None:
    """The mean of the scored dimensions by weight; None without a score."""
    return weighted_mean((result.score, result.dimension.weight) for result in results)


def is_required(result: DimensionResult, strategy: str) -> bool:
    """Whether a dimension has to pass for the trial to pass."""
    return result.dimension.gate or strategy == "binary"


def failed_gate(results: Dimensions, strategy: str) -> DimensionResult | None:
    """The first required dimension that is below its threshold."""
    for result in results:
        threshold = result.dimension.pass_threshold
        below = result.score is not None and threshold is not None and result.score < threshold
        if below and is_required(result, strategy):
            return result
    return None


def unjudged_gate(results: Dimensions, strategy: str) -> DimensionResult | None:
    """The first required dimension without a score."""
    return next((result for result in results if is_required(result, strategy) and result.score is None), None)


def _gates(results: Dimensions, strategy: str) -> tuple[str, State | None]:
    """Why the gates do not pass (empty when they do), and the state of the gate when that alone is the reason."""
    unjudged, failed = unjudged_gate(results, strategy), failed_gate(results, strategy)
    if unjudged is not None:
        reported = (
            f"dimension {unjudged.dimension.key!r} could not be judged: {unjudged.reason or unjudged.state.value}"
        )
        return reported, unjudged.state if failed is None else None
    if failed is not None:
        return f"dimension {failed.dimension.key!r} is below its threshold", None
    return "", None


def weighted(scoring: Scoring, results: Dimensions) -> Overall:
    """The weighted mean of all scored dimensions; gates and the threshold decide whether it passes."""
    score = mean(results)
    reason, undecided = _gates(results, "weighted")
    if reason:
        return Overall(score, False, reason, undecided)
    if score is None:
        return Overall(None, None, "no dimension has a score")
    return _against_threshold(score, scoring)


def binary(scoring: Scoring, results: Dimensions) -> Overall:
    """1 when every dimension has a score at or above its threshold, 0 otherwise."""
    reason, undecided = _gates(results, "binary")
    if not results:
        return Overall(0.0, False, "there is no dimension")
    return Overall(0.0, False, reason, undecided) if reason else Overall(1.0, True)


def hybrid(scoring: Scoring, results: Dimensions) -> Overall:
    """0 unless every gate passes; then the weighted mean of the other dimensions, and 1 where none has a score."""
    reason, undecided = _gates(results, "hybrid")
    if reason:
        return Overall(0.0, False, reason, undecided)
    if all(result.score is None for result in results):
        return Overall(None, None, "no dimension has a score")
    score = mean([result for result in results if not result.dimension.gate])
    if score is None:
        return Overall(1.0, True, "all gates passed and no other dimension has a score")
    return _against_threshold(score, scoring)


def _against_threshold(score: float, scoring: Scoring) -> Overall:
    threshold = scoring.pass_threshold
    if threshold is not None and score < threshold:
        return Overall(score, False, f"the score {score:.4f} is below the threshold {threshold:.4f}")
    return Overall(score, True)


STRATEGIES: dict[str, Callable[[Scoring, Dimensions], Overall]] = {
    "weighted": weighted,
    "binary": binary,
    "hybrid": hybrid,
    "every_critical": partial(combining.overall, "binary"),
    "mean_of_graders": partial(combining.overall, "weighted"),
    "critical_and_mean": partial(combining.overall, "hybrid"),
    "gated_mean": gated.gated_mean,
}


def contributions(scoring: Scoring, results: Dimensions) -> dict[str, float]:
    """What each scored dimension adds to the mean: its score times its share of the weights; 0 for hybrid gates."""
    counted = [
        result
        for result in results
        if result.score is not None and not (scoring.strategy == "hybrid" and result.dimension.gate)
    ]
    weight = sum(result.dimension.weight for result in counted)
    shares = {
        result.dimension.key: result.dimension.weight / weight if weight else 1 / len(counted) for result in counted
    }
    return {
        result.dimension.key: result.score * shares.get(result.dimension.key, 0.0)
        for result in results
        if result.score is not None
    }
