"""Another value of a field on which the schema of others depends: what fits stays, what has no place is asked about."""

from collections.abc import Iterator
from typing import Any

from packs.editing.values import ABSENT
from packs.formats.document import Document
from packs.formats.findings import to_pointer
from packs.formats.structure.model import Schema, fields_of, governors
from packs.forms.arranging import Refusal
from packs.forms.encoding import TEXT, control_name
from packs.forms.pointers import read, write


def switch(schema: Schema, before: Document, after: Any, confirmed: str = "") -> tuple[Any, list[Refusal]]:
    """The document after a form was read; `before` is what it was.

    Where a governing field changed and values would have no place any more, the field stays what it was and a refusal
    names them; at the `confirmed` pointer it changes and they go.
    """
    if not isinstance(after, dict):
        return after, []
    changed = [name for name in sorted(governors(schema)) if before.get(name) != after.get(name)]
    if len(changed) != 1:
        return after, []
    lost = list(stranded(schema, before, after))
    pointer = to_pointer((changed[0],))
    if not lost:
        return after, []
    if pointer == confirmed:
        for place in lost:
            after = write(after, place, ABSENT)
        return after, []
    wanted = after.get(changed[0])
    choice = wanted if isinstance(wanted, str) else ""
    names = ", ".join(place.removeprefix("/").replace("/", ".") for place in lost)
    kept = write(after, pointer, read(before, pointer))
    return kept, [Refusal(pointer, choice, names, control_name(TEXT, pointer, optional=True))]


def stranded(schema: Schema, before: Document, after: Document) -> Iterator[str]:
    """The values that the schema knew and, under the new governing value, refuses."""
    old, new = fields_of(schema, before), fields_of(schema, after)
    for name, part in new.items():
        value = after.get(name)
        if part.get("additionalProperties") is not False or not isinstance(value, dict):
            continue
        known = part.get("properties", {})
        for key in value:
            if key not in known and key in old.get(name, {}).get("properties", {}):
                yield to_pointer((name, key))
