"""Schemas as others read them: what our own words say of absent values and of blanks, in the words of JSON Schema."""

import re
from collections.abc import Callable, Collection, Mapping
from typing import Any

from packs.formats.schema.kinds import FORM_WORDS
from packs.formats.schema.pieces import LENIENT, UNKNOWN, Schema
from packs.formats.structure.relaxing import relaxed

_Values = tuple[Any, ...]
_SYNTAX = re.compile(r"[\\^$.*+?()\[\]{}|/]")


def closed(part: Any) -> Any:
    """A schema that refuses the keys that nobody reads as well: a warning of them names `x-unknown`."""
    if isinstance(part, list):
        return [closed(each) for each in part]
    if not isinstance(part, dict):
        return part
    found = {word: closed(value) if isinstance(value, dict | list) else value for word, value in part.items()}
    if UNKNOWN not in part:
        return found
    stated = part.get("x-rules", {})
    rules = {**({"any": stated} if isinstance(stated, str) else stated), "additionalProperties": part[UNKNOWN]}
    return {**found, "additionalProperties": False, "x-rules": rules}


def published(schema: Schema, refused: Collection[str] | None = None) -> Schema:
    """The schema that takes what readers take: what `x-absent`, `x-null`, `x-trimmed` and `x-caseless` describe.

    What only forms read of the kinds that a list offers, and of fields that open others, is left out. Where `refused`
    names rules of `x-rules`, readers refuse nothing else: all other words become annotations.
    """
    found = schema if refused is None else relaxed(schema, refused)
    return _part(found, tuple(schema.get("x-absent", ())), (), ())


def _part(part: Schema, absent: _Values, required: Collection[str], values: _Values) -> Schema:
    """A part that takes `values` besides, and whose fields take `absent`; not those of `required` and its own."""
    if part.get(LENIENT):
        return relaxed({word: value for word, value in part.items() if word != "additionalProperties"}, ())
    required = {*required, *part.get("required", ())}
    found = {
        word: _BELOW[word](value, absent, required) if word in _BELOW else value
        for word, value in part.items()
        if word not in FORM_WORDS
    }
    if None in values:
        found |= {word: with_null(found[word]) for word, with_null in _WITH_NULL.items() if word in found}
    if "" in absent and "minLength" in found:
        found = {"pattern": r"\S", **found}
    return _choices(found, values) if "enum" in found else found


def _fields(fields: Mapping[str, Schema], absent: _Values, required: Collection[str]) -> dict[str, Schema]:
    return {
        name: _part(part, absent, (), () if name in required else _standing_for_none(part, absent))
        for name, part in fields.items()
    }


def _standing_for_none(part: Schema, absent: _Values) -> _Values:
    """Which values stand for the absence of a field; of null `x-null` says so for the field alone."""
    if "x-null" not in part:
        return absent
    others = tuple(value for value in absent if value is not None)
    return (*others, None) if part["x-null"] else others


def _values_of_map(part: Any, absent: _Values, _: Collection[str]) -> Any:
    return _part(part, absent, (), absent) if isinstance(part, dict) else part


def _variants(parts: list[Schema], absent: _Values, required: Collection[str]) -> list[Schema]:
    return [_part(part, absent, required, ()) for part in parts]


def _choices(part: Schema, values: _Values) -> Schema:
    """A closed list of values with the blanks and the letters that do not count."""
    options = [*part["enum"], *(value for value in values if value == "")]
    if not part.get("x-trimmed") and not part.get("x-caseless"):
        return {**part, "enum": options}
    spell = any_case if part.get("x-caseless") else _escaped
    blank = r"\s*" if part.get("x-trimmed") else ""
    found = "|".join(spell(option) for option in options if isinstance(option, str))
    read = {"type": "string", "pattern": f"^{blank}(?:{found}){blank}$"}
    named = {"x-rules": part["x-rules"]} if "x-rules" in part else {}
    branches = [{"enum": options, **named}, {**read, **named}]
    return {**{word: value for word, value in part.items() if word != "enum"}, "anyOf": branches}


def _escaped(option: str) -> str:
    return _SYNTAX.sub(r"\\\g<0>", option)


def any_case(option: str) -> str:
    """A pattern for a text whose capitals do not count; patterns of JSON Schema have no flags."""
    return "".join(f"[{one.upper()}{one.lower()}]" if one.isalpha() else _escaped(one) for one in option)


_BELOW: Mapping[str, Callable[[Any, _Values, Collection[str]], Any]] = {
    "properties": _fields,
    "additionalProperties": _values_of_map,
    "items": lambda part, absent, _: _part(part, absent, (), ()),
    "prefixItems": lambda parts, absent, _: _variants(parts, absent, ()),
    **dict.fromkeys(("oneOf", "anyOf", "allOf"), _variants),
    "if": lambda part, absent, _: _part(part, (), (), ()),
    **dict.fromkeys(("then", "else"), lambda part, absent, required: _part(part, absent, required, ())),
}
_WITH_NULL: Mapping[str, Callable[[Any], Any]] = {
    "type": lambda named: [*dict.fromkeys([*([named] if isinstance(named, str) else named), "null"])],
    "enum": lambda options: [*options, None],
    **dict.fromkeys(("oneOf", "anyOf"), lambda variants: [*variants, {"type": "null"}]),
}
