"""Metadata of cases, over a whole draft: the keys and values in use, counts by them, and another name for a key.

Formats have metadata whose schema of a case, or of an input set, knows a free mapping of this name (agentv G).
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from packs.editing import Applied, Change, EditRefused, change_cases
from packs.editing.draft import Author
from packs.editing.pointers import value_at
from packs.formats.adapter import Adapter
from packs.formats.document import Document, NodeKind
from packs.formats.findings import from_pointer, to_pointer
from packs.formats.structure.model import fields_of_any, types_of
from packs.forms.conversions import kind_of
from packs.grid.cells import shown
from packs.mirror import format_of
from packs.models import Case, InputSet, Pack

FIELD = "metadata"
# How deep mappings inside of metadata count as keys of their own; below, a value is shown as JSON.
MAX_DEPTH = 4
# How many values of a key are distinguished; how many a table shows in rows and in columns.
MAX_VALUES = 200
SHOWN_ROWS, SHOWN_COLUMNS = 50, 12

Steps = tuple[str, ...]
HOLDERS = (NodeKind.INPUT_SET, NodeKind.CASE)


def has_metadata(adapter: Adapter, kind: NodeKind = NodeKind.CASE) -> bool:
    """Whether nodes of a kind have metadata: a mapping whose names authors choose."""
    part = fields_of_any(adapter.SCHEMA.get(kind, {})).get(FIELD, {})
    return "object" in types_of(part) and not part.get("properties")


def metadata_of(document: Document) -> Document:
    """The metadata that a document states; an empty mapping where it states none, or something else."""
    found = document.get(FIELD)
    return found if isinstance(found, dict) else {}


def leaves(value: Document, above: Steps = ()) -> Iterator[tuple[Steps, Any]]:
    """The values of a mapping with the steps to each; mappings inside are entered, empty ones are values."""
    for name, item in value.items():
        steps = (*above, name)
        if isinstance(item, dict) and item and len(steps) < MAX_DEPTH:
            yield from leaves(item, steps)
        else:
            yield steps, item


@dataclass(slots=True)
class KeyUse:
    """How a key of metadata is used: in how many cases, with values of which types, and with which values.

    `values` maps texts as the grid shows them to the number of cases; it holds MAX_VALUES texts at most.
    """

    steps: Steps
    cases: int = 0
    kinds: Counter[str] = field(default_factory=Counter)
    values: Counter[str] = field(default_factory=Counter)
    has_more: bool = False

    @property
    def name(self) -> str:
        return ".".join(self.steps)

    @property
    def pointer(self) -> str:
        """The pointer from the case's document, as columns of the grid have it."""
        return to_pointer((FIELD, *self.steps))

    def count(self, value: Any) -> None:
        self.cases += 1
        self.kinds[kind_of(value).value] += 1
        text = shown(value)
        if text in self.values or len(self.values) < MAX_VALUES:
            self.values[text] += 1
        else:
            self.has_more = True


def keys_in_use(pack: Pack, limit: int | None = None) -> dict[str, KeyUse]:
    """The keys that the cases of a draft have in their metadata, by pointer, the most frequent ones first.

    `limit` is how many cases are looked into.
    """
    found: dict[Steps, KeyUse] = {}
    documents = Case.objects.filter(pack=pack).order_by("pk").values_list("document", flat=True)
    for document in documents[:limit] if limit else documents.iterator(2000):
        for steps, value in leaves(metadata_of(document)):
            if steps not in found:
                found[steps] = KeyUse(steps)
            found[steps].count(value)
    return {use.pointer: use for use in sorted(found.values(), key=lambda use: (-use.cases, use.name))}


@dataclass(slots=True)
class Count:
    """How many cases have a value, or a pair of them; by the primary key of their input set."""

    by_set: Counter[int] = field(default_factory=Counter)

    @property
    def total(self) -> int:
        return self.by_set.total()


@dataclass(frozen=True, slots=True)
class Slices:
    """Cases counted by the values of one key, or of two: `counts` by the texts of both, "" for cases without a value.

    `rows` and `columns` are the texts in the order of their counts, as many as are shown; without a second key there is
    the one column "". `hidden_rows` and `hidden_columns` are how many are left out.
    """

    rows: tuple[str, ...]
    columns: tuple[str, ...]
    counts: dict[tuple[str, str], Count]
    hidden_rows: int = 0
    hidden_columns: int = 0

    @property
    def total(self) -> int:
        return sum(count.total for count in self.counts.values())


def slices(pack: Pack, row: str, column: str = "", input_set: int | None = None) -> Slices:
    """The cases of a draft, or of one input set, by the values at one pointer or at two."""
    rows = Case.objects.filter(pack=pack) if input_set is None else Case.objects.filter(pack=pack, input_set=input_set)
    counts: dict[tuple[str, str], Count] = {}
    steps, across = from_pointer(row), from_pointer(column)
    for holder, document in rows.values_list("input_set_id", "document").iterator(2000):
        pair = shown(value_at(document, steps)), shown(value_at(document, across)) if column else ""
        counts.setdefault(pair, Count()).by_set[holder] += 1
    by_row, by_column = Counter[str](), Counter[str]()
    for (one, other), count in counts.items():
        by_row[one] += count.total
        by_column[other] += count.total
    down, over = _in_order(by_row), _in_order(by_column)
    hidden = max(0, len(down) - SHOWN_ROWS), max(0, len(over) - SHOWN_COLUMNS)
    return Slices(down[:SHOWN_ROWS], over[:SHOWN_COLUMNS], counts, *hidden)


def _in_order(counts: Counter[str]) -> tuple[str, ...]:
    """The most frequent texts first; that there is no value comes last."""
    return tuple(sorted(counts, key=lambda text: (text == "", -counts[text], text)))


@dataclass(frozen=True, slots=True)
class Renaming:
    """A key of metadata under another name: the changes of its nodes, and how many have the new name already."""

    steps: Steps
    new: str
    changes: tuple[Change, ...]
    taken: int

    @property
    def old(self) -> str:
        return ".".join(self.steps)


def renaming(pack: Pack, steps: Sequence[str], new: str) -> Renaming:
    """What another name for a key would change, in cases and in input sets. A mapping that has both is left alone.

    Raises EditRefused (bad_name) for a name that is blank or the same.
    """
    wanted = new.strip()
    if not steps or not wanted or wanted == steps[-1]:
        raise EditRefused("bad_name", "Give another name that is not blank.")
    changes, taken = [], 0
    for kind, pk, document in _holders(pack):
        above = (FIELD, *steps[:-1])
        holder = value_at(document, above)
        if not isinstance(holder, dict) or steps[-1] not in holder:
            continue
        if wanted in holder:
            taken += 1
            continue
        # The whole mapping is written anew, so that the key keeps its place among the others.
        renamed = {wanted if name == steps[-1] else name: value for name, value in holder.items()}
        changes.append(Change(kind, pk, to_pointer(above), renamed))
    return Renaming(tuple(steps), wanted, tuple(changes), taken)


def _holders(pack: Pack) -> Iterator[tuple[NodeKind, int, Document]]:
    adapter = format_of(pack)
    models: dict[NodeKind, Any] = {NodeKind.INPUT_SET: InputSet, NodeKind.CASE: Case}
    for kind in HOLDERS:
        if has_metadata(adapter, kind):
            rows = models[kind].objects.filter(pack=pack).values_list("pk", "document")
            yield from ((kind, pk, document) for pk, document in rows.iterator(2000))


def rename(pack: Pack, found: Renaming, author: Author) -> Applied:
    """Give a key its other name everywhere, as one edit that one undo takes back."""
    return change_cases(pack, author, found.changes, label=f"Rename metadata {found.old} to {found.new}")
