"""Setting and removing values inside documents, by form field, by YAML lens or in bulk."""

from collections.abc import Iterable, Sequence
from typing import Any

from packs.editing.differences import differences
from packs.editing.draft import Author, Draft, changing
from packs.editing.following import follow
from packs.editing.pointers import list_index, path_in, replaced, require_json, storable, value_at
from packs.editing.values import ABSENT, Applied, Change, Conflict, EditRefused, NodeId, Seen, TooHeavy
from packs.formats.comparing import same
from packs.formats.costs import is_heavy
from packs.formats.document import Document, NodeKind
from packs.formats.findings import from_pointer, to_pointer
from packs.models import Edit, NodeRow, Pack


def apply(
    pack_row: Pack,
    changes: Iterable[Change],
    author: Author,
    seen_revision: int | Seen | None = None,
    label: str = "",
    known: NodeRow | None = None,
    most_followers: int | None = None,
) -> Applied:
    """Make changes in one transaction, in their order. What refers to a node that gets another key follows.

    A change of a place that was edited after the draft's `seen_revision` is not made but returned as a conflict; the
    others are. Without `seen_revision` nothing conflicts. A change that changes nothing leaves no edit. `known` is a
    node that was read after `pack_row`, so that it need not be read again.

    Raises EditRefused (no_such_node, bad_pointer, not_a_document), and TooManyFollow where more than `most_followers`
    nodes of a kind would have to follow a key, TooHeavy for a document that is too much for those who set this limit;
    then nothing is written.
    """
    conflicts, wanted = [], list(changes)
    seen = Seen(seen_revision) if isinstance(seen_revision, int) else seen_revision
    with changing(pack_row, author, label, known) as draft:
        draft.prepare((change.kind, change.node) for change in wanted)
        if most_followers is not None:
            require_light(draft, {(change.kind, change.node) for change in wanted})
        for change in wanted:
            clash = make(draft, change, seen)
            if clash is not None:
                conflicts.append(clash)
        follow(draft, most_followers)
        applied = draft.finish()
    applied.conflicts = conflicts
    return applied


def require_light(draft: Draft, nodes: Iterable[NodeId]) -> None:
    """Raises TooHeavy where the document of a node is too much for a request."""
    if any(is_heavy(row.document) for row in (draft.find(*node) for node in nodes) if row is not None):
        raise TooHeavy


def replace_document(
    pack_row: Pack,
    kind: NodeKind,
    node: int,
    document: Document,
    author: Author,
    seen_revision: int | None = None,
    *,
    seen_document: Document | None = None,
) -> Applied:
    """Give a node a whole new document, as the smallest edits that lead there.

    With `seen_document`, the document that the author started from, only what the author changed is written, and what
    others changed elsewhere since then stays.

    Raises EditRefused as `apply` does.
    """
    if not isinstance(document, dict):
        raise EditRefused("not_a_document", "A document must be a mapping.")
    present = seen_document if seen_document is not None else document_of(pack_row, kind, node)
    return apply(pack_row, as_changes(kind, node, present, document), author, seen_revision)


def as_changes(kind: NodeKind, node: int, old: Document, new: Document) -> list[Change]:
    """The changes that lead from one document of a node to another."""
    return [
        Change(kind, node, to_pointer(step.steps), step.value, step.insert, step.index)
        for step in differences(old, new)
    ]


def document_of(pack_row: Pack, kind: NodeKind, node: int) -> Document:
    """The present document of a node.

    Raises EditRefused (no_such_node).
    """
    found: Document = Draft(pack_row, None).get(kind, node).document
    return found


def make(draft: Draft, change: Change, seen: Seen | None) -> Conflict | None:
    """Make one change, unless somebody was there first."""
    steps = steps_of(change.pointer)
    row = draft.find(change.kind, change.node)
    clash = clash_of(draft, change, steps, seen, row)
    if clash is not None:
        return clash
    row = draft.get(change.kind, change.node)
    require_json(list(steps))
    value, noticed = storable(change.value)
    steps = resolved(row.document, steps)
    holder = value_at(row.document, steps[:-1]) if steps else None
    inserts = isinstance(holder, list) and (change.insert or steps[-1] == str(len(holder)))
    old = ABSENT if inserts else value_at(row.document, steps)
    if same(old, value):
        return None
    document = replaced(row.document, steps, value, insert=change.insert, index=change.index)
    draft.remember_key(row)
    draft.record_value(row, steps, old, value, document)
    draft.set_document(row, document)
    draft.notice(row, noticed, path_in(document, steps))
    return None


def steps_of(pointer: str) -> tuple[str, ...]:
    try:
        return from_pointer(pointer)
    except ValueError as error:
        raise EditRefused("bad_pointer", str(error)) from error


def resolved(document: Document, steps: Sequence[str]) -> tuple[str, ...]:
    """The steps with a last `-` written as the index that it means."""
    holder = value_at(document, steps[:-1]) if steps else None
    if isinstance(holder, list) and steps[-1] == "-":
        return (*steps[:-1], str(len(holder)))
    return tuple(steps)


def clash_of(draft: Draft, change: Change, steps: Sequence[str], seen: Seen | None, row: Any | None) -> Conflict | None:
    """The newest edit that touched the same place and was not `seen`, as a conflict."""
    if seen is None or seen.revision >= draft.pack.revision:
        return None
    since = Edit.objects.filter(pack=draft.pack, kind=change.kind, node=change.node, touched__gt=seen.revision)
    if seen.own:
        since = since.exclude(touched__in=seen.own, author=draft.author)
    theirs = value_at(row.document, steps) if row is not None else ABSENT
    said = row.document if row is not None and not change.insert and same(theirs, change.value) else None
    for edit in since.select_related("author").order_by("-touched", "-id"):
        # Both said the same, unless the place means another element of a list by now.
        if said is not None and not is_elsewhere(edit, steps, said):
            continue
        if row is None or overlaps(edit, steps, row.document):
            author = edit.author.get_username() if edit.author else ""
            return Conflict(
                change.kind, change.node, change.pointer, change.value, theirs, author=author, revision=edit.touched
            )
    return None


def overlaps(edit: Edit, steps: Sequence[str], document: Document) -> bool:
    """Whether an edit changed the value at `steps`, something above or below it, or what its list indices mean."""
    if edit.action != Edit.Action.SET:
        return edit.action in {Edit.Action.ADD, Edit.Action.REMOVE}
    edited = from_pointer(edit.pointer)
    if all(a == b for a, b in zip(edited, steps, strict=False)):
        return True
    return shifts(edit, edited, steps, document)


def is_elsewhere(edit: Edit, steps: Sequence[str], document: Document) -> bool:
    """Whether `steps` may lead to another element of a list than before an edit, one that it did not remove itself."""
    edited = from_pointer(edit.pointer)
    return edit.action == Edit.Action.SET and edited != tuple(steps) and shifts(edit, edited, steps, document)


def shifts(edit: Edit, edited: Sequence[str], steps: Sequence[str], document: Document) -> bool:
    """Whether an edit put an element into, or took one out of, a list in front of the element that `steps` enter."""
    if (edit.old and edit.new) or len(steps) < len(edited):
        return False
    holder = value_at(document, edited[:-1])
    if not isinstance(holder, list) or tuple(steps[: len(edited) - 1]) != tuple(edited[:-1]):
        return False
    mine, other = list_index(holder, steps[len(edited) - 1]), list_index(holder, edited[-1])
    return mine is None or other is None or other <= mine
