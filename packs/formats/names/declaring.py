"""What documents declare, as the word `x-declares` of their schemas says it."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from packs.formats.document import NodeKind
from packs.formats.findings import from_pointer, to_pointer
from packs.formats.schema.picks import sorts_of
from packs.formats.structure.model import ANYTHING, Schema, blank, types_of

# What is a node of its own, by the word with which fields pick it.
NODE_SORTS = {
    "challenges": NodeKind.CHALLENGE,
    "assets": NodeKind.ASSET,
    "cases": NodeKind.CASE,
    "input_sets": NodeKind.INPUT_SET,
}
_SORTS: dict[str, str] = {kind.value: sort for sort, kind in NODE_SORTS.items()}


def sort_of(what: str) -> str:
    """The word with which fields pick nodes of a kind; what is no kind is a word already."""
    return _SORTS.get(what, what)


def noun_of(what: str) -> str:
    """One of a sort, or of a kind of node, in words: `validator`, `input set`."""
    return "file" if what == NodeKind.ASSET else what.replace("_", " ").removesuffix("s")


def thing_of(what: str) -> str:
    """One of a sort, or of a kind of node, as commands and the API name it: `validator`, `input_set`."""
    return what if what in _SORTS else what.removesuffix("s")


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
    def named(self) -> str:
        return named_by(self.schema)

    @property
    def known(self) -> tuple[str, ...]:
        """Names that are there though no item states them."""
        return tuple(self.schema.get("x-known", ()))

    @property
    def item(self) -> Schema:
        found: Schema = self.schema.get("items", ANYTHING)
        return found

    def stated(self, document: Any) -> Iterator[tuple[str, str]]:
        """Each name that a document declares here, blanks trimmed, with the pointer of what states it."""
        found = document
        for step in from_pointer(self.pointer):
            found = found.get(step) if isinstance(found, dict) else None
        if isinstance(found, dict):
            yield from ((name.strip(), self.pointer + to_pointer((name,))) for name in found if name.strip())
        for index, key in enumerate(keys_in(found, self.named)):
            if isinstance(key, str) and key.strip():
                below = "" if isinstance(found[index], str) else f"/{self.named}"
                yield key.strip(), f"{self.pointer}/{index}{below}"

    def names(self, document: Any) -> tuple[str, ...]:
        """What a document declares here, in order and once each; those with dots cannot be referred to."""
        return unique(name for name, _ in self.stated(document) if "." not in name)

    @property
    def is_plain(self) -> bool:
        """Whether the names stand in the list by themselves, as texts."""
        return "string" in types_of(self.item)

    def new(self, name: str) -> Any:
        """A new item of this name; what else it needs is for its author to say."""
        if self.is_plain:
            return name
        stated = {self.named: name, **blank(self.item), **self.item.get("x-start", {})}
        return stated | {self.named: name}


def homes_of(schema: Schema, pointer: str = "") -> Iterator[Home]:
    """Where a document declares names."""
    if "x-declares" in schema:
        yield Home(pointer, schema)
    for name, part in in_form(schema).get("properties", {}).items():
        yield from homes_of(part, f"{pointer}/{name}")


def in_form(schema: Schema) -> Schema:
    """A schema with what stands apart from its checks, for forms."""
    return {**schema, **schema["x-form"]} if "x-form" in schema else schema


def sorts_in(schema: Any) -> frozenset[str]:
    """What the texts of a schema can name."""
    if isinstance(schema, list):
        return frozenset().union(*map(sorts_in, schema))
    if not isinstance(schema, dict):
        return frozenset()
    return sorts_of(schema).union(*map(sorts_in, schema.values()))


def named_by(schema: Schema) -> str:
    """The field in which the items of a list state their names."""
    return str(schema.get("x-named", "key"))


def keys_in(found: Any, named: str = "key") -> list[Any]:
    """The names of the items of a list, the items themselves where they are texts; None for other shapes."""
    items = found if isinstance(found, list) else []
    return [item.get(named) if isinstance(item, dict) else item if isinstance(item, str) else None for item in items]


def unique(keys: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(key.strip() for key in keys if key.strip()))
