"""What a trial used up, as far as its events tell."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from packs.formats.values import mapping
from runs.grading.graders.evidence.recording import Recording
from runs.grading.graders.values import as_number


@dataclass(frozen=True, slots=True)
class Spent:
    """Counts of tokens."""

    input: float
    output: float
    cached: float = 0.0

    def as_dict(self) -> dict[str, float]:
        return {"input": self.input, "output": self.output, "cached": self.cached}


def tokens_of(recording: Recording) -> Spent | None:
    """The tokens that were reported, those read from a cache apart; None without a report."""
    tokens = recording.tokens
    if tokens.input is None and tokens.output is None:
        return None
    usages = [mapping(payload.get("usage")) for payload in recording.model_calls]
    return Spent(tokens.input or 0.0, tokens.output or 0.0, sum(_cached(usage) for usage in usages))


def _cached(usage: Mapping[str, Any]) -> float:
    return as_number(usage.get("cached_tokens")) or 0.0


def cost_of(recording: Recording) -> float | None:
    """What was reported as cost in US dollars: for the whole trial, or else by its model calls."""
    stated = as_number(recording.supplied.get("cost_usd"))
    if stated is not None:
        return stated
    costs = [as_number(mapping(payload.get("usage")).get("cost_usd")) for payload in recording.model_calls]
    known = [cost for cost in costs if cost is not None]
    return sum(known) if known else None
