"""Who may see what a field of a document holds, as the formats' schemas state it once with the word `x-audience`.

`agent` means that agents may see the value: in a prompt, as data, in a file or a variable. `studio` means that only
people and graders do. `unasked` is for what agents are told only where nothing else asks them for anything.

A field states it for itself and for all that is in it; but what has fields of its own and may be seen leaves it to
them, so that a new one has to say it too. A mapping of free content with parts that agents do not see maps the paths of
these to their audience, and its own by the empty path.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from packs.formats.schema.pieces import AGENT, FORMLESS

# Steps of paths for the entries of a list and of a mapping whose names authors choose.
ENTRY, NAMED = "[]", "*"
_ALTERNATIVES = ("oneOf", "anyOf", "allOf")
# Words that make a schema the statement of a field; one with none of them only asks more of a field stated elsewhere.
_STATING = {"type", "title", "enum", "const", "x-audience"}


@dataclass(frozen=True, slots=True)
class Field:
    """A place in a document at which the schema knows no parts: a value, or content of any shape.

    `path` are its names from the document's root, `schema` what is said of it, `audience` who may see it, empty where
    nobody says. `trail` are the schemas that were passed on the way, its own last.
    """

    path: tuple[str, ...]
    audience: str
    schema: dict[str, Any]
    trail: tuple[dict[str, Any], ...] = field(default=(), repr=False, compare=False)


def name_of(path: tuple[str, ...]) -> str:
    """A path as people write it: `cases[].key`."""
    return ".".join(path).replace(f".{ENTRY}", ENTRY)


def fields_of(schema: dict[str, Any]) -> Iterator[Field]:
    """All fields of a node's document, in the order of the schema. One of several shapes comes once for each."""
    return _walk(schema, (), "", ())


def _walk(
    schema: dict[str, Any], path: tuple[str, ...], inherited: str, above: tuple[dict[str, Any], ...]
) -> Iterator[Field]:
    stated, trail = schema.get("x-audience", inherited), (*above, schema)
    if isinstance(stated, dict):
        yield from (Field((*path, *filter(None, part.split("/"))), who, {}, trail) for part, who in stated.items())
        return
    parts = schema.get("properties", {})
    shapes = [shape for word in _ALTERNATIVES for shape in schema.get(word, ()) if _has_fields(shape, parts)]
    for shape in shapes:
        yield from _walk(shape.get("then", shape), path, stated, (*trail, shape) if "then" in shape else trail)
    for name, part in parts.items():
        # What may be seen as a whole says nothing yet of the fields that it knows.
        yield from _walk(part, (*path, name), "" if stated == AGENT else stated, trail)
    if isinstance(schema.get("items"), dict):
        yield from _walk(schema["items"], (*path, ENTRY), stated, trail)
    elif isinstance(schema.get("additionalProperties"), dict):
        yield from _walk(schema["additionalProperties"], (*path, NAMED), stated, trail)
    elif not parts and not shapes:
        yield Field(path, stated, schema, trail)


def _has_fields(shape: dict[str, Any], known: dict[str, Any]) -> bool:
    """Whether an alternative states fields, of an object whose other fields are known; conditions of checks do not."""
    if FORMLESS in shape:
        return False
    then = shape.get("then", shape)
    parts = then.get("properties", {}).items()
    return (
        (not known and bool(_STATING & then.keys()))
        or any(word in then for word in (*_ALTERNATIVES, "items", "additionalProperties"))
        or any(name not in known or _STATING & part.keys() for name, part in parts)
    )
