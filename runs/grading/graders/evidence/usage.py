"""Token counts of a trial, in all and per model (challenge-pack d.5)."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from runs.grading.graders.values import as_number, loose_text

Model = tuple[str, str]


@dataclass(slots=True)
class Tokens:
    """Token counts; None where nothing was reported."""

    input: float | None = None
    output: float | None = None
    total: float | None = None

    def read(self, payload: Mapping[str, Any]) -> None:
        """Take over what a completion reports, at its top level or else under `usage`."""
        usage = payload.get("usage")
        nested = usage if isinstance(usage, Mapping) else {}
        self.input = _first(as_number(payload.get("input_tokens")), self.input, nested.get("input_tokens"))
        self.output = _first(as_number(payload.get("output_tokens")), self.output, nested.get("output_tokens"))
        self.total = _first(as_number(payload.get("total_tokens")), self.total, nested.get("total_tokens"))


@dataclass(slots=True)
class ModelTokens:
    """What was spent on one model."""

    input: float = 0.0
    output: float = 0.0
    total: float = 0.0


@dataclass(slots=True)
class Usage:
    """What the model calls report: the models seen, and the tokens of each (provider key, model id)."""

    models: set[Model] = field(default_factory=set)
    by_model: dict[Model, ModelTokens] = field(default_factory=dict)

    def see(self, payload: Mapping[str, Any], first_name: str, second_name: str) -> Model:
        """Note the model that a call names in one of two members."""
        provider = loose_text(payload.get("provider_key")) or ""
        model = loose_text(payload.get(first_name)) or loose_text(payload.get(second_name)) or ""
        if provider or model:
            self.models.add((provider, model))
        return provider, model

    def add(self, payload: Mapping[str, Any], model: Model) -> None:
        """Add the usage that a completed call reports, if it does."""
        usage = payload.get("usage")
        if not isinstance(usage, Mapping):
            return
        counts = [as_number(usage.get(name)) for name in ("input_tokens", "output_tokens", "total_tokens")]
        if all(count is None for count in counts):
            return
        spent = self.by_model.setdefault(model, ModelTokens())
        spent.input += counts[0] or 0.0
        spent.output += counts[1] or 0.0
        spent.total += counts[2] or 0.0

    def complete(self, tokens: Tokens) -> Tokens:
        """Fill what the completion left out from the sums over the calls."""
        if not self.by_model:
            return tokens
        spent = self.by_model.values()
        read = sum(model.input for model in spent) if tokens.input is None else tokens.input
        written = sum(model.output for model in spent) if tokens.output is None else tokens.output
        total = tokens.total
        if total is None:
            total = sum(model.total for model in spent) or read + written
        return Tokens(read, written, total)


def _first(own: float | None, known: float | None, nested: object) -> float | None:
    if own is not None:
        return own
    return as_number(nested) if known is None else known
