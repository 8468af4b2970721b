"""What one section of a document says, as a document of its own, and putting it back without touching the rest."""

from dataclasses import replace
from typing import Any

from packs.editing import ABSENT
from packs.editing.pointers import replaced, value_at
from packs.formats.document import Document
from packs.formats.findings import Path, from_pointer
from packs.forms.sections import Section


def shown_section(section: Section, document: Document) -> Section:
    """The section whose text is shown: a group with all its parts.

    Where something else than a mapping leads to the section's place, nothing can be cut out: then it is everything.
    """
    steps = from_pointer(section.pointer)
    ways = [value_at(document, steps[:depth]) for depth in range(len(steps))]
    if any(way is not ABSENT and not isinstance(way, dict) for way in ways):
        return replace(section, pointer="", without=frozenset())
    return replace(section, without=frozenset()) if section.is_group else section


def excerpt(document: Document, section: Section) -> Document:
    """Only what a section edits, below the keys that lead to it; empty where the document has nothing there."""
    steps = from_pointer(section.pointer)
    value = value_at(document, steps)
    if value is ABSENT:
        return {}
    if isinstance(value, dict):
        hidden = names_without(section)
        value = {key: item for key, item in value.items() if key not in hidden}
    return below(steps, value)


def outside(document: Document, section: Section, part: Document) -> list[Path]:
    """The paths in an excerpt that another section edits, or that leave no place for what others edit."""
    value: Any = part
    steps = from_pointer(section.pointer)
    found: list[Path] = []
    for depth, step in enumerate(steps):
        if not isinstance(value, dict):
            return [*found, steps[:depth]]
        found += [(*steps[:depth], key) for key in value if key != step]
        if step not in value:
            return found
        value = value[step]
    if isinstance(value, dict):
        return found + [(*steps, key) for key in value if key in names_without(section)]
    return [*found, steps] if kept_of(document, section) else found


def with_excerpt(document: Document, section: Section, part: Document) -> Document:
    """The document in which a section says what an excerpt says; there must be nothing `outside` it."""
    steps = from_pointer(section.pointer)
    present, given = value_at(document, steps), value_at(part, steps)
    kept = kept_of(document, section)
    if given is ABSENT:
        given = kept or ABSENT
    elif kept:
        given = woven(present, given, kept)
    if given is ABSENT and present is ABSENT:
        return document
    found: Document = replaced(with_way(document, steps), steps, given)
    return found


def below(steps: tuple[str, ...], value: Any) -> Document:
    """A document in which the steps lead to a value; a value for no steps is a document itself."""
    for step in reversed(steps):
        value = {step: value}
    found: Document = value
    return found


def names_without(section: Section) -> set[str]:
    """The keys of the section's own mapping that other sections edit."""
    return {from_pointer(pointer)[-1] for pointer in section.without}


def kept_of(document: Document, section: Section) -> Document:
    """What stands at the section's place and is edited elsewhere."""
    present = value_at(document, from_pointer(section.pointer))
    hidden = names_without(section)
    return {key: item for key, item in present.items() if key in hidden} if isinstance(present, dict) else {}


def with_way(document: Document, steps: tuple[str, ...]) -> Document:
    """The document with empty mappings where the way to the last step is missing."""
    for depth in range(1, len(steps)):
        if value_at(document, steps[:depth]) is ABSENT:
            document = replaced(document, steps[:depth], {})
    return document


def woven(present: Document, given: Document, kept: Document) -> Document:
    """Kept and given values in the order of the present ones; a new key follows the one that it was written after."""
    order = [key for key in present if key in kept or key in given]
    before = ""
    for key in given:
        if key not in present:
            order.insert(order.index(before) + 1 if before in order else 0, key)
        before = key
    return {key: kept[key] if key in kept else given[key] for key in order}
