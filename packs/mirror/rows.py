"""What a row and a node of the tree have in common."""

import uuid
from collections.abc import Mapping
from typing import Any

from packs.formats import adapter_of
from packs.formats.adapter import Adapter, Node
from packs.formats.characters import storable
from packs.formats.document import Address, Document, NodeKind, asset_path
from packs.formats.findings import Finding, Severity
from packs.formats.identity import MAX_KEY
from packs.models import Asset, Case, Challenge, InputSet, NodeRow, Pack

MODELS: dict[NodeKind, Any] = {
    NodeKind.PACK: Pack,
    NodeKind.CHALLENGE: Challenge,
    NodeKind.INPUT_SET: InputSet,
    NodeKind.CASE: Case,
    NodeKind.ASSET: Asset,
}
BATCH = 2000

# What a check found, per node, as `stored` writes it.
Found = Mapping[Address, list[dict[str, Any]]]


def format_of(pack_row: Pack) -> Adapter:
    """The adapter of a pack's format."""
    return adapter_of(pack_row.format)


def stored(finding: Finding) -> dict[str, Any]:
    """A finding as a row keeps it; `restored` is the inverse."""
    return {
        "code": finding.code,
        "severity": finding.severity.value,
        "path": list(finding.path),
        "message": finding.message,
        "hint": finding.hint,
        "rule": finding.rule,
        "field": finding.field,
    }


def restored(data: Mapping[str, Any]) -> Finding:
    """The finding that a row keeps."""
    return Finding(
        code=data["code"],
        severity=Severity(data["severity"]),
        path=tuple(data["path"]),
        message=data["message"],
        hint=data["hint"],
        rule=data["rule"],
        field=data["field"],
    )


def column_text(text: str) -> str:
    """A key or title as a column holds it: at most MAX_KEY characters, without those that a database refuses."""
    return storable(text)[:MAX_KEY]


def columns_of(adapter: Adapter, kind: NodeKind, node_document: Document) -> dict[str, str]:
    """The columns of a row that repeat what its document states, for look-ups."""
    if kind is NodeKind.PACK:
        return {"title": column_text(adapter.title(node_document))}
    key, challenge_key = adapter.identify(kind, node_document)
    columns = {"key": column_text(key)}
    if kind is NodeKind.CASE:
        columns["challenge_key"] = column_text(challenge_key)
    if kind is NodeKind.ASSET:
        columns["path"] = column_text(asset_path(node_document))
    return columns


def node_of(row: NodeRow) -> Node:
    """A row as a check sees it. Positions are those of `RowIndex`: ordered, but with gaps."""
    if isinstance(row, Case):
        return Node(row.kind, row.document, row.key, row.challenge_key, row.input_set.position, row.position)
    if isinstance(row, Pack):
        return Node(row.kind, row.document)
    return Node(row.kind, row.document, row.key, position=row.position)  # type: ignore[attr-defined]


def put_findings(row: NodeRow, found: list[dict[str, Any]] | None) -> None:
    """Set a row's findings and their counts."""
    severities = [item["severity"] for item in found or ()]
    row.findings = found or []
    row.error_count = severities.count(Severity.ERROR)
    row.warning_count = severities.count(Severity.WARNING)


def ordered(rows: Any) -> Any:
    """Rows below a pack in the order of the tree."""
    return rows.order_by("position", "pk")


def as_uuid(text: str) -> uuid.UUID | None:
    """The UUID that a text spells, if it spells one."""
    try:
        return uuid.UUID(text)
    except ValueError:
        return None
