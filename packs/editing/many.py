"""Changing many cases at once: one revision, one step of undo, few queries."""

from collections.abc import Iterable, Sequence
from typing import Any

from packs.editing.changes import make
from packs.editing.draft import Author, Draft, changing
from packs.editing.following import follow
from packs.editing.nodes import FIRST, copy_key, place_after, siblings_of
from packs.editing.pointers import replaced, storable
from packs.editing.rechecking import MANY
from packs.editing.snapshots import erase, new_row, snapshot
from packs.editing.transitions import put_at
from packs.editing.values import Applied, Change, EditRefused
from packs.formats.document import Document, NodeKind
from packs.formats.findings import from_pointer
from packs.formats.numbering import free_number
from packs.mirror import BATCH, column_text
from packs.models import SPACING, Case, Edit, InputSet, Pack


def change_cases(
    pack_row: Pack,
    author: Author,
    changes: Iterable[Change] = (),
    *,
    input_set: int | None = None,
    added: Sequence[Document] = (),
    label: str = "",
) -> Applied:
    """Change values of cases, and add cases at the end of an input set. What refers to a changed key follows.

    Raises EditRefused (no_such_node, bad_pointer, bad_value, not_a_document) and then nothing is written.
    """
    wanted = list(changes)
    with changing(pack_row, author, label) as draft:
        draft.effects.everything |= len(wanted) + len(added) > MANY
        draft.prepare((change.kind, change.node) for change in wanted)
        for change in wanted:
            make(draft, change, None)
        if added:
            add_cases(draft, draft.get(NodeKind.INPUT_SET, input_set or 0), added)
        follow(draft)
        return draft.finish()


def add_cases(draft: Draft, input_set: InputSet, documents: Sequence[Document]) -> None:
    """Put cases with these documents at the end of a set."""
    siblings = Case.objects.filter(input_set=input_set)
    start, rows = place_after(draft, siblings, None), []
    for index, document in enumerate(documents):
        if not isinstance(document, dict):
            raise EditRefused("not_a_document", "A document must be a mapping.")
        document, _ = storable(document)
        row = new_row(
            draft, NodeKind.CASE, None, {"document": document, "position": start + index * SPACING, "revision": 1}
        )
        row.input_set = input_set
        rows.append(row)
    if not draft.effects.everything:
        for row in rows:
            draft.effects.node_moved(draft.pack, row)
    for row in Case.objects.bulk_create(rows, BATCH):
        draft.record(row, Edit.Action.ADD, new=[snapshot(row)], place={"parent": input_set.pk})
        draft.rows[row.kind, row.pk] = draft.changed[row.kind, row.pk] = row
        draft.written.add((row.kind, row.pk))


def remove_cases(pack_row: Pack, cases: Sequence[int], author: Author, *, label: str = "") -> Applied:
    """Remove cases; undo brings all of them back under their old ids.

    Raises EditRefused (no_such_node).
    """
    with changing(pack_row, author, label) as draft:
        for row in rows_of(draft, cases):
            draft.record(row, Edit.Action.REMOVE, old=[snapshot(row)], place={"parent": row.input_set_id})
            erase(draft, row)
        return draft.finish()


def duplicate_cases(pack_row: Pack, cases: Sequence[int], author: Author, *, label: str = "") -> Applied:
    """Put copies of cases at the end of their sets, under keys of their own, in their order.

    Raises EditRefused (no_such_node).
    """
    with changing(pack_row, author, label) as draft:
        draft.effects.everything |= len(cases) > MANY
        by_set: dict[int, list[Any]] = {}
        for row in rows_of(draft, cases):
            by_set.setdefault(row.input_set_id, []).append(row)
        for rows in by_set.values():
            input_set = rows[0].input_set
            taken = set(Case.objects.filter(input_set=input_set).values_list("key", flat=True))
            add_cases(draft, input_set, [copied(draft, row, taken) for row in rows])
        return draft.finish()


def copied(draft: Draft, row: Case, taken: set[str]) -> Document:
    """A case's document under a key that is not taken; the key then is."""
    key = copy_key(row.key, free_number(lambda number: column_text(copy_key(row.key, number)) in taken))
    taken.add(column_text(key))
    pointer = draft.adapter.KEY_POINTERS.get(NodeKind.CASE)
    document: Document = row.document
    return replaced(document, from_pointer(pointer), key) if pointer and row.key else document


def move_cases(
    pack_row: Pack, cases: Sequence[int], author: Author, *, input_set: int, first: bool = False, label: str = ""
) -> Applied:
    """Put cases at the end or the front of a set, in the order in which they are given.

    Raises EditRefused (no_such_node).
    """
    with changing(pack_row, author, label) as draft:
        rows, target = rows_of(draft, cases), draft.get(NodeKind.INPUT_SET, input_set)
        siblings = siblings_of(draft, NodeKind.CASE, target.pk)
        start = place_after(draft, siblings, FIRST if first else None)
        start -= SPACING * (len(rows) - 1) if first else 0
        for index, row in enumerate(rows):
            before = {"position": row.position, "parent": row.input_set_id}
            place = {"position": start + index * SPACING, "parent": target.pk}
            if draft.is_bulk:
                row.position, row.input_set = place["position"], target
                draft.changed[row.kind, row.pk] = row
            else:
                put_at(draft, row, place["position"], target.pk)
            draft.record(row, Edit.Action.MOVE, old=[before], new=[place])
        return draft.finish()


def rows_of(draft: Draft, cases: Sequence[int]) -> list[Case]:
    """The rows of cases of this draft, in the order in which they are given."""
    draft.is_bulk = len(cases) > MANY
    draft.effects.everything |= draft.is_bulk
    draft.prepare((NodeKind.CASE, case) for case in cases)
    return [draft.get(NodeKind.CASE, case) for case in dict.fromkeys(cases)]
