"""Where tests come from: what their metadata record, and what their workspace checks out (agentv G, J)."""

from typing import Any

from packs.formats.abilities import Origin
from packs.formats.agentv.generations import repositories_of
from packs.formats.agentv.merging import metadata_of
from packs.formats.agentv.places import repository_of
from packs.formats.document import Document


def origin_of(input_set: Document, case: Document) -> Origin:
    """The origin of a test: its metadata merged with the suite's, then the repository of its workspace."""
    metadata = metadata_of(input_set, case) or {}
    stated = [
        found
        for document in (case, input_set)
        for repository in repositories_of(document.get("workspace"))
        if (found := repository_of(repository)) is not None
    ]
    checked_out = stated[0] if stated else None
    return Origin(
        repository=_first(metadata, "repo_url", "source_repo") or (checked_out.location if checked_out else ""),
        commit=_first(metadata, "source_commit", "base_commit") or (checked_out.ref if checked_out else ""),
        file=_first(metadata, "source_file"),
        row=_first(metadata, "source_row"),
        is_checked_out=checked_out is not None,
    )


def _first(metadata: Document, *keys: str) -> str:
    found: Any = next((metadata[key] for key in keys if metadata.get(key) not in (None, "")), "")
    return found if isinstance(found, str) else str(found) if isinstance(found, int | float) else ""
