"""Stored documents: a published task is stored as the mapping of its file."""

from packs.formats.document import Case, Document


def stored_document(case: Case) -> Document:
    """What a published task is stored as; see `Adapter.stored_document`."""
    return case.document
