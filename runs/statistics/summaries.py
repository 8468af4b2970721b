"""What the trials of one agent add up to."""

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
class Judging:
    """What the calls of judges used up; in a ranking each agent's part of what all of them share."""

    calls: float = 0.0
    tokens: float = 0.0
    cost_usd: float = 0.0
    is_cost_known: bool = True

    def add_all(self, scorecard: Mapping[str, Any]) -> None:
        """Add what the judges of a scorecard (challenge-pack h.6) were asked, and models for its graders.

        `earlier_judging` is what judges used up for earlier scorings and this scorecard does not show otherwise.
        """
        if scorecard.get("earlier_judging"):
            self.add(scorecard["earlier_judging"])
        for judge in scorecard.get("llm_judge_details", ()):
            usage = judge.get("payload", {}).get("usage")
            if usage and usage.get("calls"):
                self.add(usage)
        for grade in scorecard.get("validator_details", ()):
            usage = grade.get("evidence", {}).get("usage")
            if isinstance(usage, Mapping) and usage.get("calls"):
                self.add(usage)

    def add(self, usage: Mapping[str, Any]) -> None:
        share = usage.get("shared_by", 1)
        self.calls += usage.get("calls", 0) / share
        self.tokens += usage.get("tokens", 0) / share
        cost = usage.get("cost_usd")
        self.is_cost_known = self.is_cost_known and cost is not None
        self.cost_usd += (cost or 0.0) / share

    def without(self, other: "Judging") -> "Judging":
        """What is left of this when other use is taken out of it."""
        return Judging(
            max(0.0, self.calls - other.calls),
            max(0.0, self.tokens - other.tokens),
            max(0.0, self.cost_usd - other.cost_usd),
            self.is_cost_known and other.is_cost_known,
        )

    def as_dict(self) -> dict[str, float | None]:
        """Calls, tokens and US dollars; the cost is None while that of any call is not known."""
        return {
            "calls": round(self.calls, 2),
            "tokens": round(self.tokens, 2),
            "cost_usd": self.cost_usd if self.is_cost_known else None,
        }


@dataclass(slots=True)
class AgentTotals:
    """What the trials of one agent add up to."""

    statuses: Counter[str] = field(default_factory=Counter)
    faults: Counter[str] = field(default_factory=Counter)
    overall: Mean = field(default_factory=Mean)
    dimensions: dict[str, Mean] = field(default_factory=dict)
    warnings: dict[str, None] = field(default_factory=dict)
    judging: Judging = field(default_factory=Judging)

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
        self.judging.add_all(row["scorecard"])
        self.warnings.update(dict.fromkeys(row["scorecard"].get("warnings", ())))


def summarise_trials(rows: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """What the trials of one agent add up to.

    A row holds `status`, `fault`, `score` and `scorecard`. Means are 0 to 1 over the trials that have a score, None
    where none has. `judging` is what judges used up, which is never the agent's. Shares are made of `statuses` by
    `runs.statistics.shares` wherever they are shown.
    """
    totals = AgentTotals()
    for row in rows:
        totals.add(row)
    return {
        "trials": sum(totals.statuses.values()),
        "statuses": dict(totals.statuses),
        "faults": dict(totals.faults),
        "passed": totals.statuses["passed"],
        "overall_score": totals.overall.value,
        "dimensions": {key: mean.value for key, mean in totals.dimensions.items()},
        "warnings": list(totals.warnings),
        **({"judging": totals.judging.as_dict()} if totals.judging.calls else {}),
    }
