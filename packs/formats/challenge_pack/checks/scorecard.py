"""Rules about the scorecard and its dimensions (challenge-pack e, G1 to G19; d.8)."""

from collections.abc import Iterator
from typing import Any

from packs.formats.challenge_pack.checks.judges import judge_keys
from packs.formats.challenge_pack.checks.specification import SPEC
from packs.formats.challenge_pack.schema.scorecard import SOURCES, STRATEGIES
from packs.formats.challenge_pack.values import (
    BUILT_IN,
    SHARED_NORMALIZATION,
    entries,
    evaluation_spec,
    flag,
    given,
    listing,
    mapping,
    number,
    one_of,
    text,
    texts,
)
from packs.formats.document import Document
from packs.formats.findings import Finding, Path, Rule
from packs.formats.values import exact_text

MEASURED = ("metric", *SHARED_NORMALIZATION)
ALWAYS_HIGHER = ("validators", "reliability", "llm_judge", "behavioral")

NO_DIMENSION = Rule(
    "challenge_pack.E801", "The scorecard has no dimension.", "Add at least one, such as correctness.", "G1"
)
KEY_MISSING = Rule("challenge_pack.E802", "The dimension has no key.", "Give it a short name of its own.", "G2")
KEY_REPEATED = Rule("challenge_pack.E803", "Two dimensions have the key {key!r}.", "Rename or remove one.", "G3")
SOURCE_UNKNOWN = Rule(
    "challenge_pack.E804",
    "The dimension {key!r} does not say what it is scored from.",
    "Set `source` to one of: {allowed}.",
    "G4",
)
VALIDATOR_UNKNOWN = Rule(
    "challenge_pack.E805", "No validator has the key {key!r}.", "Fix the key, or declare the validator.", "G5"
)
METRIC_MISSING = Rule("challenge_pack.E806", "The dimension names no metric.", "Add `metric`.", "G6")
METRIC_UNKNOWN = Rule(
    "challenge_pack.E807", "No metric has the key {key!r}.", "Fix the key, or declare the metric.", "G6"
)
NORMALIZATION_MISSING = Rule(
    "challenge_pack.E808",
    "The dimension turns a measured value into a score and needs a normalization.",
    "Add `normalization` with target (score 1) and max (score 0).",
    "G7",
)
BOUNDS_CROSSED = Rule(
    "challenge_pack.E809",
    "With {direction} values being better, max must be {side} target.",
    "Swap the two, or change `better_direction`.",
    "G8",
)
BOUND_MISSING = Rule("challenge_pack.E810", "The normalization has no {bound}.", "Add `{bound}`.", "G9")
DIRECTION_MISSING = Rule(
    "challenge_pack.E811", "The dimension does not say which values are better.", "Write higher or lower.", "G10"
)
DIRECTION_NOT_HIGHER = Rule(
    "challenge_pack.E812",
    "Scores from {source} are always better when higher.",
    "Remove `better_direction`, or write higher.",
    "G11",
)
JUDGE_MISSING = Rule("challenge_pack.E813", "The dimension names no judge.", "Add `judge_key`.", "G12")
JUDGE_UNKNOWN = Rule(
    "challenge_pack.E814", "No judge has the key {key!r}.", "Fix the key, or declare the judge.", "G12"
)
JUDGE_NOT_ALLOWED = Rule(
    "challenge_pack.E815",
    "Only a dimension with the source llm_judge names a judge.",
    "Remove `judge_key`, or change the source.",
    "G13",
)
WEIGHT_NEGATIVE = Rule("challenge_pack.E816", "The weight cannot be negative.", "Write 0 or more.", "G14")
THRESHOLD_MISSING = Rule(
    "challenge_pack.E817",
    "The dimension needs a pass_threshold: {why}.",
    "Add it, between 0 and 1.",
    "G15",
)
THRESHOLD_OUT_OF_RANGE = Rule(
    "challenge_pack.E818", "The pass_threshold must be between 0 and 1.", "Write a fraction, such as 0.8.", "G15"
)
STRATEGY_UNKNOWN = Rule(
    "challenge_pack.E819", "The strategy {strategy!r} does not exist.", "Use one of: {allowed}.", "G16"
)
OVERALL_THRESHOLD_NOT_ALLOWED = Rule(
    "challenge_pack.E820",
    "The binary strategy takes no overall pass_threshold.",
    "Remove it; each dimension has its own.",
    "G17",
)
NO_GATE = Rule(
    "challenge_pack.E821",
    "The hybrid strategy needs at least one gated dimension.",
    "Set `gate: true` on a dimension, or choose weighted.",
    "G18",
)
OVERALL_THRESHOLD_OUT_OF_RANGE = Rule(
    "challenge_pack.E822", "The overall pass_threshold must be between 0 and 1.", "Write a fraction.", "G19"
)


def check_scorecard(pack: Document) -> Iterator[Finding]:
    """G1 to G19."""
    spec = evaluation_spec(pack)
    card, path = mapping(spec, "scorecard"), (*SPEC, "scorecard")
    if not card.get("dimensions"):
        yield NO_DIMENSION.at((*path, "dimensions"))
    strategy = exact_text(card, "strategy") or "weighted"
    if strategy not in STRATEGIES:
        yield STRATEGY_UNKNOWN.at((*path, "strategy"), strategy=strategy, allowed=one_of(STRATEGIES))
    if strategy == "hybrid" and not any(flag(dimension, "gate") for _, dimension in entries(card, "dimensions")):
        yield NO_GATE.at((*path, "strategy"))
    threshold = number(card, "pass_threshold")
    if threshold is not None and strategy == "binary":
        yield OVERALL_THRESHOLD_NOT_ALLOWED.at((*path, "pass_threshold"))
    elif threshold is not None and not 0 <= threshold <= 1:
        yield OVERALL_THRESHOLD_OUT_OF_RANGE.at((*path, "pass_threshold"))
    yield from _check_dimensions(spec, strategy, (*path, "dimensions"))


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


def _check_dimensions(spec: Document, strategy: str, path: Path) -> Iterator[Finding]:
    seen: set[str] = set()
    for position, dimension in dimensions(spec):
        place, key = (*path, position), text(dimension, "key")
        if not key:
            yield KEY_MISSING.at((*place, "key"))
        elif key in seen:
            yield KEY_REPEATED.at(place, key=key)
        elif exact_text(dimension, "source") not in SOURCES:
            yield SOURCE_UNKNOWN.at((*place, "source"), key=key, allowed=one_of(SOURCES))
        else:
            yield from _check_source(spec, dimension, place)
            yield from _check_direction(dimension, place)
            yield from _check_weight(dimension, strategy, place)
        seen.add(key)


def _check_source(spec: Document, dimension: Document, path: Path) -> Iterator[Finding]:
    source = dimension["source"]
    if source == "validators":
        yield from _check_validators(spec, dimension, path)
    if source == "metric":
        yield from _check_metric(spec, dimension, path)
    if source in MEASURED:
        yield from _check_normalization(dimension, path)
    yield from _check_judge(spec, dimension, path)


def _check_validators(spec: Document, dimension: Document, path: Path) -> Iterator[Finding]:
    declared = {text(validator, "key") for _, validator in entries(spec, "validators")}
    for position, key in texts(dimension, "validators"):
        if not key or key not in declared:
            yield VALIDATOR_UNKNOWN.at((*path, "validators", position), key=key)


def _check_judge(spec: Document, dimension: Document, path: Path) -> Iterator[Finding]:
    judge = text(dimension, "judge_key")
    if dimension["source"] != "llm_judge":
        if judge:
            yield JUDGE_NOT_ALLOWED.at((*path, "judge_key"))
    elif not judge:
        yield JUDGE_MISSING.at((*path, "judge_key"))
    elif judge not in judge_keys(spec):
        yield JUDGE_UNKNOWN.at((*path, "judge_key"), key=judge)


def _check_metric(spec: Document, dimension: Document, path: Path) -> Iterator[Finding]:
    metric = text(dimension, "metric")
    if not metric:
        yield METRIC_MISSING.at((*path, "metric"))
    elif all(text(declared, "key") != metric for _, declared in entries(spec, "metrics")):
        yield METRIC_UNKNOWN.at((*path, "metric"), key=metric)


def _check_normalization(dimension: Document, path: Path) -> Iterator[Finding]:
    if not given(dimension, "normalization"):
        yield NORMALIZATION_MISSING.at((*path, "normalization"))
        return
    bounds, direction = mapping(dimension, "normalization"), exact_text(dimension, "better_direction")
    target, most = number(bounds, "target"), number(bounds, "max")
    for bound, value in (("target", target), ("max", most)):
        if value is None:
            yield BOUND_MISSING.at((*path, "normalization", bound), bound=bound)
    if target is None or most is None:
        return
    if direction == "lower" and most <= target:
        yield BOUNDS_CROSSED.at((*path, "normalization", "max"), direction="lower", side="above")
    if direction == "higher" and most >= target:
        yield BOUNDS_CROSSED.at((*path, "normalization", "max"), direction="higher", side="below")


def _check_direction(dimension: Document, path: Path) -> Iterator[Finding]:
    source, direction = dimension["source"], exact_text(dimension, "better_direction")
    if source in MEASURED and direction not in ("higher", "lower"):
        yield DIRECTION_MISSING.at((*path, "better_direction"))
    if source in ALWAYS_HIGHER and direction not in ("", "higher"):
        yield DIRECTION_NOT_HIGHER.at((*path, "better_direction"), source=source)


def _check_weight(dimension: Document, strategy: str, path: Path) -> Iterator[Finding]:
    if (number(dimension, "weight") or 0) < 0:
        yield WEIGHT_NEGATIVE.at((*path, "weight"))
    threshold = number(dimension, "pass_threshold")
    if threshold is not None:
        if not 0 <= threshold <= 1:
            yield THRESHOLD_OUT_OF_RANGE.at((*path, "pass_threshold"))
    elif flag(dimension, "gate"):
        yield THRESHOLD_MISSING.at((*path, "pass_threshold"), why="it is a gate")
    elif strategy == "binary":
        yield THRESHOLD_MISSING.at((*path, "pass_threshold"), why="the strategy is binary")
