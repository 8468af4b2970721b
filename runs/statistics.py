"""Numbers over many trials."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(slots=True)
class Mean:
    """A mean that is built value by value; None while there is no value."""

    total: float = 0.0
    count: int = 0

    def add(self, value: float) -> None:
        self.total += value
        self.count += 1

    @property
    def value(self) -> float | None:
        return self.total / self.count if self.count else None


@dataclass(slots=True)
class Tally:
    """What the trials of one agent add up to."""

    statuses: Counter[str] = field(default_factory=Counter)
    faults: Counter[str] = field(default_factory=Counter)
    overall: Mean = field(default_factory=Mean)
    dimensions: dict[str, Mean] = field(default_factory=dict)
    warnings: dict[str, None] = field(default_factory=dict)

    def add(self, row: Mapping[str, Any]) -> None:
        self.statuses[row["status"]] += 1
        if row["fault"]:
            self.faults[row["fault"]] += 1
        if row["score"] is not None:
            self.overall.add(row["score"])
        for key, dimension in row["scorecard"].get("dimensions", {}).items():
            mean = self.dimensions.setdefault(key, Mean())
            if dimension.get("score") is not None:
                mean.add(dimension["score"])
        self.warnings.update(dict.fromkeys(row["scorecard"].get("warnings", ())))


def summarise_trials(rows: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """What the trials of one agent add up to.

    A row holds `status`, `fault`, `score` and `scorecard`. `pass_rate` is passed / (passed + failed): trials that our
    machine or the pack spoilt, or that nobody could decide, say nothing about the agent. Means are 0 to 1 over the
    trials that have a score, None where none has.
    """
    tally = Tally()
    for row in rows:
        tally.add(row)
    passed = tally.statuses["passed"]
    telling = passed + tally.statuses["failed"]
    return {
        "trials": sum(tally.statuses.values()),
        "statuses": dict(tally.statuses),
        "faults": dict(tally.faults),
        "passed": passed,
        "pass_rate": passed / telling if telling else None,
        "overall_score": tally.overall.value,
        "dimensions": {key: mean.value for key, mean in tally.dimensions.items()},
        "warnings": list(tally.warnings),
    }
