"""The weighted mean of graders, 0 where a required one is below its gate (agentv F.5, F.6)."""

from collections.abc import Sequence

from packs.formats.task import Scoring
from runs.grading.graders.contract import State
from runs.grading.scoring.results import DimensionResult, Overall

Dimensions = Sequence[DimensionResult]


def gated_mean(scoring: Scoring, results: Dimensions) -> Overall:
    """The score and whether it reaches the threshold, compared as it is, without rounding.

    A grader that broke makes the trial an error; one that could not judge leaves it open, unless a gate has failed.
    """
    broken = _first(results, State.ERROR)
    if broken is not None:
        return Overall(None, None, broken.trouble, State.ERROR)
    failed = next((result for result in results if _is_below_gate(result)), None)
    if failed is not None:
        return Overall(0.0, False, f"grader {failed.dimension.key!r} is required and below its gate")
    missing = _first(results, State.UNAVAILABLE)
    if missing is not None:
        return Overall(None, None, missing.trouble, State.UNAVAILABLE)
    score = mean(results)
    least = scoring.pass_threshold or 0.0
    if score >= least:
        return Overall(score, True)
    return Overall(score, False, f"the score {score:.4f} is below the threshold {least:.4f}")


def mean(results: Dimensions) -> float:
    """The mean of the scores by weight; 0 where all weights are 0."""
    total = sum(result.dimension.weight for result in results)
    found = sum(result.dimension.weight * (result.score or 0.0) for result in results)
    return found / total if total else 0.0


def _is_below_gate(result: DimensionResult) -> bool:
    gate = result.dimension
    return gate.gate and result.score is not None and result.score < (gate.pass_threshold or 0.0)


def _first(results: Dimensions, state: State) -> DimensionResult | None:
    return next((result for result in results if result.state is state), None)
