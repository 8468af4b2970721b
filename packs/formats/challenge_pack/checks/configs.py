"""Rules about the configs of validators (challenge-pack e, F1 to F13): which keys and values each type takes."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from packs.formats.challenge_pack.checks import postconditions, tool_calls
from packs.formats.challenge_pack.checks.values import given, listing, number, one_of, text
from packs.formats.document import Document
from packs.formats.findings import Finding, Path, Rule
from packs.formats.values import is_number

STEPS = (
    "trim",
    "lowercase",
    "collapse_whitespace",
    "strip_punctuation",
    "strip_currency",
    "strip_formatting",
    "normalize_unicode",
    "remove_articles",
    "sort_words",
    "sort_lines",
)
SCORINGS = ("fraction_passed", "all_or_nothing")

# The rules of this block hold for several types; a finding carries the id that the specification gives the type.
CONFIG_SHAPE = Rule(
    "challenge_pack.E551", "The config does not fit a {type}: {reason}.", "Known keys: {known}.", "F1-F8, F11-F13"
)
CONFIG_MISSING = Rule("challenge_pack.E552", "A {type} needs a config.", "Add one; known keys: {known}.", "F12, F13")
NOT_IN_UNIT = Rule(
    "challenge_pack.E553", "`{key}` must be between 0 and 1.", "Write a fraction, such as 0.8.", "F1-F11"
)
NEGATIVE = Rule("challenge_pack.E554", "`{key}` cannot be negative.", "Write 0 or more, or remove it.", "F2, F5")
NOT_POSITIVE = Rule("challenge_pack.E555", "`{key}` must be above 0.", "Raise it, or remove it.", "F2, F6-F8, F11")
CHOICE_UNKNOWN = Rule(
    "challenge_pack.E556", "`{key}` cannot be {value!r}.", "Use one of: {allowed}; or remove it.", "F5-F7, F11"
)
TOLERANCES_MIXED = Rule(
    "challenge_pack.E557",
    "Two ways of stating a tolerance are mixed.",
    "Keep absolute_tolerance and relative_tolerance, and remove tolerance and tolerance_mode.",
    "F2",
)
TOLERANCE_MODE_UNKNOWN = Rule(
    "challenge_pack.E558", "The tolerance mode {value!r} does not exist.", "Use absolute or relative.", "F2"
)
STEP_UNKNOWN = Rule("challenge_pack.E559", "The step {step!r} does not exist.", "Use: {allowed}.", "F3")
PIPELINES_MIXED = Rule(
    "challenge_pack.E560",
    "`pipeline` and `normalizations` mean the same and are both given.",
    "Keep `pipeline` and remove the other.",
    "F3",
)
COMMAND_MISSING = Rule(
    "challenge_pack.E561", "The code_execution has no test command.", "Write the command that runs the tests.", "F11"
)
PASS_AT_K = Rule(
    "challenge_pack.E562",
    "`pass_at_k` needs several samples of one answer, which a validator does not have.",
    "Use fraction_passed or all_or_nothing, and launch several trials.",
    "F11",
)


@dataclass(frozen=True, slots=True)
class Config:
    """What the config of one validator type may hold: its keys with their kinds of value, and what else is asked."""

    rule: str
    keys: dict[str, str]
    check: Callable[[Document, Path], Iterator[Finding]]
    required: bool = False


def check_config(validator: Document, kind: str, path: Path) -> Iterator[Finding]:
    """The rules for the type; the types of F9 take any config, and unknown types are a finding of their own."""
    config = CONFIGS.get(kind)
    if config is not None:
        for finding in _check(config, kind, validator, path):
            yield replace(finding, rule=config.rule)


def _check(config: Config, kind: str, validator: Document, path: Path) -> Iterator[Finding]:
    known = one_of(tuple(config.keys))
    if not given(validator, "config"):
        if config.required:
            yield CONFIG_MISSING.at(path, type=kind, known=known)
    elif reason := _shape_trouble(validator["config"], config.keys):
        yield CONFIG_SHAPE.at(path, type=kind, reason=reason, known=known)
    else:
        yield from config.check(validator["config"], path)


def _shape_trouble(config: Any, keys: dict[str, str]) -> str:
    """What is wrong with the shape of a config: an unknown key or a wrong type; empty if nothing is."""
    if not isinstance(config, dict):
        return "it is not a mapping"
    for key, value in config.items():
        if key not in keys:
            return f"the key {key!r} is unknown"
        if value is not None and not _FITS[keys[key]](value):
            return f"`{key}` is no {keys[key]}"
    return ""


_FITS: dict[str, Callable[[Any], bool]] = {
    "value": lambda value: True,
    "text": lambda value: isinstance(value, str),
    "boolean": lambda value: isinstance(value, bool),
    "number": is_number,
    "whole number": lambda value: is_number(value) and float(value).is_integer(),
    "list of texts": lambda value: isinstance(value, list) and all(isinstance(item, str | None) for item in value),
}


def _unit(config: Document, key: str, path: Path) -> Iterator[Finding]:
    value = number(config, key)
    if value is not None and not 0 <= value <= 1:
        yield NOT_IN_UNIT.at((*path, key), key=key)


def _positive(config: Document, key: str, path: Path) -> Iterator[Finding]:
    value = number(config, key)
    if value is not None and value <= 0:
        yield NOT_POSITIVE.at((*path, key), key=key)


def _not_negative(config: Document, key: str, path: Path) -> Iterator[Finding]:
    value = number(config, key)
    if value is not None and value < 0:
        yield NEGATIVE.at((*path, key), key=key)


def _choice(config: Document, key: str, allowed: tuple[str, ...], path: Path) -> Iterator[Finding]:
    value = config.get(key)
    if value and value not in allowed:
        yield CHOICE_UNKNOWN.at((*path, key), key=key, value=value, allowed=one_of(allowed))


def _check_threshold(config: Document, path: Path) -> Iterator[Finding]:
    yield from _unit(config, "threshold", path)


def _check_numeric(config: Document, path: Path) -> Iterator[Finding]:
    mode = text(config, "tolerance_mode")
    is_legacy = bool(mode) or given(config, "tolerance")
    if is_legacy and (given(config, "absolute_tolerance") or given(config, "relative_tolerance")):
        yield TOLERANCES_MIXED.at(path)
        return
    if mode not in ("", "absolute", "relative"):
        yield TOLERANCE_MODE_UNKNOWN.at(path, value=mode)
        return
    yield from _not_negative(config, "absolute_tolerance", path)
    yield from _not_negative(config, "relative_tolerance", path)
    for finding in _not_negative(config, "tolerance", path):
        # The format reports the legacy tolerance under the name of the field that it stands for.
        stands_for = (*path, f"{mode or 'relative'}_tolerance")
        yield replace(finding, field=replace(finding, path=stands_for).field_path)
    yield from _positive(config, "significant_digits", path)


def _check_normalized(config: Document, path: Path) -> Iterator[Finding]:
    pipeline, alias = listing(config, "pipeline"), listing(config, "normalizations")
    if pipeline and alias:
        yield PIPELINES_MIXED.at(path)
        return
    key = "pipeline" if pipeline else "normalizations"
    for position, step in enumerate(pipeline or alias):
        if step not in STEPS:
            finding = STEP_UNKNOWN.at((*path, key, position), step=step, allowed=one_of(STEPS))
            # The format reports the steps of the alias under the name of the pipeline, too.
            field = "" if pipeline else replace(finding, path=(*path, "pipeline", position)).field_path
            yield replace(finding, field=field)


def _check_math(config: Document, path: Path) -> Iterator[Finding]:
    trimmed = {**config, "comparison_mode": text(config, "comparison_mode")}
    yield from _choice(trimmed, "comparison_mode", ("symbolic", "numeric"), path)
    yield from _not_negative(config, "tolerance", path)


def _check_bleu(config: Document, path: Path) -> Iterator[Finding]:
    yield from _unit(config, "threshold", path)
    yield from _positive(config, "max_ngram", path)
    yield from _choice(config, "smoothing", ("none", "method1"), path)


def _check_rouge(config: Document, path: Path) -> Iterator[Finding]:
    yield from _unit(config, "threshold", path)
    yield from _choice(config, "variant", ("rouge-1", "rouge-2", "rouge-l"), path)
    yield from _positive(config, "beta", path)


def _check_chrf(config: Document, path: Path) -> Iterator[Finding]:
    yield from _unit(config, "threshold", path)
    yield from _positive(config, "char_order", path)
    yield from _positive(config, "beta", path)


def _check_code(config: Document, path: Path) -> Iterator[Finding]:
    if not text(config, "test_command"):
        yield COMMAND_MISSING.at((*path, "test_command"))
    yield from _positive(config, "timeout_ms", path)
    if config.get("scoring") == "pass_at_k":
        yield PASS_AT_K.at((*path, "scoring"))
    else:
        yield from _choice(config, "scoring", SCORINGS, path)
    yield from _unit(config, "pass_threshold", path)


CONFIGS: dict[str, Config] = {
    "fuzzy_match": Config(
        "F1", {"threshold": "number", "case_insensitive": "boolean", "normalize": "boolean"}, _check_threshold
    ),
    "numeric_match": Config(
        "F2",
        {
            "absolute_tolerance": "number",
            "relative_tolerance": "number",
            "significant_digits": "whole number",
            "extract_number": "boolean",
            "tolerance_mode": "text",
            "tolerance": "number",
        },
        _check_numeric,
    ),
    "normalized_match": Config(
        "F3", {"pipeline": "list of texts", "normalizations": "list of texts"}, _check_normalized
    ),
    "token_f1": Config(
        "F4",
        {"threshold": "number", "normalize": "boolean", "remove_articles": "boolean", "remove_punctuation": "boolean"},
        _check_threshold,
    ),
    "math_equivalence": Config(
        "F5",
        {
            "extract_answer": "boolean",
            "answer_delimiter": "text",
            "comparison_mode": "text",
            "numeric_fallback": "boolean",
            "tolerance": "number",
        },
        _check_math,
    ),
    "bleu_score": Config(
        "F6",
        {
            "threshold": "number",
            "max_ngram": "whole number",
            "smoothing": "text",
            "case_insensitive": "boolean",
            "normalize": "boolean",
        },
        _check_bleu,
    ),
    "rouge_score": Config(
        "F7",
        {
            "threshold": "number",
            "variant": "text",
            "beta": "number",
            "case_insensitive": "boolean",
            "normalize": "boolean",
        },
        _check_rouge,
    ),
    "chrf_score": Config(
        "F8",
        {
            "threshold": "number",
            "char_order": "whole number",
            "beta": "number",
            "case_insensitive": "boolean",
            "normalize": "boolean",
        },
        _check_chrf,
    ),
    "code_execution": Config(
        "F11",
        {"test_command": "text", "timeout_ms": "whole number", "scoring": "text", "pass_threshold": "number"},
        _check_code,
    ),
    "tool_call_assertion": Config("F12", tool_calls.KEYS, tool_calls.check_assertion, required=True),
    "postcondition": Config("F13", postconditions.KEYS, postconditions.check_condition, required=True),
}
