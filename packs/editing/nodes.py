"""Adding, removing, moving and duplicating nodes."""

from typing import Any

from django.db import models

from packs.editing.draft import Author, Draft, changing
from packs.editing.pointers import replaced, storable
from packs.editing.snapshots import erase, revive, snapshot
from packs.editing.transitions import put_at
from packs.editing.values import Applied, EditRefused
from packs.formats.document import Document, NodeKind
from packs.formats.findings import from_pointer
from packs.formats.numbering import free_number
from packs.mirror import MODELS, RowIndex, column_text, format_of, keep_artifacts
from packs.models import SPACING, Asset, Blob, Edit, Pack
from packs.quotas import heed_storage

# As `after`: in front of all siblings.
FIRST = 0


def add_node(
    pack_row: Pack,
    kind: NodeKind,
    author: Author,
    *,
    document: Document | None = None,
    input_set: int | None = None,
    after: int | None = None,
    label: str = "",
) -> Applied:
    """Add a node; `Applied.node` is its row.

    `document` defaults to the format's small starting document. A case needs the id of its `input_set`. `after` is the
    id of the sibling that it shall follow, FIRST or None for the end.

    Raises EditRefused (bad_place, also for a kind that the format does not have, no_such_node, not_a_document).
    """
    with changing(pack_row, author, label) as draft:
        if kind not in draft.adapter.SCHEMA:
            raise EditRefused("bad_place", f"Packs of this format have no nodes of the kind {kind}.")
        parent = parent_of(draft, kind, input_set)
        given = starting_document(draft, kind, parent) if document is None else document
        if not isinstance(given, dict):
            raise EditRefused("not_a_document", "A document must be a mapping.")
        given, noticed = storable(given)
        place = place_after(draft, siblings_of(draft, kind, parent), after)
        kept: dict[str, Any] = {"document": given, "position": place, "revision": 0, "parent": parent}
        row = revive(draft, kind, None, kept)
        draft.notice(row, noticed)
        return added(draft, row)


def starting_document(draft: Draft, kind: NodeKind, parent: int | None) -> Document:
    """What the format proposes for a new node at this place."""
    position = draft.get(NodeKind.INPUT_SET, parent).position if parent else 0
    return new_document(draft.pack, kind, position)


def new_document(pack_row: Pack, kind: NodeKind, position: int = 0) -> Document:
    """What the format proposes for a new node; `position` is that of a case's input set."""
    return format_of(pack_row).new_document(kind, RowIndex(pack_row), position)


def added(draft: Draft, row: Any) -> Applied:
    """Record that a row was added, and finish."""
    draft.record(row, Edit.Action.ADD, new=[snapshot(row)], place={"parent": getattr(row, "input_set_id", None)})
    applied = draft.finish()
    applied.node = row.pk
    return applied


def remove_node(pack_row: Pack, kind: NodeKind, node: int, author: Author, *, label: str = "") -> Applied:
    """Remove a node and everything below it; undo brings all of it back under its old ids.

    Raises EditRefused (no_such_node, bad_place for the pack itself).
    """
    with changing(pack_row, author, label) as draft:
        row = draft.get(kind, node)
        if kind is NodeKind.PACK:
            raise EditRefused("bad_place", "The pack's own node cannot be removed.")
        draft.record(row, Edit.Action.REMOVE, old=[snapshot(row)], place={"parent": getattr(row, "input_set_id", None)})
        erase(draft, row)
        return draft.finish()


def move_node(
    pack_row: Pack,
    kind: NodeKind,
    node: int,
    author: Author,
    *,
    after: int | None = None,
    offset: int = 0,
    input_set: int | None = None,
) -> Applied:
    """Move a node among its siblings: behind `after` (see `add_node`), or by `offset` places up (-) or down (+).

    A case goes to another set where `input_set` is given.

    Raises EditRefused (bad_place, no_such_node).
    """
    with changing(pack_row, author) as draft:
        row = draft.get(kind, node)
        before = {"position": row.position, "parent": getattr(row, "input_set_id", None)}
        parent = parent_of(draft, kind, input_set or before["parent"])
        siblings = siblings_of(draft, kind, parent).exclude(pk=node)
        behind = neighbour(siblings, row, offset) if offset else after
        position = row.position if behind == node else place_after(draft, siblings, behind)
        place = {"position": position, "parent": parent}
        if place != before:
            put_at(draft, row, position, parent)
            draft.record(row, Edit.Action.MOVE, old=[before], new=[place])
        return draft.finish()


def neighbour(siblings: models.QuerySet[Any], row: Any, offset: int) -> int | None:
    """The sibling behind which a row stands after a move by `offset`; `siblings` are without the row itself."""
    if offset > 0:
        later = list(siblings.filter(position__gt=row.position).order_by("position", "pk")[:offset])
        return int(later[-1].pk if later else row.pk)
    earlier = list(siblings.filter(position__lt=row.position).order_by("-position", "-pk")[: 1 - offset])
    if not earlier:
        return int(row.pk)
    return int(earlier[-1].pk) if len(earlier) > -offset else FIRST


def duplicate_node(pack_row: Pack, kind: NodeKind, node: int, author: Author, *, label: str = "") -> Applied:
    """Put a copy of a node behind it, a set with all its cases, under a key of its own.

    Raises EditRefused (no_such_node, bad_place for the pack itself).
    """
    with changing(pack_row, author, label) as draft:
        row = draft.get(kind, node)
        if kind is NodeKind.PACK:
            raise EditRefused("bad_place", "The pack's own node cannot be duplicated here.")
        siblings = siblings_of(draft, kind, getattr(row, "input_set_id", None))
        kept = snapshot(row) | {"revision": 0, "position": place_after(draft, siblings, node)}
        kept["document"] = with_key(draft, row, free_key(siblings, row.key))
        kept["cases"] = [case | {"id": None, "revision": 1} for case in kept.get("cases", ())]
        return added(draft, revive(draft, kind, None, kept))


def with_key(draft: Draft, row: Any, key: str) -> Document:
    """A row's document with another key."""
    pointer = draft.adapter.KEY_POINTERS.get(row.kind)
    document: Document = row.document
    return replaced(document, from_pointer(pointer), key) if pointer else document


def free_key(siblings: models.QuerySet[Any], key: str) -> str:
    """A key for a copy that no sibling has."""
    number = free_number(lambda number: siblings.filter(key=column_text(copy_key(key, number))).exists())
    return copy_key(key, number)


def copy_key(key: str, number: int) -> str:
    """The key of one of the copies of a node."""
    return f"{key}-copy" if number == 1 else f"{key}-copy-{number}"


def set_asset_content(pack_row: Pack, node: int, blob: Blob | None, author: Author, *, label: str = "") -> Applied:
    """Give an asset other bytes, or none.

    Raises EditRefused (no_such_node), QuotaReached.
    """
    if blob is not None:
        heed_storage(pack_row.team, blob.size)
    with changing(pack_row, author, label) as draft:
        set_content(draft, draft.get(NodeKind.ASSET, node), blob)
        return draft.finish()


def set_content(draft: Draft, row: Asset, blob: Blob | None) -> None:
    """Give an asset of a draft that is being changed other bytes, or none."""
    digest = blob.digest if blob else None
    if row.blob_id != digest:
        draft.record(row, Edit.Action.CONTENT, old=[row.blob_id], new=[digest])
        row.blob_id = digest
        draft.changed[row.kind, row.pk] = row
    if digest:
        keep_artifacts(draft.pack, row.document, digest)


def parent_of(draft: Draft, kind: NodeKind, input_set: int | None) -> int | None:
    """The id of the input set that holds a node: of a case only."""
    if kind is not NodeKind.CASE:
        if kind is NodeKind.PACK:
            raise EditRefused("bad_place", "A draft has one pack node.")
        return None
    if input_set is None:
        raise EditRefused("bad_place", "A case needs an input set.")
    return int(draft.get(NodeKind.INPUT_SET, input_set).pk)


def siblings_of(draft: Draft, kind: NodeKind, parent: int | None) -> Any:
    """The rows among which a node stands."""
    rows = MODELS[kind].objects.filter(pack=draft.pack)
    return rows.filter(input_set=parent) if kind is NodeKind.CASE else rows


def place_after(draft: Draft, siblings: Any, after: int | None) -> int:
    """A free position behind the sibling `after`; makes room where there is none left."""
    if after is None:
        last = siblings.order_by("-position").values_list("position", flat=True).first()
        return 0 if last is None else int(last) + SPACING
    if after == FIRST:
        first = siblings.order_by("position").values_list("position", flat=True).first()
        return 0 if first is None else int(first) - SPACING
    left = siblings.filter(pk=after).values_list("position", flat=True).first()
    if left is None:
        raise EditRefused("bad_place", f"There is no {after} among the siblings.")
    right = siblings.filter(position__gt=left).order_by("position").values_list("position", flat=True).first()
    if right is None:
        return int(left) + SPACING
    if right - left > 1:
        return int(left + right) // 2
    respace(draft, siblings)
    draft.rows.clear()
    return place_after(draft, siblings, after)


def respace(draft: Draft, siblings: Any) -> None:
    """Spread siblings evenly again, in their order. Noted, so that the draft as it was before can be found again."""
    rows = list(siblings.order_by("position", "pk").only("pk", "position", "pack"))
    for index, row in enumerate(rows):
        draft.note_room(row, index * SPACING)
        row.position = index * SPACING
    siblings.bulk_update(rows, ["position"], 500)
