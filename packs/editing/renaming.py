"""Another key for a node: what refers to it follows in the same group of edits."""

from collections.abc import Iterator, Sequence
from typing import Any

from packs.editing.changes import as_changes
from packs.editing.draft import Draft
from packs.editing.values import Change
from packs.formats.document import NodeKind
from packs.mirror import MODELS, column_text, format_of
from packs.models import Case, Pack

# The kinds of node that others refer to by key.
REFERRED = (NodeKind.CHALLENGE, NodeKind.ASSET)


def with_references(pack_row: Pack, changes: Sequence[Change]) -> list[Change]:
    """The changes, followed by those that lead references along where a challenge or an asset gets another key.

    References of a repeated key belong to its first bearer and stay when another one is renamed. They also stay when
    the key is taken away, or is that of a sibling: the two could not be told apart afterwards.

    Raises EditRefused (no_such_node).
    """
    return [*changes, *(follower for change in changes for follower in followers(pack_row, change))]


def followers(pack_row: Pack, change: Change) -> Iterator[Change]:
    """The changes elsewhere that one change asks for."""
    if change.kind not in REFERRED or change.pointer != format_of(pack_row).KEY_POINTERS[change.kind]:
        return
    row = Draft(pack_row, None).get(change.kind, change.node)
    key = change.value.strip() if isinstance(change.value, str) else ""
    if row.key and key and key != row.key and is_first(row) and is_free(row, key):
        yield from references(pack_row, row, key)


def is_first(row: Any) -> bool:
    """Whether no sibling in front of a row has its key."""
    earlier = type(row).objects.filter(pack=row.pack_id, key=row.key, position__lt=row.position)
    return not earlier.exists()


def is_free(row: Any, key: str) -> bool:
    """Whether no row of the same kind has this key."""
    return not type(row).objects.filter(pack=row.pack_id, key=column_text(key)).exists()


def references(pack_row: Pack, row: Any, key: str) -> Iterator[Change]:
    """The changes in other nodes that follow a challenge or asset to its new key."""
    adapter = format_of(pack_row)
    old, _ = adapter.identify(row.kind, row.document)
    for kind, other, document in referring(pack_row, row.kind, old):
        yield from as_changes(
            kind, other, document, adapter.renamed(kind, document, row.kind, old, key, pack_row.document)
        )


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
