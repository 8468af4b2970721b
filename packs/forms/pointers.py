"""Reading and changing documents at JSON Pointers (RFC 6901). Documents are never changed in place."""

from typing import Any

from packs.editing.pointers import replaced, value_at
from packs.editing.values import ABSENT
from packs.formats.findings import from_pointer, to_pointer


def read(document: Any, pointer: str) -> Any:
    """The value at a pointer; ABSENT where there is none."""
    return value_at(document, from_pointer(pointer))


def write(document: Any, pointer: str, value: Any) -> Any:
    """A document with another value at a pointer; ABSENT takes the value out.

    Objects that are missing on the way are made. Raises EditRefused when something on the way is neither an object nor
    a list that reaches so far.
    """
    if value is ABSENT and read(document, pointer) is ABSENT:
        return document
    place, rooted = rooted_at(document, pointer, value)
    return replaced(document, from_pointer(place), rooted)


def rooted_at(document: Any, pointer: str, value: Any) -> tuple[str, Any]:
    """Where and what to write so that `value` ends up at `pointer`, although objects on the way may be missing."""
    steps = from_pointer(pointer)
    for length in range(1, len(steps)):
        above, here = value_at(document, steps[: length - 1]), value_at(document, steps[:length])
        if here is ABSENT and isinstance(above, dict):
            for step in reversed(steps[length:]):
                value = {step: value}
            return to_pointer(steps[:length]), value
    return pointer, value


def parent(pointer: str) -> str:
    """The pointer of the object or list around a value."""
    return pointer.rpartition("/")[0]


def last_step(pointer: str) -> str:
    return from_pointer(pointer)[-1]


def is_at_or_below(pointer: str, root: str) -> bool:
    return pointer == root or pointer.startswith(f"{root}/")


def in_order_of(base: Any, value: Any) -> Any:
    """The value with its keys in the order of an earlier document: a form shows keys in the order of the schema.

    A key that is new stays behind the key that it follows in the form.
    """
    if value is base:
        return value
    if isinstance(base, list) and isinstance(value, list):
        ordered = [in_order_of(old, new) for old, new in zip(base, value, strict=False)]
        return ordered + value[len(ordered) :]
    if not isinstance(base, dict) or not isinstance(value, dict):
        return value
    keys = [key for key in base if key in value]
    before = None
    for key in value:
        if key not in base:
            keys.insert(keys.index(before) + 1 if before is not None else 0, key)
        before = key
    return {key: in_order_of(base.get(key), value[key]) for key in keys}
