"""What steps and trials took: time, tokens and money, and by how much two of them differ."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from runs.engine.budgets import TOKENS, as_cost, is_tokens
from runs.models import Trial
from runs.replay import StepIndex

Amount = float | int | None


@dataclass(frozen=True, slots=True)
class Unit:
    """How an amount is written: decimal places, and what stands behind it."""

    places: int
    sign: str = ""

    def described(self, amount: float, is_signed: bool = False) -> str:
        """An amount in words, with its sign if asked for."""
        text = f"{abs(amount):,.{self.places}f}{self.sign}"
        mark = "−" if amount < 0 else "+" if is_signed else ""
        return f"{mark}{text}"


SECONDS, TOKEN_COUNT, DOLLARS, COUNT, SCORE = Unit(2, " s"), Unit(0, " tokens"), Unit(6, " $"), Unit(0), Unit(3)


@dataclass(frozen=True, slots=True)
class Figure:
    """An amount of both sides; None where it is not known. `delta` is how much B has more than A."""

    name: str
    unit: Unit
    a: Amount
    b: Amount

    @property
    def delta(self) -> Amount:
        return None if self.a is None or self.b is None else self.b - self.a

    @property
    def shown_a(self) -> str:
        return "–" if self.a is None else self.unit.described(self.a)

    @property
    def shown_b(self) -> str:
        return "–" if self.b is None else self.unit.described(self.b)

    @property
    def shown_delta(self) -> str:
        """The difference with its sign; empty where it is not known, and where it would be written as nothing."""
        delta = self.delta
        return self.unit.described(delta, is_signed=True) if delta and round(delta, self.unit.places) else ""


def costs_of(events: Sequence[Mapping[str, Any]]) -> dict[str, Amount]:
    """What a step took by its one or two events: seconds, tokens, and US dollars as far as its events tell them."""
    first, last = events[0], events[-1]
    usage = last["payload"].get("usage")
    known = usage if isinstance(usage, Mapping) else {}
    used = {name: known[name] for name in TOKENS if is_tokens(known.get(name))}
    seconds = (last["occurred_at"] - first["occurred_at"]).total_seconds() if len(events) > 1 else None
    tokens = used.get("total_tokens", sum(used.values())) if used else None
    return {"seconds": seconds, "tokens": tokens, "cost": as_cost(known.get("cost_usd"))}


def differ(a: Mapping[str, Amount], b: Mapping[str, Amount]) -> list[Figure]:
    """What two steps took, where it is known of both and not the same."""
    units = {"seconds": SECONDS, "tokens": TOKEN_COUNT, "cost": DOLLARS}
    return [figure for name, unit in units.items() if (figure := Figure(name, unit, a[name], b[name])).shown_delta]


def totals_of(a: tuple[Trial, StepIndex], b: tuple[Trial, StepIndex]) -> list[Figure]:
    """The figures of two trials side by side."""
    figures = (("Score", SCORE, "score"), ("Steps", COUNT, "steps"), ("Tool calls", COUNT, "tool_calls"))
    more = (("Model calls", COUNT, "model_calls"), ("Steps with trouble", COUNT, "trouble"))
    used = (("Time", SECONDS, "seconds"), ("Tokens", COUNT, "tokens"), ("Cost", DOLLARS, "cost"))
    left, right = amounts_of(*a), amounts_of(*b)
    return [Figure(name, unit, left[key], right[key]) for name, unit, key in (*figures, *more, *used)]


def amounts_of(trial: Trial, index: StepIndex) -> dict[str, Amount]:
    counts = index.summary["counts"]
    return {
        "score": trial.score,
        "steps": len(index),
        "tool_calls": counts["tool_calls"],
        "model_calls": counts["model_calls"],
        "trouble": len(index.errors),
        "seconds": trial.seconds,
        "tokens": trial.total_tokens,
        "cost": trial.cost_usd,
    }
