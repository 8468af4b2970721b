"""The match language of expected states and parameters (task-suite 4.3)."""

import re
from collections.abc import Callable, Mapping
from fnmatch import translate
from functools import lru_cache
from typing import Any

from packs.formats.canonical_json import canonical_json
from packs.formats.patterns import Pattern, compile_pattern
from packs.formats.values import is_number
from runs.replay.trajectories.pairing import can_pair

_ABSENT = object()
_COMPARATOR = re.compile(r"\s*(<=|>=|==|!=|<|>)\s*(-?[0-9]+(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?)\s*")
_GLOB = re.compile(r"[*?\[]")
MAX_DEPTH = 60
MAX_PAIRS = 10_000_000


class Unmatchable(ValueError):
    """An expectation that the pack's author must fix: an unknown operator, or a pattern that is none."""


def matches(expected: Any, actual: Any) -> bool:
    """Whether a value is what was expected, by JSON type. Raises Unmatchable."""
    return _match(expected, actual, 0)


def _match(expected: Any, actual: Any, depth: int) -> bool:
    if depth > MAX_DEPTH:
        raise Unmatchable(f"the expectation is nested more than {MAX_DEPTH} levels deep")
    if isinstance(expected, dict):
        if expected and all(name.startswith("$") for name in expected):
            return all(_operate(name, wanted, actual, depth + 1) for name, wanted in expected.items())
        return _match_mapping(expected, actual, depth + 1)
    if actual is _ABSENT:
        return False
    if isinstance(expected, list):
        return isinstance(actual, list) and _match_distinct(expected, actual, depth + 1)
    return _match_text(expected, actual) if isinstance(expected, str) else _equal(expected, actual)


def _match_mapping(expected: Mapping[str, Any], actual: Any, depth: int) -> bool:
    if isinstance(actual, list):
        return any(_match_mapping(expected, item, depth) for item in actual if isinstance(item, dict))
    if not isinstance(actual, dict):
        return False
    return all(_match(wanted, actual.get(name, _ABSENT), depth) for name, wanted in expected.items())


def _match_distinct(expected: list[Any], actual: list[Any], depth: int) -> bool:
    """Whether every expected element has a partner of its own, in whichever order. Raises Unmatchable."""
    if len(expected) > len(actual):
        return False
    if len(expected) * len(actual) > MAX_PAIRS:
        raise Unmatchable(f"lists of {len(expected)} and {len(actual)} elements are too long to be matched")
    fits = [[index for index, item in enumerate(actual) if _match(wanted, item, depth)] for wanted in expected]
    return can_pair(fits)


def _match_text(expected: str, actual: Any) -> bool:
    compared = _COMPARATOR.fullmatch(expected)
    if compared:
        return _ORDERS[compared[1]](actual, float(compared[2])) if is_number(actual) else False
    if not isinstance(actual, str):
        return False
    return _glob(expected).fullmatch(actual) is not None if _GLOB.search(expected) else expected == actual


@lru_cache(maxsize=512)
def _glob(pattern: str) -> re.Pattern[str]:
    # Stars that follow each other mean one; apart they cannot make matching slow, as fnmatch uses atomic groups.
    return re.compile(translate(re.sub(r"\*+", "*", pattern)))


def _equal(expected: Any, actual: Any) -> bool:
    """Equality by JSON type: true is not 1, and 1 is 1.0."""
    if actual is _ABSENT:
        return False
    return canonical_json(expected) == canonical_json(actual)


def _contains(actual: Any, wanted: Any) -> bool:
    if isinstance(actual, str):
        return isinstance(wanted, str) and wanted in actual
    return isinstance(actual, list) and any(_match(wanted, item, 0) for item in actual)


def _searches(actual: Any, wanted: Any) -> bool:
    found = compile_pattern(wanted) if isinstance(wanted, str) else None
    if not isinstance(found, Pattern):
        raise Unmatchable(f"$regex needs a regular expression, not {wanted!r}")
    return isinstance(actual, str) and found.is_found(actual)


def _operate(name: str, wanted: Any, actual: Any, depth: int) -> bool:
    if name == "$exists":
        return (actual is not _ABSENT) is bool(wanted)
    operator = _OPERATORS.get(name)
    if operator is None:
        raise Unmatchable(f"there is no operator {name!r}")
    return actual is not _ABSENT and operator(actual, wanted)


_ORDERS: Mapping[str, Callable[[Any, Any], bool]] = {
    "<=": lambda actual, limit: actual <= limit,
    ">=": lambda actual, limit: actual >= limit,
    "<": lambda actual, limit: actual < limit,
    ">": lambda actual, limit: actual > limit,
    "==": lambda actual, limit: actual == limit,
    "!=": lambda actual, limit: actual != limit,
}


def _ordered(sign: str) -> Callable[[Any, Any], bool]:
    compare = _ORDERS[sign]
    return lambda actual, wanted: is_number(actual) and is_number(wanted) and compare(actual, wanted)


_OPERATORS: Mapping[str, Callable[[Any, Any], bool]] = {
    "$eq": lambda actual, wanted: _equal(wanted, actual),
    "$ne": lambda actual, wanted: not _equal(wanted, actual),
    "$gt": _ordered(">"),
    "$gte": _ordered(">="),
    "$lt": _ordered("<"),
    "$lte": _ordered("<="),
    "$in": lambda actual, wanted: isinstance(wanted, list) and any(_equal(item, actual) for item in wanted),
    "$contains": _contains,
    "$regex": _searches,
}


def matched_leaves(expected: Any, actual: Any) -> tuple[int, int]:
    """How many of the single expectations in a mapping match, and how many there are."""
    if isinstance(expected, dict) and expected and not all(name.startswith("$") for name in expected):
        pairs = [
            matched_leaves(wanted, actual.get(name, _ABSENT) if isinstance(actual, dict) else _ABSENT)
            for name, wanted in expected.items()
        ]
        if not isinstance(actual, list):
            return sum(met for met, _ in pairs), sum(count for _, count in pairs)
    return int(matches(expected, actual)), 1
