"""Another key for a node, with everything that refers to it: shown first, then done as one group of edits."""

from collections.abc import Iterator
from typing import Any

from packs.editing.changes import apply, as_changes
from packs.editing.draft import Author, Draft
from packs.editing.values import Applied, Change, EditRefused
from packs.formats.document import NodeKind
from packs.mirror import MODELS, column_text, format_of
from packs.models import Case, Pack

# The kinds of node that others refer to by key.
REFERRED = (NodeKind.CHALLENGE, NodeKind.ASSET)


def rename_preview(pack_row: Pack, kind: NodeKind, node: int, key: str) -> list[Change]:
    """The changes that give a node another key and lead its references there; the node's own change comes first.

    References of a repeated key belong to its first bearer and stay when another one is renamed.

    Raises EditRefused (no_such_node, bad_place for the pack's own node).
    """
    row = Draft(pack_row, None).get(kind, node)
    pointer = format_of(pack_row).KEY_POINTERS.get(kind)
    if pointer is None:
        raise EditRefused("bad_place", "The pack's own key is a field of its document.")
    changes = [Change(kind, node, pointer, key)]
    if kind in REFERRED and row.key and is_first(row):
        changes += references(pack_row, row, key)
    return changes


def rename_key(
    pack_row: Pack, kind: NodeKind, node: int, key: str, author: Author, *, seen_revision: int | None = None
) -> Applied:
    """Give a node another key; what refers to it follows.

    Raises EditRefused as `rename_preview` does.
    """
    changes = rename_preview(pack_row, kind, node, key)
    return apply(pack_row, changes, author, seen_revision, label=f"Rename to {key}")


def is_first(row: Any) -> bool:
    """Whether no sibling in front of a row has its key."""
    earlier = type(row).objects.filter(pack=row.pack_id, key=row.key, position__lt=row.position)
    return not earlier.exists()


def references(pack_row: Pack, row: Any, key: str) -> Iterator[Change]:
    """The changes in other nodes that follow a challenge or asset to its new key."""
    adapter = format_of(pack_row)
    old, _ = adapter.identify(row.kind, row.document)
    for kind, other, document in referring(pack_row, row.kind, old):
        yield from as_changes(kind, other, document, adapter.renamed(kind, document, row.kind, old, key))


def referring(pack_row: Pack, what: NodeKind, old: str) -> Iterator[tuple[NodeKind, int, Any]]:
    """Kind, id and document of the nodes that may refer to a key: of challenges only cases do."""
    if what is NodeKind.CHALLENGE:
        for pk, document in Case.objects.filter(pack=pack_row, challenge_key=column_text(old)).values_list(
            "pk", "document"
        ):
            yield NodeKind.CASE, pk, document
        return
    yield NodeKind.PACK, pack_row.pk, pack_row.document
    for kind in (NodeKind.CHALLENGE, NodeKind.CASE):
        for pk, document in MODELS[kind].objects.filter(pack=pack_row).values_list("pk", "document"):
            yield kind, pk, document
