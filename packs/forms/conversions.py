"""Turning a value into another type or another variant of a union: what fits is kept, what would be lost is said."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from packs.formats.structure.model import Schema, matches, required_text
from packs.forms.encoding import json_text, read_number

WORDS = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False, "": False}


class Kind(StrEnum):
    """The types of a free value, and `json`: the value as it is, shown as JSON text."""

    TEXT = "text"
    NUMBER = "number"
    BOOLEAN = "boolean"
    NULL = "null"
    LIST = "list"
    OBJECT = "object"
    JSON = "json"


@dataclass(frozen=True, slots=True)
class Converted:
    """The value after a conversion, and what of the old value it no longer holds (empty: nothing is lost)."""

    value: Any
    lost: str = ""


def kind_of(value: Any) -> Kind:
    if value is None:
        return Kind.NULL
    if isinstance(value, bool):
        return Kind.BOOLEAN
    if isinstance(value, int | float):
        return Kind.NUMBER
    if isinstance(value, str):
        return Kind.TEXT
    return Kind.OBJECT if isinstance(value, dict) else Kind.LIST


def convert(value: Any, kind: Kind) -> Converted:
    """Turn a value into another type."""
    if kind is Kind.JSON or kind is kind_of(value):
        return Converted(value)
    return _CONVERSIONS[kind](value)


def _to_text(value: Any) -> Converted:
    return Converted("" if value is None else json_text(value))


def _to_number(value: Any) -> Converted:
    if value is None or value == "":
        return Converted(0)
    if isinstance(value, bool):
        return Converted(int(value))
    found = read_number(value) if isinstance(value, str) else value
    return Converted(found) if kind_of(found) is Kind.NUMBER else Converted(0, _shown(value))


def _to_boolean(value: Any) -> Converted:
    if value is None:
        return Converted(False)
    word = value.strip().lower() if isinstance(value, str) else json_text(value)
    return Converted(WORDS[word]) if word in WORDS else Converted(False, _shown(value))


def _to_null(value: Any) -> Converted:
    return Converted(None, "" if value in ("", [], {}) else _shown(value))


def _to_list(value: Any) -> Converted:
    if isinstance(value, dict):
        return Converted(list(value.values()), ", ".join(value))
    return Converted([] if value in (None, "") else [value])


def _to_object(value: Any) -> Converted:
    if isinstance(value, list):
        return Converted({str(index): item for index, item in enumerate(value)})
    return Converted({} if value in (None, "") else {"value": value})


_CONVERSIONS = {
    Kind.TEXT: _to_text,
    Kind.NUMBER: _to_number,
    Kind.BOOLEAN: _to_boolean,
    Kind.NULL: _to_null,
    Kind.LIST: _to_list,
    Kind.OBJECT: _to_object,
}


def fit(value: Any, schema: Schema) -> Converted:
    """Turn a value into one that has the shape of a union's variant.

    A text becomes the first required text of an object and the other way round; an object stays as it is, since
    unknown keys are kept and shown.
    """
    if matches(schema, value):
        return Converted(value)
    if schema.get("type") == "object":
        return _to_variant_object(value, schema)
    if isinstance(value, dict):
        return _out_of_object(value, schema)
    kind = Kind.LIST if schema.get("type") == "array" else Kind.TEXT
    return convert(value, kind)


def _to_variant_object(value: Any, schema: Schema) -> Converted:
    name = required_text(schema)
    if isinstance(value, str) and name:
        return Converted({name: value} if value else {})
    return convert(value, Kind.OBJECT)


def _out_of_object(value: dict[str, Any], schema: Schema) -> Converted:
    allowed = schema.get("enum")
    fitting = (key for key, item in value.items() if matches(schema, item) and (not allowed or item in allowed))
    kept = next(fitting, None)
    if kept is None:
        return Converted(allowed[0] if allowed else "", _shown(value))
    rest = {key: item for key, item in value.items() if key != kept}
    return Converted(value[kept], _shown(rest) if rest else "")


def _shown(value: Any) -> str:
    text = value if isinstance(value, str) else json_text(value, indent=None)
    return text if len(text) <= 200 else f"{text[:200]}…"
