"""Tidying: what a typed YAML reader would have made of a value (challenge-pack a.1), and no more.

Scalars of typed fields outside the evaluation spec are decoded, optional values that stand for "absent" are left out.
White space, free-form values, unknown keys and values of a wrong type stay as they are.
"""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from packs.formats.challenge_pack.rules import RULES
from packs.formats.challenge_pack.shapes import (
    BLOCK,
    FLAG,
    INSTANT,
    INT64,
    INTEGER,
    LIST,
    NAMED,
    NUMBER,
    TEXT,
    UNION,
    Shape,
    is_zero,
)
from packs.formats.findings import Finding, Path, Rule
from packs.formats.yamlio import Mark

FRACTION_CUT = Rule(
    "challenge_pack.W001",
    "{value} is not a whole number; the fraction is cut off.",
    hint="Write {kept}.",
    rule="D5",
)

BLANK_DROPPED = RULES["W006"]

# A null among values of these kinds is no item; among others it is an empty one.
_DROPPED = (TEXT, FLAG, INTEGER, NUMBER, BLOCK)
# The spellings that a typed boolean takes besides true and false.
WORDS = {"y": True, "Y": True, "yes": True, "on": True, "n": False, "N": False, "no": False, "off": False}


@dataclass(slots=True)
class Tidying:
    """One pass over a file. `wanted` collects the places whose text as written is needed; `written` answers them.

    Where `is_plain`, all whole numbers of the file are written as JSON writes them, so that nobody needs to look.
    `dropped` are the places of blank items that were left out, by the path of their list.
    """

    is_plain: bool = False
    written: Mapping[Path, Mark] = field(default_factory=dict)
    wanted: list[Path] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    dropped: dict[Path, list[int]] = field(default_factory=dict)

    def tidy(self, shape: Shape, value: Any, path: Path = ()) -> Any:
        """The tidy form of a value; the value itself where there is nothing to do."""
        if shape.is_clean(value):
            return value
        fix = _FIXES.get(shape.kind)
        return value if fix is None else fix(self, shape, value, path)

    def _block(self, shape: Shape, value: Any, path: Path) -> Any:
        if type(value) is not dict:
            return value
        found = {}
        for name, part in value.items():
            known = shape.fields.get(name)
            if known is not None:
                part = self.tidy(known, part, (*path, name))
                if is_zero(known, part):
                    continue
            found[name] = part
        return found

    def _list(self, shape: Shape, value: Any, path: Path) -> Any:
        if type(value) is not list or shape.item is None:
            return value
        return [self._item(shape.item, part, (*path, index)) for index, part in self.kept(shape.item, value, path)]

    def kept(self, item: Shape, values: list[Any], path: Path) -> Iterator[tuple[int, Any]]:
        """The items of a list with their places, without those that the original's decoder drops."""
        for index, value in enumerate(values):
            if is_dropped(item, value):
                self.findings.append(BLANK_DROPPED.at((*path, index)))
                self.dropped.setdefault(path, []).append(index)
            else:
                yield index, value

    def _named(self, shape: Shape, value: Any, path: Path) -> Any:
        if type(value) is not dict or shape.item is None:
            return value
        return {name: self._item(shape.item, part, (*path, name)) for name, part in value.items()}

    def _item(self, shape: Shape, value: Any, path: Path) -> Any:
        # A null that is not dropped is the zero value of its type: an empty text, mapping or list.
        empty = {TEXT: "", BLOCK: {}, LIST: []}.get(shape.kind)
        return empty if value is None and empty is not None else self.tidy(shape, value, path)

    def _union(self, shape: Shape, value: Any, path: Path) -> Any:
        return value if shape.item is None else self.tidy(shape.item, value, path)

    def _text(self, shape: Shape, value: Any, path: Path) -> Any:
        if shape.is_strict or value is None or type(value) in (dict, list):
            return value
        if type(value) is str and not INSTANT.fullmatch(value):
            return value
        if self.is_plain and type(value) is int:
            return str(value)
        self.wanted.append(path)
        mark = self.written.get(path)
        if mark is None:
            return value
        if type(value) is str:
            # A text in quotes was meant as it reads.
            return mark.text if mark.is_plain else value
        # Behind an alias there is no text of its own; then the value is spelled out.
        return mark.text or json.dumps(value)

    def _flag(self, shape: Shape, value: Any, path: Path) -> Any:
        if shape.is_strict or type(value) is not str:
            return value
        return WORDS.get(value, value)

    def _integer(self, shape: Shape, value: Any, path: Path) -> Any:
        if shape.is_strict or type(value) is not float or not abs(value) < INT64:
            return value
        kept = int(value)
        if kept != value:
            self.findings.append(FRACTION_CUT.at(path, value=value, kept=kept))
        return kept


def is_dropped(item: Shape, value: Any) -> bool:
    """Whether a value in a list of such items is blank and left out; the evaluation spec is decoded otherwise."""
    return value is None and not item.is_strict and item.kind in _DROPPED


_FIXES: Mapping[str, Callable[[Tidying, Shape, Any, Path], Any]] = {
    BLOCK: Tidying._block,
    LIST: Tidying._list,
    NAMED: Tidying._named,
    UNION: Tidying._union,
    TEXT: Tidying._text,
    FLAG: Tidying._flag,
    INTEGER: Tidying._integer,
}


def tidied(shape: Shape, value: Any) -> Any:
    """The tidy form of a value that was not read from a file."""
    return Tidying().tidy(shape, value)
