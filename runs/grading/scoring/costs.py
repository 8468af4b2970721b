"""What the model calls of a trial cost: usage times price, per model (challenge-pack d.5)."""

import re
from collections.abc import Sequence

from packs.formats.task import Price
from runs.grading.graders.evidence.recording import Recording
from runs.grading.graders.evidence.usage import Model, ModelTokens
from runs.grading.scoring.results import Measured

MILLION = 1_000_000

_DATED = re.compile(r"(.+)-[0-9]{4}-[0-9]{2}-[0-9]{2}")


def model_cost(recording: Recording, prices: Sequence[Price]) -> Measured:
    """The cost in US dollars; not known while a model in use has no price."""
    if not prices:
        return Measured(None, "the pack states no model prices")
    usage = recording.usage.by_model or _usage_from_totals(recording)
    if not usage:
        return Measured(None, "no model usage was reported")
    total = 0.0
    for (provider, model), spent in sorted(usage.items()):
        price = find_price(prices, provider, model)
        if price is None:
            return Measured(None, f"no price for model {model!r} of {provider!r}")
        total += spent.input / MILLION * price.input_per_million + spent.output / MILLION * price.output_per_million
    return Measured(total)


def _usage_from_totals(recording: Recording) -> dict[Model, ModelTokens]:
    """The totals of the trial, when a single model was seen and so must have spent them."""
    tokens = recording.tokens
    if len(recording.usage.models) != 1 or (tokens.input, tokens.output, tokens.total) == (None, None, None):
        return {}
    model = next(iter(recording.usage.models))
    return {model: ModelTokens(tokens.input or 0.0, tokens.output or 0.0)}


def find_price(prices: Sequence[Price], provider: str, model: str) -> Price | None:
    """The price of a model; a dated model id falls back to the row without the date."""
    dated = _DATED.fullmatch(model.strip())
    for name in (model, dated.group(1) if dated else model.strip()):
        for price in prices:
            if price.provider == provider and price.model == name:
                return price
    return None
