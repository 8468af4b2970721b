"""What a document says of its node by itself: its keys, the number of its version."""

from packs.formats.document import Document, NodeKind, Pack
from packs.formats.values import trimmed


def identify(kind: NodeKind, document: Document) -> tuple[str, str]:
    """Key and challenge key that a document states; see `Adapter.identify`."""
    if kind is NodeKind.CASE:
        key = trimmed(document.get("case_key")) or trimmed(document.get("item_key"))
        return key, trimmed(document.get("challenge_key"))
    if kind is NodeKind.PACK:
        identity = document.get("pack")
        return (trimmed(identity.get("slug")) if isinstance(identity, dict) else "", "")
    return trimmed(document.get("key")), ""


def version_number(pack: Pack) -> int | None:
    """The version number that a pack states; None when it is absent or no positive whole number."""
    version = pack.document.get("version")
    number = version.get("number") if isinstance(version, dict) else None
    return number if isinstance(number, int) and not isinstance(number, bool) and number > 0 else None
