"""How a case is written: which of the format's styles it uses, and what that means for how it is stored."""

from dataclasses import dataclass

from packs.formats.document import Case, Document, NodeKind
from packs.views.workbench.desk import Desk


@dataclass(frozen=True, slots=True)
class Style:
    """The badge of a case."""

    word: str
    help: str


PAYLOAD_ONLY = Style(
    "Payload only",
    "Stored as its bare payload. Inputs, expectations, assets or a time limit make it a document of its own.",
)
STRUCTURED = Style("Structured", "Stored as a document with its inputs and expectations.")
ARTIFACT_HEAVY = Style("Artifact heavy", "Stored as a document that refers to assets of the version.")


def has_styles(desk: Desk) -> bool:
    """Whether cases of this format can be stored as a bare payload: only then do styles mean anything."""
    return "payload" in desk.adapter.SCHEMA[NodeKind.CASE]["properties"]


def style_of(desk: Desk) -> Style | None:
    """The style of the case on the desk: what it is stored as decides (challenge-pack b.2)."""
    if not has_styles(desk):
        return None
    key, challenge_key = desk.adapter.identify(NodeKind.CASE, desk.row.document)
    stored = desk.adapter.stored_document(Case(key, challenge_key, desk.row.document))
    if not isinstance(stored.get("schema_version"), int):
        return PAYLOAD_ONLY
    return ARTIFACT_HEAVY if uses_assets(stored) else STRUCTURED


def uses_assets(stored: Document) -> bool:
    """Whether a stored document names assets, in lists of its own or from its inputs and expectations."""
    parts = [*_items(stored, "inputs"), *_items(stored, "expectations")]
    return bool(stored.get("assets") or stored.get("artifacts")) or any(part.get("artifact_key") for part in parts)


def _items(stored: Document, name: str) -> list[Document]:
    found = stored.get(name)
    return [item for item in found if isinstance(item, dict)] if isinstance(found, list) else []
