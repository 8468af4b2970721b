"""Stored documents: a published test is stored as its own mapping."""

from packs.formats.document import Case, Document


def stored_document(case: Case) -> Document:
    """What a published test is stored as; see `Adapter.stored_document`. Which folder it stood in is no part of it."""
    return {key: value for key, value in case.document.items() if key != "$folder"}
