"""The spec card of a challenge pack (challenge-pack f), readable for any draft, however broken."""

from typing import Any

from packs.formats.card import Card, Dimension
from packs.formats.challenge_pack.schema.pack import EXECUTION_MODES
from packs.formats.challenge_pack.schema.scorecard import SOURCES, STRATEGIES
from packs.formats.challenge_pack.schema.spec import JUDGE_MODES
from packs.formats.document import Document
from packs.formats.values import listing, mapping, trimmed


def _number(value: Any) -> str:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return f"{value:g}" if is_number else ""


def _named(items: Any, key: str, name: str) -> str:
    return ", ".join(trimmed(mapping(item).get(key)) or f"{name} {index + 1}" for index, item in enumerate(items))


def _range(dimension: dict[str, Any], shared: dict[str, Any], unit: str) -> str:
    """From where a measured value counts fully and where it counts nothing."""
    own = mapping(dimension.get("normalization"))
    target = _number(own.get("target", shared.get(f"target_{unit}")))
    worst = _number(own.get("max", shared.get(f"max_{unit}")))
    if not target:
        return ""
    full = f": 1 at {target} {unit}".rstrip()
    return f"{full}, 0 at {worst} {unit}".rstrip() if worst else full


def _summary(source: str, dimension: dict[str, Any], spec: dict[str, Any]) -> str:
    """What a dimension measures, by its source (challenge-pack d.8)."""
    shared = mapping(mapping(spec.get("scorecard")).get("normalization"))
    if source == "validators":
        chosen = [str(key) for key in listing(dimension.get("validators"))]
        return f"Mean of {', '.join(chosen)}" if chosen else "Mean of all validators"
    if source == "metric":
        return f"Metric {trimmed(dimension.get('metric')) or 'not chosen'}{_range(dimension, {}, '')}"
    if source == "latency":
        return "Time" + _range(dimension, mapping(shared.get("latency")), "ms")
    if source == "cost":
        return "Cost" + _range(dimension, mapping(shared.get("cost")), "usd").replace(" usd", " USD")
    if source == "llm_judge":
        return f"Judge {trimmed(dimension.get('judge_key')) or 'not chosen'}"
    return SOURCES.get(source, "No known source")


SHORTHANDS = {"correctness": "validators"}


def _dimension(item: Any, spec: dict[str, Any]) -> Dimension:
    """One entry of `scorecard.dimensions`: a mapping, or one of the texts that stand for a source."""
    dimension = {"key": item} if isinstance(item, str) else mapping(item)
    key = trimmed(dimension.get("key"))
    source = trimmed(dimension.get("source")) or SHORTHANDS.get(key, key)
    return Dimension(
        key=key or "without a key",
        summary=_summary(source, dimension, spec),
        weight=_number(dimension.get("weight", 1)),
        threshold=_number(dimension.get("pass_threshold")),
        is_gate=dimension.get("gate") is True,
    )


def _criteria(strategy: str, threshold: str, dimensions: tuple[Dimension, ...]) -> tuple[str, ...]:
    """What passes, as sentences, by strategy (challenge-pack d.8)."""
    if strategy == "binary":
        return tuple(f"{each.key} is at least {each.threshold or 'a threshold that is missing'}" for each in dimensions)
    gates = tuple(
        f"{each.key}, a gate, is at least {each.threshold or 'a threshold that is missing'}"
        for each in dimensions
        if each.is_gate
    )
    if threshold:
        rest = "of the other dimensions " if strategy == "hybrid" and gates else ""
        return (*gates, f"the weighted mean {rest}is at least {threshold}")
    return gates or ("a score can be worked out; no threshold is set",)


def card(document: Document) -> Card:
    """The card of a pack's own document. Never raises."""
    pack, version = mapping(document.get("pack")), mapping(document.get("version"))
    spec = mapping(version.get("evaluation_spec"))
    scorecard = mapping(spec.get("scorecard"))
    strategy = trimmed(scorecard.get("strategy")) or "weighted"
    mode = trimmed(version.get("execution_mode")) or "native"
    judging = trimmed(spec.get("judge_mode"))
    dimensions = tuple(_dimension(item, spec) for item in listing(scorecard.get("dimensions")))
    facts = (
        ("Family", trimmed(pack.get("family"))),
        ("Mode", EXECUTION_MODES.get(mode, mode)),
        ("Judged", JUDGE_MODES.get(judging, judging)),
        ("Validators", _named(listing(spec.get("validators")), "key", "validator")),
        ("Judges", _named(listing(spec.get("llm_judges")), "key", "judge")),
        ("Metrics", _named(listing(spec.get("metrics")), "key", "metric")),
        ("Score", STRATEGIES.get(strategy, strategy)),
    )
    return Card(
        description=trimmed(pack.get("description")),
        facts=tuple(fact for fact in facts if fact[1]),
        dimensions=dimensions,
        criteria=_criteria(strategy, _number(scorecard.get("pass_threshold")), dimensions),
    )
