"""Stored documents: a published test is stored as its own mapping."""

from packs.formats.document import Case, Document


def stored_document(case: Case) -> Document:
    """What a published test is stored as; see `Adapter.stored_document`."""
    return case.document
