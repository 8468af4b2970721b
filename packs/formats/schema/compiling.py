"""JSON Schema: compiled once, then asked for violations as values. Drafts 2020-12 and 7; nothing is ever fetched."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any

import orjson

from packs.formats.findings import Path
from packs.formats.later import Later

if TYPE_CHECKING:
    import jsonschema_rs

    from packs.formats.schema import bounds
else:
    bounds = Later("packs.formats.schema.bounds")
    jsonschema_rs = Later("jsonschema_rs")

MAX_SCHEMA_BYTES = 1_000_000
MAX_VIOLATIONS = 100

# The validator of a draft by what `$schema` may say; without it a schema is of the newest.
DRAFTS = {
    "https://json-schema.org/draft/2020-12/schema": "Draft202012Validator",
    "http://json-schema.org/draft-07/schema": "Draft7Validator",
    "https://json-schema.org/draft-07/schema": "Draft7Validator",
}
_NEWEST = "https://json-schema.org/draft/2020-12/schema"
_SHOWN = 300
_NUMBER = re.compile(r"\+?[0-9]+", re.ASCII)


@dataclass(frozen=True, slots=True)
class SchemaTrouble:
    """Why a schema cannot be used."""

    message: str


@dataclass(frozen=True, slots=True)
class Violation:
    """One way in which a value breaks a schema.

    `path` leads to the value, `keyword` is what it breaks (`type`, `enum`, `required` ...), `expected` what the keyword
    asks for: allowed values, types, the missing or unexpected keys, a limit. `branches` holds for `oneOf` and `anyOf`
    how the value breaks each of them. `place` leads to the keyword in the schema.
    """

    path: Path
    keyword: str
    expected: Any
    message: str
    branches: "tuple[tuple[Violation, ...], ...]" = ()
    place: Path = ()


@dataclass(frozen=True, slots=True)
class SchemaCheck:
    """A compiled schema. Whole floats such as 3.0 count as integers."""

    validator: Any

    def is_valid(self, value: Any) -> bool:
        """Whether a JSON value keeps to the schema."""
        return bool(self.validator.is_valid(value))

    def first_violation(self, value: Any) -> Violation | None:
        """The first way in which a JSON value breaks the schema; quick also where a large value is wrong all over."""
        try:
            self.validator.validate(value)
        except jsonschema_rs.ValidationError as error:
            return _violation(error, value)
        return None

    def violations(self, value: Any, most: int | None = MAX_VIOLATIONS) -> Iterator[Violation]:
        """How a JSON value breaks the schema, at most `most` times; nothing when it keeps to it."""
        return (_violation(error, value) for error in islice(self.validator.iter_errors(value), most))


def _violation(error: Any, value: Any) -> Violation:
    path, keyword, place = _path(error, value), error.kind.name, tuple(error.schema_path)
    if keyword in ("anyOf", "oneOf"):
        branches = tuple(tuple(_violation(each, value) for each in branch) for branch in error.kind.context)
        return Violation(path, keyword, None, error.message[:_SHOWN], branches, place)
    return Violation(path, keyword, error.kind.value, error.message[:_SHOWN], place=place)


def _path(error: Any, value: Any) -> Path:
    """Where an error stands in a value, by the value's own keys.

    The validator leaves out empty keys, and gives the number 1 for the keys "1", "01" and "+1"; of equal values whose
    places it does not tell apart the first is meant.
    """
    steps: Path = tuple(error.instance_path)
    if _is_plain(value, steps):
        return steps
    places = _places(value, steps)
    first, found = next(places)
    if found == error.instance:
        return first
    return next((path for path, there in places if there == error.instance), first)


def _is_plain(value: Any, steps: Path) -> bool:
    """Whether steps of the validator can mean one place only."""
    for step in steps:
        if isinstance(value, dict) and ("" in value or isinstance(step, int)):
            return False
        value = value[step]
    return not (isinstance(value, dict) and "" in value)


def _places(value: Any, steps: Path) -> Iterator[tuple[Path, Any]]:
    """The places in a value that steps of the validator can mean, with what stands there."""
    if not steps:
        yield (), value
    for key, rest in _next_steps(value, steps):
        for path, found in _places(value[key], rest):
            yield (key, *path), found


def _next_steps(value: Any, steps: Path) -> Iterator[tuple[str | int, Path]]:
    """The keys that can come next, each with the steps that it leaves."""
    if isinstance(value, dict):
        for step in steps[:1]:
            yield from ((key, steps[1:]) for key in _keys(value, step))
        if "" in value:
            yield "", steps
    elif isinstance(value, list):
        yield from ((step, steps[1:]) for step in steps[:1] if isinstance(step, int) and step < len(value))


def _keys(mapping: dict[str, Any], step: str | int) -> Iterable[str]:
    """The keys that a step can mean."""
    if isinstance(step, str):
        return [step] if step in mapping else []
    number = str(step)
    names = (name for name in (number, *mapping) if name in mapping and _NUMBER.fullmatch(name))
    return (name for name in names if (name.lstrip("+0") or "0") == number)


def compile_schema(schema: Any, *, is_own: bool = False) -> SchemaCheck | SchemaTrouble:
    """A schema ready for use, or the reason why it cannot be used. Never raises on any JSON value.

    Refused are other drafts, references to other documents, patterns with look-around (the engine takes linear time
    only), and schemas whose work multiplies with each step; one of our own is not asked for its size and its work.
    """
    if not isinstance(schema, dict | bool):
        return SchemaTrouble("a JSON Schema is a mapping")
    named = schema.get("$schema", _NEWEST) if isinstance(schema, dict) else _NEWEST
    draft = DRAFTS.get(named.removesuffix("#")) if isinstance(named, str) else None
    if draft is None:
        return SchemaTrouble(f"the draft {str(named)[:_SHOWN]!r} is not supported; use 2020-12 or draft-07")
    trouble = None if is_own else _size_trouble(schema)
    if trouble:
        return trouble
    try:
        validator = getattr(jsonschema_rs, draft)
        return SchemaCheck(validator(schema, offline=True, pattern_options=jsonschema_rs.RegexOptions()))
    except (jsonschema_rs.ValidationError, jsonschema_rs.ReferencingError, ValueError) as error:
        return SchemaTrouble(str(getattr(error, "message", error)).partition("\n")[0][:_SHOWN])


def _size_trouble(schema: Any) -> SchemaTrouble | None:
    try:
        size = len(orjson.dumps(schema))
    except (TypeError, RecursionError) as error:
        return SchemaTrouble(f"the schema is not JSON: {error}")
    if size > MAX_SCHEMA_BYTES:
        return SchemaTrouble(f"the schema has {size} bytes; at most {MAX_SCHEMA_BYTES} are taken")
    if not bounds.is_bounded(schema):
        return SchemaTrouble("its parts refer to each other so often that checking a value might never end")
    return None
