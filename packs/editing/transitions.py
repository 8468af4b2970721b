"""Carrying out one edit on the rows, forwards or backwards: from what was to what shall be."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from packs.editing.draft import Draft
from packs.editing.pointers import replaced, value_at
from packs.editing.snapshots import erase, revive, snapshot
from packs.editing.values import ABSENT, Conflict, EditRefused
from packs.formats.comparing import same
from packs.formats.document import NodeKind
from packs.formats.findings import from_pointer
from packs.mirror import file_digests, write_files
from packs.models import Edit, Pack


@dataclass(frozen=True, slots=True)
class Transition:
    """An edit with its direction: `old` and `new` as in `Edit`, swapped when it is undone."""

    edit: Edit
    old: list[Any]
    new: list[Any]

    @property
    def kind(self) -> NodeKind:
        return NodeKind(self.edit.kind)


def forwards(edit: Edit) -> Transition:
    return Transition(edit, edit.old, edit.new)


def backwards(edit: Edit) -> Transition:
    return Transition(edit, edit.new, edit.old)


def carry_out(draft: Draft, transition: Transition) -> Conflict | None:
    """Make a recorded edit happen again or unhappen. A conflict says what stands in the way; then nothing was done."""
    edit = transition.edit
    row = draft.find(transition.kind, edit.node)
    if edit.action in {Edit.Action.ADD, Edit.Action.REMOVE}:
        return come_or_go(draft, transition, row)
    if row is None:
        return conflict(transition, ABSENT)
    return IN_PLACE[edit.action](draft, transition, row)


def conflict(transition: Transition, theirs: Any) -> Conflict:
    yours = transition.new[0] if transition.new else ABSENT
    return Conflict(transition.kind, transition.edit.node, transition.edit.pointer, yours, theirs)


def set_value(draft: Draft, transition: Transition, row: Any) -> Conflict | None:
    steps = from_pointer(transition.edit.pointer)
    present = value_at(row.document, steps)
    expected = transition.old[0] if transition.old else ABSENT
    in_list = bool(steps) and isinstance(value_at(row.document, steps[:-1]), list)
    if not same(present, expected) and not (in_list and expected is ABSENT):
        return conflict(transition, present)
    new = transition.new[0] if transition.new else ABSENT
    index = transition.edit.place.get("index")
    try:
        document = replaced(row.document, steps, new, insert=in_list and expected is ABSENT, index=index)
    except EditRefused:
        return conflict(transition, ABSENT)
    draft.set_document(row, document)
    return None


def come_or_go(draft: Draft, transition: Transition, row: Any | None) -> Conflict | None:
    if transition.new:
        parent = transition.edit.place.get("parent")
        if row is not None or (parent and draft.find(NodeKind.INPUT_SET, parent) is None):
            return conflict(transition, ABSENT)
        revive(draft, transition.kind, transition.edit.node, transition.new[0])
        return None
    if row is None or not is_unchanged(row, transition.old[0]):
        return conflict(transition, row.document if row else ABSENT)
    keep_as_it_goes(transition, snapshot(row))
    erase(draft, row)
    return None


def keep_as_it_goes(transition: Transition, kept: dict[str, Any]) -> None:
    """Make the edit hold the node as it is when it goes, so that it comes back at the place that it has had last."""
    edit = transition.edit
    if kept != transition.old[0]:
        edit.new, edit.old = ([kept], edit.old) if edit.action == Edit.Action.ADD else (edit.new, [kept])
        edit.save(update_fields=["new", "old"])


def is_unchanged(row: Any, kept: dict[str, Any]) -> bool:
    """Whether a row, and every case of a set, still says what its snapshot says."""
    if not same(row.document, kept["document"]):
        return False
    if row.kind is not NodeKind.INPUT_SET:
        return True
    present = dict(row.cases.values_list("pk", "document"))
    before = {case["id"]: case["document"] for case in kept["cases"]}
    return present.keys() == before.keys() and all(same(present[pk], before[pk]) for pk in present)


def set_place(draft: Draft, transition: Transition, row: Any) -> Conflict | None:
    place = transition.new[0]
    parent = place.get("parent")
    if getattr(row, "input_set_id", None) != transition.old[0].get("parent"):
        return conflict(transition, {"position": row.position, "parent": row.input_set_id})
    if parent and draft.find(NodeKind.INPUT_SET, parent) is None:
        return conflict(transition, ABSENT)
    put_at(draft, row, place["position"], parent)
    return None


def put_at(draft: Draft, row: Any, position: int, parent: int | None) -> None:
    """Give a row another place among its siblings, or in another input set."""
    draft.effects.node_moved(draft.pack, row)
    row.position = position
    if parent and row.kind is NodeKind.CASE:
        row.input_set = draft.get(NodeKind.INPUT_SET, parent)
    draft.effects.node_moved(draft.pack, row)
    draft.changed[row.kind, row.pk] = row


def set_content(draft: Draft, transition: Transition, row: Any) -> Conflict | None:
    if row.blob_id != transition.old[0]:
        return conflict(transition, row.blob_id)
    row.blob_id = transition.new[0]
    draft.changed[row.kind, row.pk] = row
    return None


def source_of(pack: Pack) -> dict[str, Any]:
    """What was imported last into a draft, as an edit keeps it."""
    return {"blob": pack.source_id, "name": pack.source_name, "is_archive": pack.source_is_archive}


def set_source(pack: Pack, source: dict[str, Any]) -> None:
    """Make this what was imported last; the caller saves the pack."""
    pack.source_id, pack.source_name = source["blob"], source["name"]
    pack.source_is_archive = source["is_archive"]


def set_imported(draft: Draft, transition: Transition, row: Pack) -> Conflict | None:
    set_source(row, transition.new[0])
    return None


def set_files(draft: Draft, transition: Transition, row: Pack) -> Conflict | None:
    present = file_digests(row)
    if present != transition.old[0]:
        return conflict(transition, present)
    write_files(row, transition.new[0])
    return None


# How an edit of a node that stays is carried out.
IN_PLACE: dict[str, Callable[[Draft, Transition, Any], Conflict | None]] = {
    Edit.Action.SET: set_value,
    Edit.Action.MOVE: set_place,
    Edit.Action.CONTENT: set_content,
    Edit.Action.FILES: set_files,
    Edit.Action.SOURCE: set_imported,
}
