"""Structure: types, and keys that nobody reads (challenge-pack D2, D3, D4, D6)."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from packs.formats.advice import did_you_mean
from packs.formats.challenge_pack.shapes import (
    BLOCK,
    INTEGER,
    LIST,
    NAMED,
    SHAPES,
    TEXT,
    UNION,
    UUID,
    Shape,
    has_kind,
)
from packs.formats.challenge_pack.tidying import BLANK_DROPPED, is_dropped
from packs.formats.document import Document, NodeKind
from packs.formats.findings import Finding, Path, Rule

WRONG_TYPE = Rule(
    "challenge_pack.E003",
    "{name} must be {expected}; this is {found}.",
    hint="Give {expected} here.",
    rule="D2",
)
BAD_UUID = Rule(
    "challenge_pack.E004",
    "{value} is not a UUID.",
    hint="Leave the field out, or give the identifier of a stored file, 32 hexadecimal digits in five groups.",
    rule="D2",
)
OUT_OF_RANGE = Rule(
    "challenge_pack.E005",
    "{value} is too large or too small for {name}.",
    hint="Give a number from {lowest} to {highest}.",
    rule="D2",
)
UNKNOWN_IN_SPEC = Rule(
    "challenge_pack.E006",
    "The evaluation spec knows no key {name} here.",
    hint="{advice}",
    rule="D3",
)
WRONG_TYPE_IN_SPEC = Rule(
    "challenge_pack.E007",
    "{name} must be {expected}; this is {found}.",
    hint="Give {expected} here; in the evaluation spec quotes turn a number into text.",
    rule="D4",
)
NOT_NODES = Rule(
    "challenge_pack.E010",
    "{name} must be a list of mappings; {found}.",
    hint="Begin every entry with a dash and its key.",
    rule="D2",
)
UNKNOWN_KEY = Rule(
    "challenge_pack.W005",
    "The key {name} is not part of the format here; it is kept, but nothing reads it.",
    hint="{advice}",
    rule="D6",
)
OWN_KEY = Rule(
    "challenge_pack.N001",
    "The key {name} is kept as your own; nothing reads it.",
    rule="D6",
)

# Where the documents of other nodes would stand; what is left there is no list of mappings.
NODE_LISTS: Mapping[NodeKind, tuple[Path, ...]] = {
    NodeKind.PACK: (("challenges",), ("input_sets",), ("version", "assets")),
    NodeKind.INPUT_SET: (("cases",), ("items",)),
}
TOP_KEYS = (*SHAPES[NodeKind.PACK].fields, "challenges", "input_sets")


def examine(kind: NodeKind, document: Document) -> Iterator[Finding]:
    """The structure findings of one node; paths start at its document."""
    shape = SHAPES[kind]
    if shape.is_clean(document):
        return
    reserved = NODE_LISTS.get(kind, ())
    for path in reserved:
        yield from _misplaced(document, path)
    for finding in _walk(shape, document, ()):
        if finding.path not in reserved:
            yield finding


def _misplaced(document: Document, path: Path) -> Iterator[Finding]:
    value: Any = document
    for step in path:
        if not isinstance(value, dict) or step not in value:
            return
        value = value[step]
    found = f"it is {said(value)}"
    if isinstance(value, list):
        wrong = next((i for i, item in enumerate(value) if not isinstance(item, dict)), None)
        found = "they belong to nodes of their own" if wrong is None else f"entry {wrong + 1} is {said(value[wrong])}"
    yield NOT_NODES.at(path, name=path[-1], found=found)


def _walk(shape: Shape, value: Any, path: Path) -> Iterator[Finding]:
    if shape.is_clean(value) or value is None:
        return
    if not has_kind(shape, value):
        rule = WRONG_TYPE_IN_SPEC if shape.is_strict else WRONG_TYPE
        name = _name_of(path)
        yield rule.at(path, name=name, expected=shape.kind.strip(), found=said(value))
        return
    walk = _WALKS.get(shape.kind)
    if walk is not None:
        yield from walk(shape, value, path)


def _walk_block(shape: Shape, value: Document, path: Path) -> Iterator[Finding]:
    for name, part in value.items():
        known = shape.fields.get(name)
        if known is None:
            yield _unknown(shape, name, value, (*path, name))
        else:
            yield from _walk(known, part, (*path, name))


def _unknown(shape: Shape, name: str, value: Document, path: Path) -> Finding:
    if name.startswith("x-") and not shape.is_strict:
        return OWN_KEY.at(path, name=repr(name))
    known = TOP_KEYS if shape is SHAPES[NodeKind.PACK] else tuple(shape.fields)
    free = [key for key in known if key not in value]
    others = f"Known keys here: {', '.join(known)}."
    if name in TOP_KEYS:
        others = f"Move {name} to the top level of the file, beside pack and version."
    advice = did_you_mean(name, free, others)
    return (UNKNOWN_IN_SPEC if shape.is_strict else UNKNOWN_KEY).at(path, name=repr(name), advice=advice)


def _walk_list(shape: Shape, value: list[Any], path: Path) -> Iterator[Finding]:
    assert shape.item is not None
    for index, part in enumerate(value):
        here = (*path, index)
        if is_dropped(shape.item, part):
            yield BLANK_DROPPED.at(here)
        elif part is None and shape.is_strict:
            yield WRONG_TYPE_IN_SPEC.at(here, name=_name_of(here), expected=shape.item.kind.strip(), found=said(part))
        else:
            yield from _walk(shape.item, part, here)


def _walk_named(shape: Shape, value: Document, path: Path) -> Iterator[Finding]:
    assert shape.item is not None
    for name, part in value.items():
        yield from _walk(shape.item, part, (*path, name))


def _walk_union(shape: Shape, value: Any, path: Path) -> Iterator[Finding]:
    assert shape.item is not None
    if isinstance(value, dict):
        yield from _walk(shape.item, value, path)


def _walk_integer(shape: Shape, value: float, path: Path) -> Iterator[Finding]:
    if not shape.lowest <= value <= shape.highest:
        lowest, highest = int(shape.lowest), int(shape.highest)
        yield OUT_OF_RANGE.at(path, name=_name_of(path), value=value, lowest=lowest, highest=highest)


def _walk_text(shape: Shape, value: str, path: Path) -> Iterator[Finding]:
    if shape.is_uuid and not UUID.fullmatch(value):
        yield BAD_UUID.at(path, value=repr(value[:60]))


_WALKS: Mapping[str, Callable[[Shape, Any, Path], Iterator[Finding]]] = {
    BLOCK: _walk_block,
    LIST: _walk_list,
    NAMED: _walk_named,
    UNION: _walk_union,
    INTEGER: _walk_integer,
    TEXT: _walk_text,
}


def _name_of(path: Path) -> str:
    """The nearest name in a path: an entry of a list is called by its list."""
    names = [step for step in path if isinstance(step, str)]
    if not path or not names:
        return "this"
    return f"an entry of {names[-1]}" if isinstance(path[-1], int) else names[-1]


def said(value: Any) -> str:
    """What a message calls a value."""
    if isinstance(value, bool):
        return "true or false"
    kinds = {str: "text", int: "a number", float: "a number", list: "a list", dict: "a mapping"}
    return kinds.get(type(value), "nothing")
