"""What kind of text a reference is: it decides what counts as equal to it and how it is made wrong."""

import re
from enum import StrEnum
from typing import Any

import orjson

from packs.formats.answers import normal


class Shape(StrEnum):
    """The kinds of reference."""

    EMPTY = "empty"
    JSON = "json"
    NUMBER = "number"
    PATCH = "patch"
    CODE = "code"
    LABEL = "label"
    SHORT = "short"
    PROSE = "prose"


NUMBER = re.compile(r"[-+]?[0-9]+(?:\.[0-9]+)?")
_PATCH = re.compile(r"^(?:diff --git |--- |\+\+\+ |@@ )", re.MULTILINE)
_CODE = re.compile(
    r"^\s*(?:def |class |import |from \w+ import |return |function |const |let |var |#include|SELECT\b.*\bFROM\b)"
    r"|[{};]\s*$",
    re.MULTILINE,
)
# One token that is a name rather than a word: `not_found`, `src/app.py`, `B`, `PX-41`, `15:15`.
_LABEL = re.compile(r"(?:[A-Za-z]|\S*[_/\\:=@#0-9]\S*|[A-Z]{2,})")
SHORT_WORDS = 8


def shape_of(text: str, *, is_code: bool = False) -> Shape:
    """The kind of a reference; `is_code` where its graders run or complete programs."""
    bare = text.strip()
    is_line = "\n" not in bare
    kinds = {
        Shape.EMPTY: not bare,
        Shape.JSON: parsed(bare) is not None,
        Shape.NUMBER: NUMBER.fullmatch(bare),
        Shape.PATCH: _PATCH.search(bare),
        Shape.CODE: is_code or (not is_line and _CODE.search(bare)),
        Shape.LABEL: _LABEL.fullmatch(bare),
        Shape.SHORT: is_line and len(bare.split()) <= SHORT_WORDS,
    }
    return next((shape for shape, is_it in kinds.items() if is_it), Shape.PROSE)


def parsed(text: str) -> Any:
    """The object or list that a text says as JSON; None for anything else."""
    if text.strip()[:1] not in ("{", "["):
        return None
    try:
        return orjson.loads(text)
    except orjson.JSONDecodeError:
        return None


def same(one: str, other: str) -> bool:
    """Whether two answers say the same, so that neither can be the wrong one of the other."""
    if normal(one) == normal(other):
        return True
    left, right = parsed(one), parsed(other)
    if left is not None and left == right:
        return True
    bare = one.strip(), other.strip()
    return all(NUMBER.fullmatch(text) for text in bare) and float(bare[0]) == float(bare[1])
