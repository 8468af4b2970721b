"""Stored documents: what a published row is stored as."""

from packs.formats.benchmark_pack.rows import tidy
from packs.formats.benchmark_pack.writer import canonical
from packs.formats.document import Case, Document, NodeKind


def stored_document(case: Case) -> Document:
    """The row in canonical order, without empty parts; see `Adapter.stored_document`."""
    return canonical(NodeKind.CASE, tidy(case.document))
