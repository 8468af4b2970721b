"""What pickers offer: the names that a pack declares, as far as a form can refer to them.

The schema says it: `x-declares` stands on a list or mapping whose items have names, and `x-picks` on a text that is
such a name, or one of several patterns with a name in them, such as `input:{inputs}`.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from packs.formats.document import NodeKind
from packs.formats.structure.model import ANYTHING, Schema, blank
from packs.forms.fields import Missing, Option
from packs.forms.pointers import read

# More than this is not a list to pick from any more; the form then takes any text.
MAX_OPTIONS = 500

_SLOT = re.compile(r"\{(\w+)\}")


@dataclass(frozen=True, slots=True)
class Home:
    """A list or mapping of a document that declares names, and its schema."""

    pointer: str
    schema: Schema

    @property
    def name(self) -> str:
        return str(self.schema["x-declares"])

    @property
    def noun(self) -> str:
        return str(self.item.get("title", "")).lower()

    @property
    def item(self) -> Schema:
        found: Schema = self.schema.get("items", ANYTHING)
        return found

    def names(self, document: Any) -> tuple[str, ...]:
        """What a document declares here, in order and once each; those with dots cannot be referred to."""
        found = read(document, self.pointer)
        stated = found if isinstance(found, dict) else keys_in(found)
        return unique(name for name in stated if isinstance(name, str) and "." not in name)

    def new(self, name: str) -> dict[str, Any]:
        """A new item of this name; what else it needs is for its author to say."""
        return {"key": name, **blank(self.item), **self.item.get("x-start", {})}


@dataclass(frozen=True, slots=True)
class Declared:
    """The names that a document may refer to, by what declares them, and what of them a form can create, in words."""

    names: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    nouns: Mapping[str, str] = field(default_factory=dict)

    def options(self, schema: Schema) -> tuple[Option, ...]:
        """The values that a schema's `x-picks` allows, at most MAX_OPTIONS."""
        found = [option for pattern in patterns_of(schema) for option in self._filled(pattern)]
        return tuple(found[:MAX_OPTIONS])

    def _filled(self, pattern: str) -> Iterator[Option]:
        slot = _SLOT.search(pattern)
        if slot is None:
            yield Option(pattern, pattern)
            return
        noun = self.nouns.get(slot[1], slot[1].removesuffix("s")).capitalize()
        for name in self.names.get(slot[1], ()):
            yield Option(pattern.replace(slot[0], name), name if pattern == slot[0] else f"{noun} {name}")

    def missing(self, schema: Schema, value: str) -> Missing | None:
        """What a value refers to that nothing declares and that a form can create."""
        slots = ((pattern, _SLOT.search(pattern)) for pattern in patterns_of(schema))
        for pattern, slot in slots:
            before = pattern[: slot.start()] if slot else value
            name, sort = value.removeprefix(before), slot[1] if slot else ""
            if value.startswith(before) and name and "." not in name and sort in self.nouns:
                return None if name in self.names.get(sort, ()) else Missing(sort, self.nouns[sort], name)
        return None

    def creatable(self, schema: Schema) -> Missing | None:
        """What can be created where a schema picks names of one sort: the sort, and its name in words."""
        picks = schema.get("x-picks")
        return Missing(picks, self.nouns[picks]) if isinstance(picks, str) and picks in self.nouns else None


def patterns_of(schema: Schema) -> tuple[str, ...]:
    """How the values of a field are made of declared names."""
    picks = schema.get("x-picks", ())
    return (f"{{{picks}}}",) if isinstance(picks, str) else tuple(picks)


def homes_of(schema: Schema, pointer: str = "") -> Iterator[Home]:
    """Where a document declares names."""
    if "x-declares" in schema:
        yield Home(pointer, schema)
    for name, part in schema.get("properties", {}).items():
        yield from homes_of(part, f"{pointer}/{name}")


def homes_for(schemas: Mapping[NodeKind, Schema], kind: NodeKind) -> dict[str, tuple[NodeKind, Home]]:
    """Where the form of a node can create things, by their sort: in the pack's document and in cases."""
    kinds = [NodeKind.PACK, *([NodeKind.CASE] if kind in (NodeKind.PACK, NodeKind.CASE) else [])]
    found = [(each, home) for each in kinds for home in homes_of(schemas[each])]
    return {home.name: (each, home) for each, home in found if "key" in home.item.get("properties", {})}


def sorts_in(schema: Any) -> frozenset[str]:
    """What the texts of a schema can name."""
    if isinstance(schema, list):
        return frozenset().union(*map(sorts_in, schema))
    if not isinstance(schema, dict):
        return frozenset()
    here = (slot for pattern in patterns_of(schema) for slot in _SLOT.findall(pattern))
    return frozenset(here).union(*map(sorts_in, schema.values()))


def keys_in(found: Any) -> list[Any]:
    """The keys of the objects in a list; wrong shapes are passed over."""
    items = found if isinstance(found, list) else []
    return [item.get("key") for item in items if isinstance(item, dict)]


def unique(keys: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(key.strip() for key in keys if key.strip()))


def declared_by(schema: Schema, documents: Iterable[Any]) -> dict[str, tuple[str, ...]]:
    """The names that documents of a schema declare."""
    found: dict[str, tuple[str, ...]] = {}
    for document in documents:
        for home in homes_of(schema):
            found[home.name] = unique((*found.get(home.name, ()), *home.names(document)))
    return found
