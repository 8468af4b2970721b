"""What pickers offer: the names that a pack declares, as far as a form can refer to them (`packs.formats.names`)."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from packs.formats.document import NodeKind
from packs.formats.names import Home, homes_of, unique
from packs.formats.schema.picks import SLOT, patterns_of
from packs.formats.structure.model import Schema
from packs.forms.fields import Missing, Option

# More than this is not a list to pick from any more; the form then takes any text.
MAX_OPTIONS = 500


@dataclass(frozen=True, slots=True)
class Declared:
    """The names that a document may refer to, by what declares them, and what of them a form can create, in words.

    `files` are the sorts of names that are paths; `is_new` says of such a name whether it is that of a file which is
    not there.
    """

    names: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    nouns: Mapping[str, str] = field(default_factory=dict)
    files: frozenset[str] = frozenset()
    is_new: Callable[[str, str], bool] = lambda sort, name: False

    def options(self, schema: Schema) -> tuple[Option, ...]:
        """The values that a schema's `x-picks` allows, at most MAX_OPTIONS."""
        found = [option for pattern in patterns_of(schema) for option in self._filled(pattern)]
        return tuple(found[:MAX_OPTIONS])

    def _filled(self, pattern: str) -> Iterator[Option]:
        slot = SLOT.search(pattern)
        if slot is None:
            yield Option(pattern, pattern)
            return
        noun = self.nouns.get(slot[1], slot[1].removesuffix("s")).capitalize()
        for name in self.names.get(slot[1], ()):
            yield Option(pattern.replace(slot[0], name), name if pattern == slot[0] else f"{noun} {name}")

    def missing(self, schema: Schema, value: str) -> Missing | None:
        """What a value refers to that nothing declares and that a form can create."""
        slots = ((pattern, SLOT.search(pattern)) for pattern in patterns_of(schema))
        for pattern, slot in slots:
            before = pattern[: slot.start()] if slot else value
            name, sort = value.removeprefix(before), slot[1] if slot else ""
            if value.startswith(before) and self._can_be(sort, name):
                return None if name in self.names.get(sort, ()) else Missing(sort, self.nouns[sort], name)
        return None

    def _can_be(self, sort: str, name: str) -> bool:
        """Whether a form can create something of this sort and name, or it is there."""
        if sort in self.files:
            return self.is_new(sort, name)
        return bool(name) and "." not in name and sort in self.nouns

    def creatable(self, schema: Schema) -> Missing | None:
        """What can be created where a schema picks names of one sort: the sort, and its name in words."""
        picks = schema.get("x-picks")
        if schema.get("x-widget") in ("suggestions", "textarea"):
            # What is typed there is created as it stands.
            return None
        return Missing(picks, self.nouns[picks]) if isinstance(picks, str) and picks in self.nouns else None


def homes_for(schemas: Mapping[NodeKind, Schema], kind: NodeKind) -> dict[str, tuple[NodeKind, Home]]:
    """Where the form of a node can create things, by their sort: in the pack's document and in cases."""
    kinds = [NodeKind.PACK, *([NodeKind.CASE] if kind in (NodeKind.PACK, NodeKind.CASE) else [])]
    found = [(each, home) for each in kinds for home in homes_of(schemas[each])]
    # Where several lists declare the same, new ones go to the first.
    homes = {home.name: (each, home) for each, home in reversed(found)}
    return {name: (each, home) for name, (each, home) in homes.items() if home.is_plain or _has_name(home)}


def _has_name(home: Home) -> bool:
    return home.named in home.item.get("properties", {})


def declared_by(schema: Schema, documents: Iterable[Any]) -> dict[str, tuple[str, ...]]:
    """The names that documents of a schema declare, and those that are there by themselves."""
    found: dict[str, tuple[str, ...]] = {}
    for document in documents:
        for home in homes_of(schema):
            found[home.name] = unique((*found.get(home.name, ()), *home.names(document), *home.known))
    return found
