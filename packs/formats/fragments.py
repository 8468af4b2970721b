"""JSON objects and lists that stand in a text, whatever is around them, distinguished by what they say.

A text is read once from its beginning to its end, so the time is linear in its length however its brackets stand.
"""

import re
from collections.abc import Iterator
from typing import Any

import orjson

_OPENING = re.compile(r"[\[{]")
_TOKEN = re.compile(
    r'\s*+("(?:[^"\\\x00-\x1f]|\\.)*+"|-?[0-9]++(?:\.[0-9]++)?(?:[eE][-+]?[0-9]++)?|true|false|null|[\[\]{}:,])'
)
_CLOSING = {"[": "]", "{": "}"}
# A mark is equal for values that say the same, whatever their spacing and the order of members.
Mark = int


def marks_of(value: Any) -> Iterator[Mark]:
    """The marks of all objects and lists in a JSON value: of its parts, of what its texts hold, and of itself."""
    if isinstance(value, str):
        yield from marks_in(value)
    elif isinstance(value, dict | list):
        for part in value.values() if isinstance(value, dict) else value:
            yield from marks_of(part)
        yield mark_of(value)


def mark_of(value: Any) -> Mark:
    """The mark of one JSON value."""
    if isinstance(value, dict):
        return hash(("{", frozenset((name, mark_of(part)) for name, part in value.items())))
    if isinstance(value, list):
        return hash(("[", *map(mark_of, value)))
    return _mark_of_scalar(value)


def _mark_of_scalar(value: Any) -> Mark:
    """Numbers count by their value: 1.0 is 1. As texts, since -1 and -2 hash alike."""
    is_whole = isinstance(value, float) and value.is_integer()
    return hash(repr(int(value) if is_whole else value))


def marks_in(text: str) -> Iterator[Mark]:
    """The marks of the objects and lists that a text holds, inner ones first."""
    opened: list[_Opened] = []
    position = 0
    while opened or (position := _next_opening(text, position)) >= 0:
        found = _TOKEN.match(text, position)
        if found is None:
            # No JSON goes on like this; inside of what was opened there may have been some, and after it there may be.
            opened.clear()
            continue
        position, token = found.end(), found[1]
        if token in _CLOSING:
            opened.append(_Opened(token))
        elif token in "]}":
            mark = opened.pop().closed(token)
            if mark is None:
                opened.clear()
                continue
            yield mark
            if opened:
                opened[-1].parts.append(mark)
        else:
            opened[-1].take(token)


def _next_opening(text: str, position: int) -> int:
    found = _OPENING.search(text, position)
    return found.start() if found else -1


class _Opened:
    """An object or list of which the end has not been read: its parts as marks, with the signs between them."""

    def __init__(self, opening: str) -> None:
        self.opening = opening
        self.parts: list[Any] = []

    def take(self, token: str) -> None:
        self.parts.append(token if token in ":," else _scalar(token))

    def closed(self, closing: str) -> Mark | None:
        """The mark of the whole; None where its parts do not make one."""
        if _CLOSING[self.opening] != closing:
            return None
        return self._as_list() if closing == "]" else self._as_object()

    def _as_list(self) -> Mark | None:
        values, commas = self.parts[::2], self.parts[1::2]
        is_whole = len(values) == len(commas) + bool(values) and _are(values, int) and set(commas) <= {","}
        return hash(("[", *values)) if is_whole else None

    def _as_object(self) -> Mark | None:
        names, colons, values, commas = (self.parts[start::4] for start in range(4))
        if len(names) != len(values) or len(commas) != len(names) - bool(names):
            return None
        if not _are(names, _Name) or not _are(values, int) or not set(colons) <= {":"} or not set(commas) <= {","}:
            return None
        return hash(("{", frozenset({name.text: value for name, value in zip(names, values, strict=True)}.items())))


class _Name(int):
    """The mark of a text, which may be the name of a member: then the text itself counts."""

    text: str


def _scalar(token: str) -> Mark:
    try:
        value = orjson.loads(token)
    except orjson.JSONDecodeError:
        value = token
    mark = _mark_of_scalar(value)
    if not isinstance(value, str):
        return mark
    name = _Name(mark)
    name.text = value
    return name


def _are(parts: list[Any], kind: type) -> bool:
    return all(isinstance(part, kind) for part in parts)
