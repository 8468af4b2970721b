"""Rules about metrics, behavioural signals and pricing (challenge-pack e, M1 to M5, H1 to H7, Q1 to Q3)."""

from collections.abc import Iterator

from packs.formats.challenge_pack.checks.scorecard import dimension_sources
from packs.formats.challenge_pack.checks.specification import SPEC
from packs.formats.challenge_pack.schema.spec import METRIC_TYPES, SIGNALS
from packs.formats.challenge_pack.values import entries, evaluation_spec, flag, given, mapping, number, one_of, text
from packs.formats.document import Document
from packs.formats.findings import Finding, Path, Rule
from packs.formats.values import exact_text

UNSUPPORTED_SIGNAL = "confidence_calibration"
UNSUPPORTED_COLLECTOR = "behavioral_confidence_calibration_score"
PRICES = ("input_cost_per_million_tokens", "output_cost_per_million_tokens")

METRIC_KEY_MISSING = Rule("challenge_pack.E601", "The metric has no key.", "Give it a short name of its own.", "M1")
METRIC_KEY_REPEATED = Rule("challenge_pack.E602", "Two metrics have the key {key!r}.", "Rename one of them.", "M2")
METRIC_TYPE_UNKNOWN = Rule(
    "challenge_pack.E603", "The metric type {type!r} does not exist.", "Use one of: {allowed}.", "M3"
)
COLLECTOR_MISSING = Rule(
    "challenge_pack.E604", "The metric has no collector.", "Say what is measured, such as run_total_latency_ms.", "M4"
)
COLLECTOR_UNSUPPORTED = Rule(
    "challenge_pack.E605",
    "Confidence calibration cannot be measured: agents do not report confidence.",
    "Choose another collector, or remove the metric.",
    "M5",
)
NO_SIGNAL = Rule(
    "challenge_pack.E611", "The behavioural block has no signal.", "Add at least one, or remove the block.", "H1"
)
SIGNAL_UNKNOWN = Rule("challenge_pack.E612", "The signal {key!r} does not exist.", "Use one of: {allowed}.", "H2")
SIGNAL_REPEATED = Rule("challenge_pack.E613", "The signal {key!r} is listed twice.", "Keep one of the two.", "H3")
SIGNAL_UNSUPPORTED = Rule(
    "challenge_pack.E614",
    "The signal confidence_calibration cannot be measured: agents do not report confidence.",
    "Choose another signal, or remove it.",
    "H4",
)
SIGNAL_WEIGHT_TOO_LOW = Rule(
    "challenge_pack.E615", "The signal needs a weight above 0.", "Write a weight, such as 1.", "H5"
)
SIGNAL_THRESHOLD_MISSING = Rule(
    "challenge_pack.E616",
    "A gated signal needs a pass_threshold.",
    "Add it, between 0 and 1, or remove the gate.",
    "H6",
)
SIGNAL_THRESHOLD_OUT_OF_RANGE = Rule(
    "challenge_pack.E617", "The pass_threshold must be between 0 and 1.", "Write a fraction, such as 0.8.", "H6"
)
BEHAVIORAL_MISSING = Rule(
    "challenge_pack.E618",
    "A dimension scores behaviour, but no behavioural signal is declared.",
    "Add `behavioral.signals`, or remove the dimension.",
    "H7",
)
PRICE_NAME_MISSING = Rule("challenge_pack.E621", "The price does not say which {what} it is for.", "Add `{key}`.", "Q1")
PRICE_NEGATIVE = Rule("challenge_pack.E622", "`{key}` cannot be negative.", "Write 0 or more US dollars.", "Q2")
PRICE_REPEATED = Rule(
    "challenge_pack.E623", "Two prices are for {model!r} of {provider!r}.", "Keep one of the two.", "Q3"
)


def check_metrics(pack: Document) -> Iterator[Finding]:
    """M1 to M5; a collector that does not exist is accepted here (challenge-pack d.5)."""
    seen: set[str] = set()
    for position, metric in entries(evaluation_spec(pack), "metrics"):
        path, key, kind = (*SPEC, "metrics", position), text(metric, "key"), exact_text(metric, "type")
        if not key:
            yield METRIC_KEY_MISSING.at((*path, "key"))
        elif key in seen:
            yield METRIC_KEY_REPEATED.at((*path, "key"), key=key)
        seen.add(key)
        if kind not in METRIC_TYPES:
            yield METRIC_TYPE_UNKNOWN.at((*path, "type"), type=kind, allowed=one_of(METRIC_TYPES))
        collector = text(metric, "collector")
        if not collector:
            yield COLLECTOR_MISSING.at((*path, "collector"))
        elif collector == UNSUPPORTED_COLLECTOR:
            yield COLLECTOR_UNSUPPORTED.at((*path, "collector"))


def check_behavior(pack: Document) -> Iterator[Finding]:
    """H1 to H7."""
    spec = evaluation_spec(pack)
    behavioral = mapping(spec, "behavioral")
    if given(spec, "behavioral") and not behavioral.get("signals"):
        yield NO_SIGNAL.at((*SPEC, "behavioral", "signals"))
    if not behavioral.get("signals") and "behavioral" in dimension_sources(spec):
        yield BEHAVIORAL_MISSING.at((*SPEC, "behavioral"))
    seen: set[str] = set()
    for position, signal in entries(behavioral, "signals"):
        path, key = (*SPEC, "behavioral", "signals", position), exact_text(signal, "key")
        if key == UNSUPPORTED_SIGNAL:
            yield SIGNAL_UNSUPPORTED.at((*path, "key"))
        elif key not in SIGNALS:
            yield SIGNAL_UNKNOWN.at((*path, "key"), key=key, allowed=one_of(SIGNALS))
        elif key in seen:
            yield SIGNAL_REPEATED.at((*path, "key"), key=key)
        seen.add(key)
        yield from _check_signal(signal, path)


def _check_signal(signal: Document, path: Path) -> Iterator[Finding]:
    if (number(signal, "weight") or 0) <= 0:
        yield SIGNAL_WEIGHT_TOO_LOW.at((*path, "weight"))
    threshold = number(signal, "pass_threshold")
    if threshold is None:
        if flag(signal, "gate"):
            yield SIGNAL_THRESHOLD_MISSING.at((*path, "pass_threshold"))
    elif not 0 <= threshold <= 1:
        yield SIGNAL_THRESHOLD_OUT_OF_RANGE.at((*path, "pass_threshold"))


def check_pricing(pack: Document) -> Iterator[Finding]:
    """Q1 to Q3."""
    seen: set[tuple[str, str]] = set()
    for position, price in entries(mapping(evaluation_spec(pack), "pricing"), "models"):
        path = (*SPEC, "pricing", "models", position)
        provider, model = text(price, "provider_key"), text(price, "provider_model_id")
        if not provider:
            yield PRICE_NAME_MISSING.at((*path, "provider_key"), what="provider", key="provider_key")
        if not model:
            yield PRICE_NAME_MISSING.at((*path, "provider_model_id"), what="model", key="provider_model_id")
        for key in PRICES:
            if (number(price, key) or 0) < 0:
                yield PRICE_NEGATIVE.at((*path, key), key=key)
        if provider and model and (provider, model) in seen:
            yield PRICE_REPEATED.at(path, provider=provider, model=model)
        seen.add((provider, model))
