"""Bringing back what was: a whole state of a draft, one of its nodes, or one field, as ordinary edits."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from packs.editing.changes import replace_document
from packs.editing.draft import Author
from packs.editing.pointers import replaced, value_at
from packs.editing.points import point_at
from packs.editing.replacing import replace_tree
from packs.editing.values import ABSENT, Applied, EditRefused
from packs.formats.comparing import Act, Difference, FieldChange, NodeChange, Position, apply_to_pack
from packs.formats.document import Document, NodeKind
from packs.formats.document import Pack as Tree
from packs.mirror import read_tree
from packs.models import Pack


def restore_point(pack_row: Pack, revision: int, author: Author, *, label: str = "") -> Applied:
    """Make a draft what it was at a revision, so that its exports are the same again, those of imported bytes too."""
    point = point_at(Pack.objects.get(pk=pack_row.pk), revision)
    words = label or f"Restored revision {revision}"
    return replace_tree(pack_row, point.tree(), author, source=point.source, label=words, is_exact=True)


def restore_tree(pack_row: Pack, tree: Tree, author: Author, *, label: str) -> Applied:
    """Make a draft say what a tree says, such as that of a version."""
    return replace_tree(pack_row, tree, author, label=label, is_exact=True)


def restore_node(pack_row: Pack, back: Difference, change: NodeChange, author: Author, *, label: str) -> Applied:
    """Make one node of a draft what it was. `back` leads from the draft to what was; `change` is one of its nodes.

    Raises EditRefused (bad_place) for a case whose input set is not there any more.
    """
    tree = read_tree(Pack.objects.get(pk=pack_row.pk))
    return restore_tree(pack_row, apply_to_pack(only(back, change), tree), author, label=label)


def only(back: Difference, change: NodeChange) -> Difference:
    """The part of a difference that is about one node; of an input set that comes or goes, its cases too."""
    into = {right: left for left, right in back.sets}
    pairs = [(left, left) for left, _ in back.sets]
    gone = [
        node.before.index for node in back.nodes if node.kind == NodeKind.INPUT_SET and node.before and not node.after
    ]
    pairs += [(place, place) for place in gone]
    if change.kind == NodeKind.CASE and change.after is not None:
        if change.after.parent not in into:
            raise EditRefused("bad_place", "Restore the input set of this case first.")
        change = replace(change, after=Position(change.after.index, into[change.after.parent]))
    if change.kind == NodeKind.INPUT_SET and (change.before is None or change.after is None):
        return with_cases(back, change, sorted(pairs))
    return Difference((change,), pairs)


def with_cases(back: Difference, change: NodeChange, pairs: list[tuple[int, int]]) -> Difference:
    """An input set that comes or goes, with its cases; `pairs` are the sets of the draft, each with itself."""
    if change.after is None:
        gone = change.before.index if change.before else -1
        return Difference((change,), [(left, left - (left > gone)) for left, _ in pairs if left != gone])
    # The set stands in front of those that it stood in front of, as far as there are as many.
    place = min(change.after.index, len(pairs))
    cases = [
        replace(node, before=None, old=None, delta=None, is_moved=False, after=Position(node.after.index, place))
        for node in back.nodes
        if node.kind == NodeKind.CASE and node.after and node.after.parent == change.after.index and not node.before
    ]
    moved = [(left, left + (left >= place)) for left, _ in pairs]
    return Difference((replace(change, after=Position(place)), *cases), moved)


def restore_field(
    pack_row: Pack, kind: NodeKind, node: int, document: Document, field: FieldChange, author: Author
) -> Applied:
    """Make one field of a node what it was; `document` is the node's present one, in which `field` is found.

    Raises EditRefused (bad_pointer) where it cannot come back alone.
    """
    return replace_document(pack_row, kind, node, before(document, field), author)


def before(document: Document, field: FieldChange) -> Document:
    """A document in which one field is what it was."""
    steps = [str(step) for step in field.path]
    taken: Callable[..., Any] = replaced
    if field.act is Act.CHANGED:
        return dict(taken(document, steps, field.old))
    if field.act is Act.ADDED:
        return dict(taken(document, steps, ABSENT))
    holder = value_at(document, steps[:-1])
    if not isinstance(holder, list):
        if field.act is Act.MOVED:
            raise EditRefused("bad_pointer", "The order of keys comes back only with the whole node.")
        return dict(taken(document, steps, field.old))
    if field.act is Act.REMOVED:
        place = min(int(steps[-1]), len(holder))
        return dict(taken(document, [*steps[:-1], str(place)], field.old, insert=True))
    value = value_at(document, steps)
    place = min(field.old, len(holder) - 1)
    return dict(taken(taken(document, steps, ABSENT), [*steps[:-1], str(place)], value, insert=True))
