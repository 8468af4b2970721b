"""Placeholders: `${{ NAME }}` from the environment of a pack, `{{ name }}` from a test's own `vars` (agentv A.4).

The environment is what `.env` files of the pack say, never that of the machine: a pack must not read its secrets.
"""

import re
from collections.abc import Mapping
from math import isfinite
from typing import Any

import orjson

from packs.formats.document import Document
from packs.formats.names import in_template
from packs.formats.values import LARGEST_WHOLE

_NAME = re.compile(r"\$\{\{\s*([A-Za-z_][A-Za-z0-9_]*)\s*\}\}")
_VALUE = re.compile(r"\{\{\s*([A-Za-z_][\w.-]*)\s*\}\}")
_DECIMAL = re.compile(r"-?[0-9]+(?:\.[0-9]+)?")
_ASSIGNMENT = re.compile(r"^\s*(?:export\s+)?([A-Za-z_][A-Za-z0-9_]*)\s*=(.*)$")
_MAX_SIZE = 1_000_000
_OF_TEST = ("input", "input_files", "criteria", "expected_outcome", "expected_output")
_OF_TURN = ("input", "expected_output")


def variables_of(text: str) -> dict[str, str]:
    """The assignments of a `.env` file."""
    found = {}
    for line in text.splitlines():
        match = _ASSIGNMENT.match(line)
        if match:
            value = match[2].strip()
            is_quoted = len(value) > 1 and value[0] == value[-1] and value[0] in "\"'"
            found[match[1]] = value[1:-1] if is_quoted else value
    return found


def interpolate(value: Any, variables: Mapping[str, str]) -> Any:
    """A value with its `${{ NAME }}` filled in; a missing name becomes empty text."""
    if isinstance(value, str):
        return _interpolated(value, variables) if "${{" in value else value
    if isinstance(value, list):
        return [interpolate(item, variables) for item in value]
    if isinstance(value, dict):
        return {key: interpolate(item, variables) for key, item in value.items()}
    return value


def is_filled(text: str) -> bool:
    """Whether a text has places that the environment or a test's own values fill."""
    return _VALUE.search(text) is not None


def names_in(value: Any) -> set[str]:
    """The names of the environment that a value asks for."""
    if isinstance(value, str):
        return set(_NAME.findall(value)) if "${{" in value else set()
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return {name for item in inner for name in names_in(item)}


def _interpolated(text: str, variables: Mapping[str, str]) -> Any:
    whole = _NAME.fullmatch(text)
    filled = _NAME.sub(lambda match: variables.get(match[1], ""), text)
    if whole is None:
        return filled
    if filled in ("true", "false"):
        return filled == "true"
    return _number(filled) if _DECIMAL.fullmatch(filled) else filled


def _number(text: str) -> Any:
    """A decimal number as JavaScript reads it; what is too large for it stays a text."""
    value = float(text)
    if "." not in text and abs(value) <= LARGEST_WHOLE:
        return int(value)
    return value if isfinite(value) else text


def fill_test(test: Document) -> Document:
    """A test with its own `vars` in the fields that take them."""
    values = test.get("vars")
    if not isinstance(values, dict) or not values:
        return test
    filled = {key: _filled(item, values) if key in _OF_TEST else item for key, item in test.items()}
    if isinstance(filled.get("turns"), list):
        filled["turns"] = [_filled_turn(turn, values) for turn in filled["turns"]]
    return filled


def fill(value: Any, test: Document) -> Any:
    """A value of the suite with the `vars` of a test."""
    values = test.get("vars")
    return _filled(value, values) if isinstance(values, dict) and values else value


def filled_with(document: Document, names: Mapping[str, str]) -> Document:
    """A test or a suite whose placeholders `{{ name }}` have other names; those of values inside keep the rest."""

    def inside(value: Any) -> Any:
        if isinstance(value, str):
            return in_template(_VALUE, value, names) if "{{" in value else value
        if isinstance(value, list):
            return [inside(item) for item in value]
        return {key: inside(item) for key, item in value.items()} if isinstance(value, dict) else value

    def in_turn(turn: Any) -> Any:
        is_turn = isinstance(turn, dict)
        return {key: inside(item) if key in _OF_TURN else item for key, item in turn.items()} if is_turn else turn

    found = {key: inside(item) if key in _OF_TEST else item for key, item in document.items()}
    if isinstance(found.get("turns"), list):
        found["turns"] = [in_turn(turn) for turn in found["turns"]]
    return document if found == document else found


def _filled_turn(turn: Any, values: Document) -> Any:
    if not isinstance(turn, dict):
        return turn
    return {key: _filled(item, values) if key in _OF_TURN else item for key, item in turn.items()}


def _filled(value: Any, values: Document) -> Any:
    if isinstance(value, str):
        whole = _VALUE.fullmatch(value)
        if whole is not None:
            found, is_there = _look_up(values, whole[1])
            return found if is_there else value
        return _VALUE.sub(lambda match: _rendered(values, match), value)[:_MAX_SIZE] if "{{" in value else value
    if isinstance(value, list):
        return [_filled(item, values) for item in value]
    if isinstance(value, dict):
        return {key: _filled(item, values) for key, item in value.items()}
    return value


def _rendered(values: Document, match: re.Match[str]) -> str:
    found, is_there = _look_up(values, match[1])
    if not is_there:
        return match[0]
    return found if isinstance(found, str) else orjson.dumps(found).decode()


def _look_up(values: Document, name: str) -> tuple[Any, bool]:
    found: Any = values
    for step in name.split("."):
        if not isinstance(found, dict) or step not in found:
            return None, False
        found = found[step]
    return found, True
