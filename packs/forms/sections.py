"""Cutting a long document into sections that are edited one at a time."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from packs.formats.findings import to_pointer
from packs.formats.structure.model import Schema, types_of
from packs.forms.pointers import is_at_or_below

# An object with more fields than this, counted all the way down, gives its larger parts to sections of their own.
MAX_LEAVES = 30


@dataclass(frozen=True, slots=True)
class Section:
    """A part of a document: the value at `pointer` without the values at `without`.

    `about` says what it is for. A group has no fields of its own: sections that follow it edit all of them.
    """

    key: str
    title: str
    pointer: str = ""
    without: frozenset[str] = frozenset()
    depth: int = 0
    about: str = ""
    is_group: bool = False

    def holds(self, pointer: str) -> bool:
        """Whether this section edits the value at a pointer."""
        is_inside = is_at_or_below(pointer, self.pointer)
        return is_inside and not any(is_at_or_below(pointer, left) for left in self.without)


def whole(schema: Schema) -> Section:
    """One section with everything."""
    return Section("all", schema.get("title", ""))


def sections_of(schema: Schema) -> tuple[Section, ...]:
    """The sections of a document in the order of its schema; what lies in none of them is edited in the last one."""
    if count_leaves(schema) <= MAX_LEAVES:
        return (whole(schema),)
    found = [section for section in _cut(schema, "", 0) if section.pointer]
    rest = Section("other", "Other settings", "", frozenset(section.pointer for section in found if section.depth == 0))
    return (*found, rest)


def section_for(sections: tuple[Section, ...], pointer: str) -> Section:
    """The section that edits the value at a pointer."""
    return next((section for section in sections if section.holds(pointer)), sections[-1])


def first_section(sections: tuple[Section, ...]) -> Section:
    """Where editing begins: the first section that has fields."""
    return next((section for section in sections if not section.is_group), sections[-1])


def parts_of(group: Section, sections: tuple[Section, ...]) -> list[Section]:
    """The sections that edit the fields of a group; none for a section that is no group."""
    return [section for section in sections if group.is_group and section.pointer in group.without]


def _cut(schema: Schema, pointer: str, depth: int) -> Iterator[Section]:
    parts = {pointer + to_pointer((name,)): part for name, part in schema.get("properties", {}).items()}
    own = {below: part for below, part in parts.items() if _is_part(part)}
    key = pointer.strip("/").replace("/", ".") or "other"
    title, about = schema.get("title", ""), schema.get("description", "")
    yield Section(key, title, pointer, frozenset(own), max(0, depth - 1), about, bool(own) and len(own) == len(parts))
    for below, part in own.items():
        if count_leaves(part) > MAX_LEAVES and "properties" in part:
            yield from _cut(part, below, depth + 1)
        else:
            name = below.strip("/").replace("/", ".")
            yield Section(name, part.get("title", ""), below, frozenset(), depth, part.get("description", ""))


def _is_part(schema: Schema) -> bool:
    """Objects and lists of objects are worth a section; single values stay with what is around them."""
    if types_of(schema) == ("object",):
        return True
    items: Any = schema.get("items", {})
    return types_of(schema) == ("array",) and types_of(items) != ("string",)


def count_leaves(schema: Schema) -> int:
    """How many fields a form of this schema has when everything is there once."""
    inner = [*schema.get("properties", {}).values(), *schema.get("oneOf", ())]
    if isinstance(schema.get("items"), dict):
        inner.append(schema["items"])
    return sum(count_leaves(part) for part in inner) if inner else 1
