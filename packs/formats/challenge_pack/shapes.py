"""Shapes: the schemas compiled for speed, for the walks that read and write documents.

A document is *tidy* when every known value has its type and no optional value stands for "absent". `is_clean` says in
a few microseconds that a value is tidy, well typed and free of unknown keys, so that the slow walks run only where
there is something to fix or to report.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from packs.formats.challenge_pack.schema import SCHEMA
from packs.formats.document import NodeKind
from packs.formats.schema.pieces import Schema

Clean = Callable[[Any], bool]

# The kinds of shape; the values are what messages call them.
TEXT, FLAG, INTEGER, NUMBER = "text", "yes or no (true or false)", "a whole number", "a number"
BLOCK, FREE, NAMED, LIST = "a mapping", "a mapping ", "a mapping of names", "a list"
ANY, UNION = "any value", "text or a mapping"

INT64 = 2**63
# yaml.v3 gives a bare date as an instant; a text field gets the date back as it was written.
INSTANT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[-+]\d\d:\d\d)")


@dataclass(slots=True, eq=False)
class Shape:
    """One compiled schema. `stays` is true where a zero value is not the same as an absent one."""

    kind: str
    stays: bool = False
    is_strict: bool = False
    fields: dict[str, "Shape"] = field(default_factory=dict)
    item: "Shape | None" = None
    is_clean: Clean = lambda value: False


def is_zero(shape: Shape, value: Any) -> bool:
    """Whether a value says no more than its absence (challenge-pack i)."""
    if value is None:
        return True
    if shape.stays or value:
        return False
    return has_kind(shape, value) and shape.kind != ANY


def has_kind(shape: Shape, value: Any) -> bool:
    """Whether a value has the type of its shape; what is inside it is not looked at."""
    return _TYPE_TESTS[shape.kind](value)


def _is_whole(value: Any) -> bool:
    return type(value) is int or (type(value) is float and value.is_integer())


_TYPE_TESTS: dict[str, Callable[[Any], bool]] = {
    TEXT: lambda value: type(value) is str,
    FLAG: lambda value: type(value) is bool,
    INTEGER: _is_whole,
    NUMBER: lambda value: type(value) in (int, float),
    BLOCK: lambda value: type(value) is dict,
    FREE: lambda value: type(value) is dict,
    NAMED: lambda value: type(value) is dict,
    LIST: lambda value: type(value) is list,
    ANY: lambda value: True,
    UNION: lambda value: type(value) in (str, dict),
}


def compile_shape(schema: Schema, *, required: bool = False, is_strict: bool = False) -> Shape:
    """Compile a schema made of the words of `schema.pieces`."""
    kind = _kind_of(schema)
    stays = bool(schema.get("x-keep")) or (required and kind not in (BLOCK, FREE, NAMED, LIST))
    shape = Shape(kind, stays, is_strict or _refuses_unknown(schema))
    if shape.kind == BLOCK:
        needed = schema.get("required", ())
        shape.fields = {
            name: compile_shape(part, required=name in needed, is_strict=shape.is_strict)
            for name, part in schema["properties"].items()
        }
    elif shape.kind in (LIST, NAMED):
        part = schema["items"] if shape.kind == LIST else schema["additionalProperties"]
        shape.item = compile_shape(part, required=True, is_strict=shape.is_strict)
    elif shape.kind == UNION:
        shape.item = compile_shape(schema["oneOf"][1], required=True, is_strict=shape.is_strict)
    shape.is_clean = _clean_test(shape)
    return shape


def _refuses_unknown(schema: Schema) -> bool:
    return schema.get("additionalProperties") is False


def _kind_of(schema: Schema) -> str:
    if "oneOf" in schema:
        return UNION
    kind = schema.get("type")
    if kind == "object":
        if "properties" in schema:
            return BLOCK
        return NAMED if "additionalProperties" in schema else FREE
    kinds = {"string": TEXT, "boolean": FLAG, "integer": INTEGER, "number": NUMBER, "array": LIST}
    return kinds.get(str(kind), ANY)


def _clean_test(shape: Shape) -> Clean:
    test = _CLEAN_TESTS[shape.kind](shape)
    if shape.stays or shape.kind == ANY:
        return test
    return lambda value: bool(value) and test(value)


def _clean_text(shape: Shape) -> Clean:
    if shape.is_strict:
        return lambda value: type(value) is str
    # What could be an instant is looked at more closely by the slow walk.
    return lambda value: type(value) is str and value[-1:] != "Z" and value[-3:-2] != ":"


def _clean_block(shape: Shape) -> Clean:
    tests = {name: part.is_clean for name, part in shape.fields.items()}

    def is_clean(value: Any) -> bool:
        if type(value) is not dict:
            return False
        for name, part in value.items():
            test = tests.get(name)
            if test is None or not test(part):
                return False
        return True

    return is_clean


def _clean_list(shape: Shape) -> Clean:
    assert shape.item is not None
    test = shape.item.is_clean

    def is_clean(value: Any) -> bool:
        if type(value) is not list:
            return False
        for part in value:  # noqa: SIM110 - all() over a generator costs twice the time here
            if not test(part):
                return False
        return True

    return is_clean


def _clean_named(shape: Shape) -> Clean:
    assert shape.item is not None
    test = shape.item.is_clean
    return lambda value: type(value) is dict and all(map(test, value.values()))


def _clean_union(shape: Shape) -> Clean:
    assert shape.item is not None
    test = shape.item.is_clean
    return lambda value: type(value) is str or test(value)


_CLEAN_TESTS: Mapping[str, Callable[[Shape], Clean]] = {
    TEXT: _clean_text,
    FLAG: lambda shape: _TYPE_TESTS[FLAG],
    INTEGER: lambda shape: lambda value: type(value) is int,
    NUMBER: lambda shape: _TYPE_TESTS[NUMBER],
    BLOCK: _clean_block,
    FREE: lambda shape: _TYPE_TESTS[FREE],
    NAMED: _clean_named,
    LIST: _clean_list,
    ANY: lambda shape: lambda value: value is not None,
    UNION: _clean_union,
}

SHAPES: Mapping[NodeKind, Shape] = {kind: compile_shape(schema, required=True) for kind, schema in SCHEMA.items()}


def ordered(shape: Shape, value: Any) -> Any:
    """A value with its known keys in canonical order and the unknown ones after them, in their own order."""
    if shape.kind == BLOCK and type(value) is dict:
        known = {name: ordered(part, value[name]) for name, part in shape.fields.items() if name in value}
        if len(known) == len(value):
            return known
        return {**known, **{name: part for name, part in value.items() if name not in known}}
    if shape.item is not None and type(value) is list:
        return [ordered(shape.item, part) for part in value]
    if shape.kind == NAMED and shape.item is not None and type(value) is dict:
        return {name: ordered(shape.item, part) for name, part in value.items()}
    if shape.kind == UNION and shape.item is not None:
        return ordered(shape.item, value)
    return value
