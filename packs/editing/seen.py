"""The document of a node as it was at an earlier revision of the draft: what a form was drawn from."""

from packs.editing.points import carried_out, since
from packs.editing.values import EditRefused
from packs.formats.document import Document
from packs.models import Edit, NodeRow, Pack


def document_seen(pack_row: Pack, row: NodeRow, revision: int) -> Document:
    """Take back, on paper, what was done to a node after `revision`, what was undone and made again included.

    Where the way back cannot be walked (the node itself came or went) the present document is given; conflicts are
    then found by the revision alone.
    """
    document: Document = row.document
    if revision >= pack_row.revision:
        return document
    try:
        for transition in since(pack_row, revision, kind=row.kind.value, node=row.pk, action=Edit.Action.SET):
            document = carried_out(document, transition)
    except EditRefused:
        return row.document  # type: ignore[no-any-return]
    return document
