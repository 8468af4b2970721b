"""What a grader gives back, and the constructors that keep its parts consistent.

A grader is a pure function `grade(spec: GraderSpec, evidence: Evidence) -> Grade`. What it cannot judge is unavailable
or an error, never a fail. Vocabulary and outcome classes: challenge-pack d.3; source pointers: challenge-pack h.5.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any


class State(StrEnum):
    """Whether a grade, a metric or a dimension could be worked out."""

    AVAILABLE = "available"
    UNAVAILABLE = "unavailable"
    ERROR = "error"


class Verdict(StrEnum):
    """What a grader says of a trial; a grade that is unavailable has none."""

    PASS = "pass"
    FAIL = "fail"
    ERROR = "error"


class Outcome(StrEnum):
    """Who is to look at a grade: nobody, the agent's author, the operator, the pack's author or nobody in particular.

    `INFRA_ERROR` is our machine, `PACK_ERROR` the author's mistake, `EVALUATOR_ERROR` anything else that kept the
    grader from judging, such as an output that is not JSON.
    """

    PASS = "pass"
    FAIL = "fail"
    UNAVAILABLE = "unavailable"
    INFRA_ERROR = "infra_error"
    PACK_ERROR = "pack_error"
    EVALUATOR_ERROR = "evaluator_error"


@dataclass(frozen=True, slots=True)
class Source:
    """The event that a judged value came from: `kind` is final_output, model_call, tool_call or run_event."""

    kind: str
    sequence: int
    event_type: str = ""
    field_path: str = ""

    def as_dict(self) -> dict[str, Any]:
        """The shape of `source` in a scorecard; empty members are left out."""
        shape: dict[str, Any] = {"kind": self.kind, "sequence": self.sequence}
        if self.event_type:
            shape["event_type"] = self.event_type
        if self.field_path:
            shape["field_path"] = self.field_path
        return shape


@dataclass(frozen=True, slots=True)
class Resolved:
    """What an evidence reference stands for: a text, or None with the reason why it is unavailable.

    `malformed` when the reference breaks the grammar, which is the pack author's mistake.
    """

    text: str | None
    reason: str = ""
    source: Source | None = None
    malformed: bool = False

    @property
    def is_available(self) -> bool:
        return self.text is not None


@dataclass(frozen=True, slots=True)
class Grade:
    """The judgement of one grader about one trial.

    `score` is 0 to 1 and None while there is no verdict of pass or fail. `actual` and `expected` are the compared
    texts, None where the kind compares none. `raw` holds what the kind found out on the way, as JSON values; its member
    `kind` names the shape of the evidence shown in a scorecard (challenge-pack h.6).
    """

    key: str
    kind: str
    state: State
    outcome: Outcome
    verdict: Verdict | None = None
    score: float | None = None
    reason: str = ""
    target: str = ""
    expected_from: str = ""
    actual: str | None = None
    expected: str | None = None
    source: Source | None = None
    raw: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Judgement:
    """What the comparing part of a grader found: the parts of a `Grade` that say nothing of where values came from."""

    state: State
    outcome: Outcome
    verdict: Verdict | None = None
    score: float | None = None
    reason: str = ""
    raw: Mapping[str, Any] = field(default_factory=dict)


def decided(passes: bool, reason: str = "", *, score: float | None = None, **raw: Any) -> Judgement:
    """A pass or a fail. Without a `score` of its own a pass is worth 1 and a fail 0."""
    return Judgement(
        State.AVAILABLE,
        Outcome.PASS if passes else Outcome.FAIL,
        Verdict.PASS if passes else Verdict.FAIL,
        float(passes) if score is None else score,
        "" if passes else reason,
        raw,
    )


def unavailable(reason: str, **raw: Any) -> Judgement:
    """Nothing to judge: the evidence is not there."""
    return Judgement(State.UNAVAILABLE, Outcome.UNAVAILABLE, reason=reason, raw=raw)


def pack_error(reason: str, **raw: Any) -> Judgement:
    """The pack's author must fix something: a pattern, a configuration, an expected value."""
    return Judgement(State.ERROR, Outcome.PACK_ERROR, Verdict.ERROR, reason=reason, raw=raw)


def evaluator_error(reason: str, **raw: Any) -> Judgement:
    """The value cannot be judged by this grader, for instance because it is not JSON."""
    return Judgement(State.ERROR, Outcome.EVALUATOR_ERROR, Verdict.ERROR, reason=reason, raw=raw)


def infra_error(reason: str, **raw: Any) -> Judgement:
    """Our machine failed, so nothing is known about the agent."""
    return Judgement(State.ERROR, Outcome.INFRA_ERROR, Verdict.ERROR, reason=reason, raw=raw)
