"""How graders combine to the verdict of a trial (task-suite 4.1)."""

from collections.abc import Sequence
from dataclasses import dataclass

from packs.formats.task import Scoring
from runs.grading.graders.contract import State
from runs.grading.scoring.means import weighted_mean
from runs.grading.scoring.results import DimensionResult, Overall

TOLERANCE = 1e-9


@dataclass(frozen=True, slots=True)
class Part:
    """One grader's result: `status` is ok, error or skipped; `passed` and `score` are None unless it is ok."""

    status: str = "ok"
    passed: bool | None = None
    score: float | None = None
    weight: float = 1.0
    critical: bool = True
    is_violation: bool = False


@dataclass(frozen=True, slots=True)
class Combined:
    """The state of a trial: passed, failed or error; the score is the weighted mean of all graders."""

    state: str
    score: float | None = None


def combine(mode: str, parts: Sequence[Part], threshold: float | None = None) -> Combined:
    """The verdict of a trial from its graders, by a mode of grading: binary, weighted or hybrid.

    A grader that erred, and a critical one that was skipped, make the trial an error; others that were skipped do not
    count. A violation of safety fails the trial whatever the mode.
    """
    if any(map(_keeps_from_judging, parts)):
        return Combined("error")
    judged = [part for part in parts if part.status == "ok"]
    score = mean(judged)
    critical_pass = all(part.passed for part in judged if part.critical)
    least = (threshold or 0.0) - TOLERANCE
    if mode == "weighted":
        holds = score is not None and score >= least
    elif mode == "hybrid":
        others = mean([part for part in judged if not part.critical])
        holds = critical_pass and (others is None or others >= least)
    else:
        holds = critical_pass
    is_safe = not any(part.is_violation for part in judged)
    return Combined("passed" if holds and is_safe else "failed", score)


def _keeps_from_judging(part: Part) -> bool:
    return part.status == "error" or (part.status == "skipped" and part.critical)


def mean(parts: Sequence[Part]) -> float | None:
    """The mean of the scores by weight; None without a score."""
    return weighted_mean((part.score, part.weight) for part in parts)


def _part(result: DimensionResult) -> Part:
    """A dimension that is one grader as a part; one whose evidence is missing has erred, one that waits is skipped."""
    dimension = result.dimension
    if result.state is State.AVAILABLE:
        return Part("ok", result.passed, result.score, dimension.weight, dimension.gate, result.is_violation)
    return Part("skipped" if result.is_pending else "error", None, None, dimension.weight, dimension.gate)


def overall(mode: str, scoring: Scoring, results: Sequence[DimensionResult]) -> Overall:
    """The verdict of a trial whose dimensions are one grader each."""
    combined = combine(mode, [_part(result) for result in results], scoring.pass_threshold)
    if combined.state == "error":
        return _unjudged([result for result in results if _keeps_from_judging(_part(result))])
    passed = combined.state == "passed"
    return Overall(combined.score, passed, "" if passed else _failed(results))


def _unjudged(results: Sequence[DimensionResult]) -> Overall:
    """An error, unless people alone are waited for: then nothing is wrong, and the verdict is open."""
    broken = next((result for result in results if not result.is_pending), None)
    if broken is None:
        return Overall(None, None, f"waits for people: {results[0].reason}", State.UNAVAILABLE)
    return Overall(None, None, broken.trouble, State.ERROR)


def _failed(results: Sequence[DimensionResult]) -> str:
    names = [repr(result.dimension.key) for result in results if result.passed is False]
    return f"these graders did not pass: {', '.join(names)}" if names else "the score is below the threshold"
