"""The subset of JSONPath that packs may use, and the comparisons on what it finds (challenge-pack d.3).

`$`, `.name` (letters, digits, _ and -), `[0]`, `["any key"]`, `['any key']` and `[bareword]`.
"""

import re
from dataclasses import dataclass
from typing import Any

from runs.grading.graders.contract import Judgement, decided, pack_error
from runs.grading.graders.texts import trim
from runs.grading.graders.values import TooDeep, as_number, compact_json, json_same, parse_json

MAX_PATH_LENGTH = 10_000
COMPARATORS = ("equals", "exists", "contains", "greater_than", "less_than")

_NAME = re.compile(r"\.([A-Za-z0-9_-]+)")
_QUOTED = re.compile(r"""\[\s*("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')\s*\]""", re.DOTALL)
_BRACKET = re.compile(r"\[([^\]]*)\]")
_INDEX = re.compile(r"[+-]?[0-9]+")
_MISSING = object()

Step = str | int


class BadPath(ValueError):
    """A path or expectation that the pack's author must fix."""


@dataclass(frozen=True, slots=True)
class Expectation:
    """A path into a JSON document and what is to hold of the value there."""

    path: str
    comparator: str
    value: Any = None


def read_expectation(text: str) -> Expectation:
    """An expectation from a path (which then has to exist) or a JSON object. Raises BadPath."""
    text = trim(text)
    if text.startswith("$"):
        return Expectation(text, "exists")
    try:
        stated = parse_json(text)
    except ValueError as error:
        raise BadPath(f"neither a path that starts with $ nor JSON: {error}") from error
    if not isinstance(stated, dict):
        raise BadPath("the expectation must be an object with path, comparator and value")
    path, comparator = stated.get("path"), stated.get("comparator") or ""
    if not isinstance(path, str) or not trim(path):
        raise BadPath("the expectation has no path")
    if not isinstance(comparator, str):
        raise BadPath("comparator must be text")
    value = stated.get("value")
    comparator = trim(comparator) or ("exists" if value is None else "equals")
    if comparator not in COMPARATORS:
        raise BadPath(f"unknown comparator {comparator!r}; known are {', '.join(COMPARATORS)}")
    return Expectation(trim(path), comparator, value)


def read_path(path: str) -> list[Step]:
    """The steps of a path. Raises BadPath."""
    if not path.startswith("$"):
        raise BadPath("a path must start with $")
    if len(path) > MAX_PATH_LENGTH:
        raise BadPath(f"the path is longer than {MAX_PATH_LENGTH} characters")
    steps: list[Step] = []
    position = 1
    while position < len(path):
        name = _NAME.match(path, position)
        if name:
            steps.append(name.group(1))
            position = name.end()
            continue
        step, position = _read_bracket(path, position)
        steps.append(step)
    return steps


def _read_bracket(path: str, position: int) -> tuple[Step, int]:
    quoted = _QUOTED.match(path, position)
    if quoted:
        return _unquoted(quoted.group(1)), quoted.end()
    bracket = _BRACKET.match(path, position)
    content = trim(bracket.group(1)) if bracket else ""
    if bracket is None or not content or content[0] in "\"'":
        raise BadPath(f"the path cannot be read from position {position} on")
    return int(content) if _INDEX.fullmatch(content) and len(content) < 19 else content, bracket.end()


def _unquoted(quoted: str) -> str:
    inner = quoted[1:-1]
    if quoted[0] == "'":
        inner = inner.replace("\\'", "'").replace('"', '\\"')
    try:
        return str(parse_json(f'"{inner}"'))
    except ValueError as error:
        raise BadPath(f"the quoted key {quoted} cannot be read") from error


def find(document: Any, steps: list[Step]) -> Any:
    """The value at a path, or a marker that `is_missing` knows; a null exists."""
    for step in steps:
        if not _has(document, step):
            return _MISSING
        document = document[step]
    return document


def _has(document: Any, step: Step) -> bool:
    if isinstance(step, int):
        return isinstance(document, list) and 0 <= step < len(document)
    return isinstance(document, dict) and step in document


def is_missing(value: object) -> bool:
    return value is _MISSING


def compare_at(document: Any, expectation: Expectation) -> Judgement:
    """Judge what a document holds at the path of an expectation."""
    seen: dict[str, Any] = {"path": expectation.path, "comparator": expectation.comparator}
    try:
        value = find(document, read_path(expectation.path))
        if is_missing(value):
            return decided(False, f"there is nothing at {expectation.path}", **seen, exists=False)
        passes = expectation.comparator == "exists" or _holds(value, expectation)
    except (BadPath, TooDeep) as error:
        return pack_error(str(error), **seen)
    reason = f"the value at {expectation.path} does not meet {expectation.comparator}"
    return decided(passes, reason, **seen, exists=True, value=value, expected_value=expectation.value)


def _holds(value: Any, expectation: Expectation) -> bool:
    wanted = expectation.value
    if expectation.comparator == "equals":
        return json_same(value, wanted)
    if expectation.comparator == "contains":
        return _contains(value, wanted)
    left, right = as_number(value), as_number(wanted)
    if left is None or right is None:
        raise BadPath(f"{expectation.comparator} needs a number on both sides")
    return left > right if expectation.comparator == "greater_than" else left < right


def _contains(value: Any, wanted: Any) -> bool:
    if isinstance(value, str):
        if not isinstance(wanted, str):
            raise BadPath("contains in a text needs text as its value")
        return wanted in value
    if isinstance(value, list):
        return any(json_same(item, wanted) for item in value)
    return compact_json(wanted) in compact_json(value)
