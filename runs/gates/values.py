"""What a gate looks at, and what it says (task-suite 7)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal

from runs.statistics.estimates import FAILED, PASSED, Interval, Joined, PassEstimate, Verdict, joined_or_first

Status = Literal["pass", "fail", "not_evaluated"]
# States of trials that were to have a verdict and have none.
UNJUDGED = ("error", "skipped")


@dataclass(frozen=True, slots=True)
class GateTrial:
    """One trial: `state` is passed, failed, error, skipped or left_out; latencies in milliseconds, cost in US dollars.

    `score` is from 0 to 1. `violations` are the kinds of its violation-level safety flags. `id` is that of the trial,
    where it has one.
    """

    state: str
    step_latencies: Sequence[float] = ()
    cost_usd: float | None = None
    wall_seconds: float | None = None
    violations: Sequence[str] = ()
    forbidden_calls: int = 0
    reason: str = ""
    id: int = 0
    score: float | None = None

    @property
    def is_valid(self) -> bool:
        return self.state in (PASSED, FAILED)


@dataclass(frozen=True)
class GateTask:
    """One task of a run with its trials in order. `flags` are its own words about gates.
    `is_proven` says whether its case is.

    `metric` is a rule that joins trials; one about scores needs the `threshold` that they have to reach.
    """

    task_id: str
    suite: str
    k: int
    metric: str
    trials: Sequence[GateTrial]
    fingerprint: str = ""
    flags: Mapping[str, bool] = field(default_factory=dict)
    threshold: float | None = None
    is_proven: bool = False

    @cached_property
    def joint(self) -> Joined:
        """What the trials say together, as the page of their run tells it."""
        trials = [(trial.state, trial.score) for trial in self.trials]
        return joined_or_first(self.metric, self.k, self.threshold, trials)

    @cached_property
    def verdict(self) -> Verdict:
        return self.joint.verdict

    @cached_property
    def valid(self) -> Sequence[GateTrial]:
        return [trial for trial in self.trials if trial.is_valid]

    @property
    def passes(self) -> int:
        return self.joint.c

    @property
    def estimate(self) -> float | None:
        return self.joint.estimate

    @property
    def interval(self) -> Interval | None:
        return self.joint.interval

    @property
    def described(self) -> str:
        """What the trials came to, in words."""
        if isinstance(self.joint, PassEstimate):
            return f"{self.passes}/{len(self.valid)} trials passed"
        return f"{self.joint.name}: {self.joint.described}, {self.threshold:.2f} wanted"

    @property
    def mean_cost(self) -> float | None:
        """The mean cost of the valid trials whose cost is known."""
        known = [trial.cost_usd for trial in self.valid if trial.cost_usd is not None]
        return sum(known) / len(known) if known else None

    def deciding(self) -> list[int]:
        """The places of the trials that settled the verdict: those that failed where all must pass, and so on."""
        states = [index for index, trial in enumerate(self.trials) if trial.is_valid][: self.joint.k]
        wanted = PASSED if self.verdict == "pass" else FAILED
        found = [index for index in states if self.trials[index].state == wanted]
        return found or states


@dataclass(frozen=True, slots=True)
class Offender:
    """What made a condition fail: a task, and the places of the trials that show it."""

    task_id: str
    reason: str
    trials: Sequence[int] = ()

    def as_dict(self) -> dict[str, Any]:
        return {"task_id": self.task_id, "reason": self.reason, "trials": list(self.trials)}


@dataclass(frozen=True, slots=True)
class Condition:
    """One condition of a gate. `observed` and `limit` are in the unit of the condition; None where nothing is known."""

    id: str
    status: Status
    observed: Any = None
    limit: Any = None
    offenders: Sequence[Offender] = ()
    reason: str = ""

    def as_dict(self) -> dict[str, Any]:
        return {
            "id": self.id,
            "status": self.status,
            "observed": self.observed,
            "limit": self.limit,
            "offenders": [offender.as_dict() for offender in self.offenders],
            "reason": self.reason,
        }


@dataclass(frozen=True, slots=True)
class GateResult:
    """What a gate says of a run. `exit_code` is 0, 1 or 3 (task-suite 7.5)."""

    gate: str
    verdict: Verdict
    blocking: bool
    conditions: Sequence[Condition]
    members: Sequence[GateTask]
    warnings: Sequence[str] = ()

    @property
    def exit_code(self) -> int:
        if not self.blocking or self.verdict == "pass":
            return 0
        return 1 if self.verdict == "fail" else 3
