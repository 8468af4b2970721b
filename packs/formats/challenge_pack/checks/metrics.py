"""Rules about metrics, behavioural signals and pricing (challenge-pack e, M1 to M5, H1 to H7, Q1 to Q3)."""

from collections.abc import Iterator

from packs.formats.challenge_pack.checks.scorecard import dimension_sources
from packs.formats.challenge_pack.values import (
    SPEC,
    entries,
    evaluation_spec,
    mapping,
    repeated,
    text,
)
from packs.formats.document import Document
from packs.formats.findings import Finding, Rule

METRIC_KEY_REPEATED = Rule("challenge_pack.E602", "Two metrics have the key {key!r}.", "Rename one of them.", "M2")
SIGNAL_REPEATED = Rule("challenge_pack.E613", "The signal {key!r} is listed twice.", "Keep one of the two.", "H3")
BEHAVIORAL_MISSING = Rule(
    "challenge_pack.E618",
    "A dimension scores behaviour, but no behavioural signal is declared.",
    "Add `behavioral.signals`, or remove the dimension.",
    "H7",
)
PRICE_REPEATED = Rule(
    "challenge_pack.E623", "Two prices are for {model!r} of {provider!r}.", "Keep one of the two.", "Q3"
)


def check_metrics(pack: Document) -> Iterator[Finding]:
    """M2; a collector that does not exist is accepted here (challenge-pack d.5)."""
    for position, key in repeated(evaluation_spec(pack), "metrics"):
        yield METRIC_KEY_REPEATED.at((*SPEC, "metrics", position, "key"), key=key)


def check_behavior(pack: Document) -> Iterator[Finding]:
    """H3 and H7."""
    spec = evaluation_spec(pack)
    behavioral = mapping(spec, "behavioral")
    if not behavioral.get("signals") and "behavioral" in dimension_sources(spec):
        yield BEHAVIORAL_MISSING.at((*SPEC, "behavioral"))
    for position, key in repeated(behavioral, "signals"):
        yield SIGNAL_REPEATED.at((*SPEC, "behavioral", "signals", position, "key"), key=key)


def check_pricing(pack: Document) -> Iterator[Finding]:
    """Q3."""
    seen: set[tuple[str, str]] = set()
    for position, price in entries(mapping(evaluation_spec(pack), "pricing"), "models"):
        path = (*SPEC, "pricing", "models", position)
        provider, model = text(price, "provider_key"), text(price, "provider_model_id")
        if provider and model and (provider, model) in seen:
            yield PRICE_REPEATED.at(path, provider=provider, model=model)
        seen.add((provider, model))
