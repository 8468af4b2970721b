"""The kinds of check that a list or a field offers, each in terms of what it is for: the schema word `x-kinds`.

It stands on the object that chooses, and only forms read it. `by` names the field that says the kind; `kinds` maps each
kind to its words, `fields` to the fields that no other kinds have, `needs` to those that it cannot do without, and
`start` to what a new object has besides.

The word `x-opens` says the same of any object whose optional fields matter for some values of another field: it maps
the name of that field, and then its value, to the fields that forms show at once.
"""

from collections.abc import Iterable, Iterator, Mapping
from enum import StrEnum
from typing import Any

from packs.formats.schema.pieces import Schema

WORD, OPENS = "x-kinds", "x-opens"
FORM_WORDS = frozenset({WORD, OPENS, "x-form"})


class Purpose(StrEnum):
    """What a check is for, as an author would begin to say it."""

    TEXT = "The text says …"
    JSON = "The JSON has …"
    NUMBER = "A number is near …"
    COMMAND = "A command succeeds"
    FILE = "A file is there"
    TOOL = "A tool was called"
    MEASURE = "It takes no more than …"
    JUDGE = "A judge finds …"
    PERSON = "A person decides"
    MOCK = "It answers by itself"
    SERVICE = "It calls a service"
    WORK = "It works with files and data"
    SEVERAL = "Several together"


def kind(
    label: str,
    purpose: Purpose,
    says: str,
    example: str,
    fields: Iterable[str] = (),
    needs: Iterable[str] = (),
    start: Any = None,
) -> Schema:
    """One kind: its name, a sentence, an example; `needs` count among its `fields`."""
    needed = [*needs]
    return {
        "label": label,
        "purpose": purpose,
        "says": says,
        "example": example,
        "fields": [*fields, *needed],
        "needs": needed,
        "start": {} if start is None else start,
    }


def offering(
    schema: Schema, by: str, kinds: Mapping[str, Schema], noun: str = "check", joins: Mapping[str, Any] | None = None
) -> Schema:
    """The schema of an object whose field `by` says of which kind it is; empty where kinds only say how it begins.

    `noun` is what a gallery calls such an object, `joins` what a new one needs around its list (`joining`).
    """
    return {**schema, WORD: {"by": by, "kinds": dict(kinds), "noun": noun, **({"joins": joins} if joins else {})}}


def joining(
    values: Mapping[str, tuple[str, str]], way: Iterable[str], by: str, start: Mapping[str, Any]
) -> Mapping[str, Any]:
    """What a new object needs in the object around its list, so that it counts there.

    `values` maps fields to a value that excludes it and what that becomes. The list at `way` gets an item with `start`
    that names the new object in its field `by`.
    """
    return {"values": {name: [*pair] for name, pair in values.items()}, "list": [*way], "by": by, "start": dict(start)}


def joined(schema: Mapping[str, Any], around: Any, new: Mapping[str, Any]) -> dict[tuple[str, ...], Any]:
    """The values around a list that change because of a new object in it, by their way."""
    word = offered(schema).get("joins")
    if word is None or not isinstance(around, dict):
        return {}
    changed: dict[tuple[str, ...], Any] = {
        (name,): after for name, (before, after) in word["values"].items() if around.get(name) == before
    }
    present: Any = around
    for step in word["list"]:
        present = present.get(step) if isinstance(present, dict) else None
    if isinstance(present, list):
        item = {"key": _free(new["key"], present), **word["start"], word["by"]: new["key"]}
        changed[(*word["list"],)] = [*present, item]
    return changed


def opening(schema: Schema, **by: Mapping[str, Iterable[str]]) -> Schema:
    """The schema of an object in which values of the fields `by` open further fields."""
    return {**schema, OPENS: {name: {value: [*opened] for value, opened in each.items()} for name, each in by.items()}}


def opened(schema: Mapping[str, Any], value: Mapping[str, Any]) -> list[str]:
    """The optional fields that an object shows at once: those that its kind needs, and those that its values open."""
    found = [*kind_of(schema, value).get("needs", ())]
    for name, each in schema.get(OPENS, {}).items():
        stated, known = value.get(name), {_folded(key): fields for key, fields in each.items()}
        found += known.get(_folded(stated.strip()), ()) if isinstance(stated, str) else ()
    return found


def deciding(schema: Mapping[str, Any]) -> frozenset[str]:
    """The fields on whose values it depends which others are shown."""
    return frozenset(schema.get(OPENS, ())) | ({offered(schema)["by"]} if offered(schema) else frozenset()) - {""}


def offered(schema: Mapping[str, Any]) -> Mapping[str, Any]:
    """What a schema says of kinds, itself or in one of its variants; empty where it says nothing."""
    parts = (schema, *schema.get("oneOf", ()))
    return next((part[WORD] for part in parts if WORD in part), {})


def kind_of(schema: Mapping[str, Any], value: Any) -> Mapping[str, Any]:
    """The kind of an object; empty for one that says none or an unknown one. Either spelling with - and _ counts."""
    word = offered(schema)
    if word and not isinstance(value, dict):
        return next((found for found in word["kinds"].values() if type(found["start"]) is type(value)), {})
    stated = value.get(word["by"]) if word else None
    if not isinstance(stated, str):
        return {}
    known = {_folded(name): found for name, found in word["kinds"].items()}
    found: Mapping[str, Any] = known.get(_folded(stated.strip()), {})
    return found


def foreign(schema: Mapping[str, Any], value: Mapping[str, Any]) -> frozenset[str]:
    """The fields that only other kinds have, and that the object does not have."""
    kinds = offered(schema).get("kinds", {}).values()
    owned = frozenset(name for found in kinds for name in found["fields"])
    return owned - {*kind_of(schema, value).get("fields", ()), *schema.get("required", ())} - value.keys()


def begun(schema: Mapping[str, Any], name: str, present: Iterable[Any]) -> Any:
    """A new object of a kind for a list that holds `present`; its key, where it needs one, is free in the list.

    Raises KeyError for an unknown kind.
    """
    word = offered(schema)
    start = word["kinds"][name]["start"]
    if not isinstance(start, dict):
        return start
    stated = {**({word["by"]: name} if word["by"] else {}), **start}
    if "key" in schema.get("required", ()):
        stated = {"key": _free(name, present), **stated}
    return {key: value for key, value in stated.items() if value is not None}


def first_need(schema: Mapping[str, Any], value: Any) -> str:
    """The first field that an object's kind needs and that it does not have; else the one that says the kind."""
    if not isinstance(value, dict):
        return ""
    part = next((part for part in (schema, *schema.get("oneOf", ())) if WORD in part), schema)
    wanted = (*opened(part, value), *(() if offered(part).get("by") else part.get("required", ())))
    missing = (name for name in wanted if not value.get(name))
    return str(next(missing, offered(schema).get("by", "")))


def _free(name: str, present: Iterable[Any]) -> str:
    taken = [item.get("key") if isinstance(item, dict) else item for item in present]
    return next(key for key in _numbered(name) if key not in taken)


def _numbered(name: str) -> Iterator[str]:
    yield name
    number = 2
    while True:
        yield f"{name}_{number}"
        number += 1


def _folded(name: str) -> str:
    return name.replace("_", "-")
