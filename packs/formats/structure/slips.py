"""Keys that are almost those that a mapping knows.

Many mappings keep keys that nobody reads, and most of these are meant so. One that is almost a known key, which the
mapping lacks, is a slip.
"""

from collections.abc import Container, Iterator, Mapping
from typing import Any

from packs.formats.advice import slip_of
from packs.formats.findings import Path
from packs.formats.schema.pieces import LENIENT, UNKNOWN
from packs.formats.structure.model import ANYTHING, Schema, fields_of, types_of, variant_of, variants_of


def sealed(part: Any) -> Any:
    """A schema that refuses every key that no part knows. What is valid by it has no slips."""
    if isinstance(part, list):
        return [sealed(each) for each in part]
    if not isinstance(part, Mapping):
        return part
    found = {word: sealed(value) for word, value in part.items()}
    return {**found, "unevaluatedProperties": False} if is_open(part) else found


def is_open(part: Schema) -> bool:
    """Whether a mapping has known fields and keeps other keys, with no rule of its own about them."""
    is_mapping = "object" in types_of(part) and isinstance(part.get("properties"), Mapping)
    return is_mapping and not {"additionalProperties", UNKNOWN, LENIENT} & {*part}


def names_in(part: Any) -> Iterator[str]:
    """The fields that a schema knows anywhere."""
    if isinstance(part, Mapping):
        fields = part.get("properties")
        yield from fields if isinstance(fields, Mapping) else ()
    for each in part.values() if isinstance(part, Mapping) else part if isinstance(part, list) else ():
        yield from names_in(each)


def slips(part: Schema, value: Any, elsewhere: Container[str] = (), path: Path = ()) -> Iterator[tuple[Path, str]]:
    """The places of keys that are slips, each with the key that was meant. What is known `elsewhere` is none."""
    if variants := variants_of(part):
        part = {**part, **variants[variant_of(part, value)]}
    if isinstance(value, list):
        for index, item in enumerate(value):
            yield from slips(part.get("items", ANYTHING), item, elsewhere, (*path, index))
    elif isinstance(value, dict):
        fields, more = fields_of(part, value), part.get("additionalProperties")
        free = tuple(name for name in fields if name not in value) if is_open(part) else ()
        for key, inner in value.items():
            below = fields.get(key, more)
            if isinstance(below, Mapping):
                yield from slips(below, inner, elsewhere, (*path, key))
            elif key not in elsewhere and (meant := slip_of(key, free)):
                yield (*path, key), meant
