"""The document of a node as it was at an earlier revision of the draft: what a form was drawn from."""

from packs.editing.pointers import replaced
from packs.editing.values import ABSENT, EditRefused
from packs.formats.document import Document
from packs.formats.findings import from_pointer
from packs.models import Edit, NodeRow, Pack


def document_seen(pack_row: Pack, row: NodeRow, revision: int) -> Document:
    """Take back, on paper, what was done to a node after `revision`.

    Where the way back cannot be walked (the node itself came or went) the present document is given; conflicts are
    then found by the revision alone.
    """
    if revision >= pack_row.revision:
        return row.document  # type: ignore[no-any-return]
    later = Edit.objects.filter(pack=pack_row, kind=row.kind.value, node=row.pk, touched__gt=revision)
    document: Document = row.document
    try:
        edits = later.filter(action=Edit.Action.SET)
        # Of what was undone together the first comes back first.
        for edit in sorted(edits, key=lambda each: (-each.touched, each.id if each.undone else -each.id)):
            document = _without(document, edit, revision)
    except EditRefused:
        return row.document  # type: ignore[no-any-return]
    return document


def _without(document: Document, edit: Edit, revision: int) -> Document:
    is_new = edit.revision > revision
    if is_new and edit.undone:
        return document
    # An edit of before was since undone, or made again: the other side of it was seen.
    before, after = (edit.new, edit.old) if not is_new and edit.undone else (edit.old, edit.new)
    steps = from_pointer(edit.pointer)
    index = edit.place.get("index") if isinstance(edit.place, dict) else None
    came_into_list = bool(before) and not after and bool(steps) and steps[-1].isdigit()
    value = before[0] if before else ABSENT
    found: Document = replaced(document, steps, value, insert=came_into_list, index=index)
    return found
