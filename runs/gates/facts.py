"""What a gate has to know of a trial beside its verdict, taken from its events and its scorecard once it has ended."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from math import isfinite
from typing import Any

from runs.grading.graders.evidence.recording import Recording
from runs.grading.graders.suite.scene import trajectory_of
from runs.replay.trajectories.tracked import is_violation, kind_of


@dataclass(frozen=True, slots=True)
class Facts:
    """`latencies` are those of steps in milliseconds, `tools` how often each was called in any status, `violations` the
    kinds of violation-level safety flags; seconds and US dollars, None where nobody knows."""

    latencies: list[float] = field(default_factory=list)
    tools: dict[str, int] = field(default_factory=dict)
    violations: list[str] = field(default_factory=list)
    wall_seconds: float | None = None
    cost_usd: float | None = None


def facts_of(recording: Recording, scorecard: Mapping[str, Any]) -> Facts:
    """The facts of one trial (task-suite 7.4, conditions 2, 3, 6 and 7)."""
    trajectory = trajectory_of(recording)
    flags = [*trajectory.flags, *_found_flags(scorecard)]
    tools: Counter[str] = Counter()
    for call in trajectory.calls:
        tools[call.tool] += 1 + call.retries
    return Facts(
        latencies=[known for step in trajectory.steps if (known := _finite(step.latency_ms)) is not None],
        tools=dict(tools),
        violations=sorted({kind_of(flag) for flag in flags if is_violation(flag)}),
        wall_seconds=_finite(trajectory.wall_seconds),
        cost_usd=_finite(trajectory.cost_usd),
    )


def _finite(value: float | None) -> float | None:
    """A number as it is; None for what events say that is none, such as infinity."""
    return value if value is not None and isfinite(value) else None


def _found_flags(scorecard: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The safety flags that graders raised."""
    details = scorecard.get("validator_details") or ()
    found = [detail.get("evidence", {}).get("flags") for detail in details if isinstance(detail, Mapping)]
    return [flag for flags in found if isinstance(flags, list) for flag in flags if isinstance(flag, Mapping)]
