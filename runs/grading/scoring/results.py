"""The results that make up a scorecard (challenge-pack h.6)."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from packs.formats.task import Dimension, Metric
from runs.grading.graders.contract import State

# Why a judge that was asked has no score.
NO_USABLE_REPLY = "no_usable_reply"


@dataclass(frozen=True, slots=True)
class Measured:
    """A value, or None with the reason why there is none. An error is nobody's missing evidence but a mistake."""

    value: float | bool | None
    reason: str = ""
    is_error: bool = False

    @property
    def state(self) -> State:
        if self.is_error:
            return State.ERROR
        return State.UNAVAILABLE if self.value is None else State.AVAILABLE


@dataclass(frozen=True, slots=True)
class MetricResult:
    """A metric of a trial; booleans are flags, everything else a number."""

    metric: Metric
    state: State
    value: float | bool | None = None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class DimensionResult:
    """A dimension of a scorecard; `score` is 0 to 1 while available. `passed` is the verdict of a single grader,
    `is_violation` says that it found safety violated, `is_pending` that it waits for people."""

    dimension: Dimension
    state: State
    score: float | None = None
    reason: str = ""
    passed: bool | None = None
    is_violation: bool = False
    is_pending: bool = False

    @property
    def trouble(self) -> str:
        """Why the one grader of this dimension gave no verdict, in words."""
        grader = f"grader {self.dimension.key!r}"
        # The reason of a dimension names its grader, since others have several.
        return f"{grader} could not judge: {self.reason.removeprefix(f'{grader}: ') or self.state.value}"


@dataclass(frozen=True, slots=True)
class JudgeResult:
    """What an LLM judge says of one agent; no score while the judge is unavailable."""

    judge_key: str
    mode: str
    score: float | None = None
    confidence: str = ""
    variance: float | None = None
    sample_count: int = 0
    model_count: int = 0
    reason: str = ""
    payload: Mapping[str, Any] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Overall:
    """The score of all dimensions together, and whether the trial passed.

    `passed` follows the strategy's rule, under which a gate that could not be judged does not pass. `undecided_by` is
    the state of such a gate when nothing else speaks against the trial.
    """

    score: float | None
    passed: bool | None
    reason: str = ""
    undecided_by: State | None = None


@dataclass(frozen=True, slots=True)
class Ratio:
    """A side metric: a quotient, or the reason why there is none."""

    unit: str
    numerator: float | None = None
    denominator: float | None = None
    reason: str = ""

    @property
    def value(self) -> float | None:
        if self.reason or self.numerator is None or not self.denominator:
            return None
        return self.numerator / self.denominator
