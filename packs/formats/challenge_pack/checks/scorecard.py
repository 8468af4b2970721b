"""Rules about the scorecard and its dimensions (challenge-pack e, G1 to G19; d.8)."""

from collections.abc import Iterator
from typing import Any

from packs.formats.challenge_pack.checks.judges import judge_keys
from packs.formats.challenge_pack.rules import RULES
from packs.formats.challenge_pack.schema.scorecard import MEASURED
from packs.formats.challenge_pack.values import (
    BUILT_IN,
    SHARED_NORMALIZATION,
    SPEC,
    entries,
    evaluation_spec,
    given,
    listing,
    mapping,
    number,
    text,
    texts,
)
from packs.formats.document import Document
from packs.formats.findings import Finding, Path, Rule
from packs.formats.values import exact_text

KEY_REPEATED = Rule("challenge_pack.E803", "Two dimensions have the key {key!r}.", "Rename or remove one.", "G3")
VALIDATOR_UNKNOWN = Rule(
    "challenge_pack.E805", "No validator has the key {key!r}.", "Fix the key, or declare the validator.", "G5"
)
METRIC_UNKNOWN = Rule(
    "challenge_pack.E807", "No metric has the key {key!r}.", "Fix the key, or declare the metric.", "G6"
)
BOUNDS_CROSSED = Rule(
    "challenge_pack.E809",
    "With {direction} values being better, max must be {side} target.",
    "Swap the two, or change `better_direction`.",
    "G8",
)
JUDGE_UNKNOWN = Rule(
    "challenge_pack.E814", "No judge has the key {key!r}.", "Fix the key, or declare the judge.", "G12"
)


def check_scorecard(pack: Document) -> Iterator[Finding]:
    """What the schema cannot say of dimensions: names of others, and what stands for a name of a ready-made one."""
    spec = evaluation_spec(pack)
    is_binary = exact_text(mapping(spec, "scorecard"), "strategy") == "binary"
    seen = {""}
    for position, dimension in dimensions(spec):
        path, key = (*SPEC, "scorecard", "dimensions", position), text(dimension, "key")
        if key in seen and key:
            yield KEY_REPEATED.at(path, key=key)
        elif key:
            yield from _check_names(spec, dimension, path)
            yield from _check_bounds(dimension, path)
            if is_binary and number(dimension, "pass_threshold") is None:
                yield RULES["E817"].at((*path, "pass_threshold"))
        seen.add(key)


def dimensions(spec: Document) -> Iterator[tuple[int, Document]]:
    """The dimensions with their positions, the built-in ones written out (challenge-pack d.8)."""
    for position, written in enumerate(listing(mapping(spec, "scorecard"), "dimensions")):
        yield position, _expanded(written, spec)


def dimension_sources(spec: Document) -> set[str]:
    """What the dimensions are scored from."""
    return {exact_text(dimension, "source") for _, dimension in dimensions(spec)}


def _expanded(written: Any, spec: Document) -> Document:
    dimension: Document = written if isinstance(written, dict) else {"key": written}
    source = BUILT_IN.get(text(dimension, "key"))
    if source is None or dimension.get("source"):
        return dimension
    direction = "lower" if source in SHARED_NORMALIZATION else "higher"
    expanded = {**dimension, "source": source, "better_direction": direction}
    shared = mapping(mapping(spec, "scorecard"), "normalization")
    if source in SHARED_NORMALIZATION and given(shared, source) and not given(dimension, "normalization"):
        target, most, fallback = SHARED_NORMALIZATION[source]
        bounds, limits = mapping(shared, source), mapping(spec, "runtime_limits")
        ceiling = bounds.get(most) if given(bounds, most) else limits.get(fallback)
        expanded["normalization"] = {"target": bounds.get(target), "max": ceiling}
    return expanded


def _check_names(spec: Document, dimension: Document, path: Path) -> Iterator[Finding]:
    source, judge, metric = (text(dimension, name) for name in ("source", "judge_key", "metric"))
    if source == "validators":
        declared = {text(validator, "key") for _, validator in entries(spec, "validators")}
        for position, key in texts(dimension, "validators"):
            if not key or key not in declared:
                yield VALIDATOR_UNKNOWN.at((*path, "validators", position), key=key)
    if source == "metric" and metric and all(text(each, "key") != metric for _, each in entries(spec, "metrics")):
        yield METRIC_UNKNOWN.at((*path, "metric"), key=metric)
    if source == "llm_judge" and judge and judge not in judge_keys(spec):
        yield JUDGE_UNKNOWN.at((*path, "judge_key"), key=judge)


def _check_bounds(dimension: Document, path: Path) -> Iterator[Finding]:
    """G7 to G9: what the scorecard lends a ready-made dimension may lack bounds, and bounds may be crossed."""
    if exact_text(dimension, "source") not in MEASURED:
        return
    place = (*path, "normalization")
    if not given(dimension, "normalization"):
        yield RULES["E808"].at(place)
        return
    bounds, direction = mapping(dimension, "normalization"), exact_text(dimension, "better_direction")
    target, most = number(bounds, "target"), number(bounds, "max")
    if target is None or most is None:
        lacking = [name for name in ("target", "max") if number(bounds, name) is None]
        yield from (RULES["E810"].at((*place, name), name=name) for name in lacking)
    elif direction == "lower" and most <= target:
        yield BOUNDS_CROSSED.at((*place, "max"), direction="lower", side="above")
    elif direction == "higher" and most >= target:
        yield BOUNDS_CROSSED.at((*place, "max"), direction="higher", side="below")
