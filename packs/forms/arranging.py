"""The acts of a form's buttons on a value: add, duplicate, move and remove; retype and choose a variant.

A button is submitted as `do=<act>:<JSON Pointer>`, percent-encoded like the names of controls.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from packs.editing.values import ABSENT
from packs.formats.findings import index_of, to_pointer
from packs.formats.schema import kinds
from packs.formats.structure.model import ANYTHING, Schema, blank, schema_at, variant_of, variants_of
from packs.forms.conversions import Converted, Kind, convert, fit
from packs.forms.encoding import decode_pointer, encode_pointer
from packs.forms.pointers import last_step, parent, read, write


class Act(StrEnum):
    """What a button does with the value at its pointer."""

    ADD = "add"
    DUPLICATE = "duplicate"
    UP = "up"
    DOWN = "down"
    REMOVE = "remove"
    CREATE = "create"


@dataclass(frozen=True, slots=True)
class Press:
    """A pressed button."""

    act: Act
    pointer: str

    @property
    def text(self) -> str:
        return f"{self.act}:{encode_pointer(self.pointer)}"


@dataclass(frozen=True, slots=True)
class Arranged:
    """A document after an act, the pointer of the value that the user will want to see next, and those of other values
    that changed along."""

    document: Any
    focus: str
    along: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Refusal:
    """A conversion that would lose something and was not made: what to ask before it is.

    `name` is the control that carries the choice, where it is no select of types or variants.
    """

    pointer: str
    choice: str
    lost: str
    name: str = ""

    @property
    def at(self) -> str:
        return encode_pointer(self.pointer)


def read_press(text: str) -> Press | None:
    """The button that was pressed; None when the text names none."""
    act, colon, rest = text.partition(":")
    pointer = decode_pointer(rest)
    if not colon or act not in list(Act) or pointer is None:
        return None
    return Press(Act(act), pointer)


def arrange(schema: Schema, document: Any, press: Press, new_key: str = "") -> Arranged:
    """Do what a button says. A pointer that leads nowhere (any more) changes nothing.

    `new_key` is the name of a new entry, or the kind of a new item where its list offers kinds.
    """
    if press.act is Act.ADD:
        return _add(schema, document, press.pointer, new_key)
    around = read(document, parent(press.pointer)) if press.pointer else ABSENT
    if press.act is Act.REMOVE or not isinstance(around, list):
        return _remove(document, press)
    return _within_list(document, press, around)


def _add(schema: Schema, document: Any, pointer: str, new_key: str) -> Arranged:
    part, value = schema_at(schema, document, pointer), read(document, pointer)
    if isinstance(value, list) or (value is ABSENT and part.get("type") == "array"):
        present = value if isinstance(value, list) else []
        of = part.get("items", ANYTHING)
        item = kinds.begun(of, new_key, present) if new_key in kinds.offered(of).get("kinds", {}) else blank(of)
        below = to_pointer((kinds.first_need(of, item),)) if new_key and isinstance(item, dict) else ""
        around, focus = parent(pointer), f"{pointer}/{len(present)}{below}"
        changed = kinds.joined(of, read(document, around), item) if isinstance(item, dict) and new_key else {}
        along = {around + to_pointer(way): other for way, other in changed.items()}
        document = write(document, pointer, [*present, item])
        for at, other in along.items():
            document = write(document, at, other)
        return Arranged(document, focus, (*along,))
    if isinstance(value, dict) or (value is ABSENT and "properties" not in part and part.get("type") == "object"):
        return _add_entry(part, document, pointer, new_key)
    if value is ABSENT:
        return Arranged(write(document, pointer, blank(part)), pointer)
    return Arranged(document, pointer)


def _add_entry(part: Schema, document: Any, pointer: str, new_key: str) -> Arranged:
    found = read(document, pointer)
    present = {} if found is ABSENT else found
    key = new_key or "key"
    number = 2
    while key in present:
        key, number = f"{new_key or 'key'}_{number}", number + 1
    more = part.get("additionalProperties")
    value = blank(more if isinstance(more, dict) else ANYTHING)
    return Arranged(write(document, pointer, {**present, key: value}), pointer + to_pointer((key,)))


def _remove(document: Any, press: Press) -> Arranged:
    if press.act is not Act.REMOVE or not press.pointer or read(document, press.pointer) is ABSENT:
        return Arranged(document, press.pointer)
    return Arranged(write(document, press.pointer, ABSENT), parent(press.pointer))


def _within_list(document: Any, press: Press, around: list[Any]) -> Arranged:
    if read(document, press.pointer) is ABSENT:
        return Arranged(document, press.pointer)
    home, index, items = parent(press.pointer), int(last_step(press.pointer)), list(around)
    if press.act is Act.DUPLICATE:
        target = index + 1
        items.insert(target, items[index])
    else:
        target = max(0, min(len(items) - 1, index + (1 if press.act is Act.DOWN else -1)))
        items.insert(target, items.pop(index))
    return Arranged(write(document, home, items), f"{home}/{target}")


def settle(
    schema: Schema, document: Any, kinds: dict[str, str], variants: dict[str, int], confirmed: str = ""
) -> tuple[Any, list[Refusal]]:
    """Act on the types and variants that were chosen in selects.

    A conversion that would lose something is made only at the `confirmed` pointer; the others are refused.
    """
    refusals = []
    wanted = list(kinds.items()) + [(pointer, str(index)) for pointer, index in variants.items()]
    for pointer, choice in sorted(wanted, key=lambda pair: -len(pair[0])):
        value = read(document, pointer)
        found = _converted(schema_at(schema, document, pointer), value, choice)
        if found.lost and pointer != confirmed:
            refusals.append(Refusal(pointer, choice, found.lost))
        elif found.value is not value:
            document = write(document, pointer, found.value)
    return document, refusals


def _converted(part: Schema, value: Any, choice: str) -> Converted:
    """The value as the chosen type (a word) or the chosen variant (an index)."""
    index = index_of(choice)
    if index is None:
        if choice not in list(Kind) or (value is ABSENT and choice in (Kind.TEXT, Kind.JSON)):
            return Converted(value)
        return convert("" if value is ABSENT else value, Kind(choice))
    variants = variants_of(part)
    if value is ABSENT or index >= len(variants) or index == variant_of(part, value):
        return Converted(value)
    return fit(value, variants[index])
