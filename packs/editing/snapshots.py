"""Nodes that come and go: what is kept of them, and how they come back exactly as they were.

A snapshot is `{"document", "position", "revision"}`, for a case also `"parent"` (id of its input set), for an asset
`"blob"` (digest or null), for an input set `"cases"`, a list of such mappings with `"id"`.
"""

from typing import Any

from django.db.models import Sum
from django.utils import timezone

from packs.editing.draft import Draft
from packs.formats.document import NodeKind
from packs.mirror import BATCH, MODELS, columns_of, ordered
from packs.models import Case


def snapshot(row: Any) -> dict[str, Any]:
    """What is kept of a row and of everything below it."""
    kept: dict[str, Any] = {"document": row.document, "position": row.position, "revision": row.revision}
    if row.kind is NodeKind.CASE:
        kept["parent"] = row.input_set_id
    if row.kind is NodeKind.ASSET:
        kept["blob"] = row.blob_id
    if row.kind is NodeKind.INPUT_SET:
        columns = ("pk", "document", "position", "revision")
        names = ("id", *columns[1:])
        kept["cases"] = [dict(zip(names, case, strict=True)) for case in ordered(row.cases).values_list(*columns)]
    return kept


def revive(draft: Draft, kind: NodeKind, pk: int | None, kept: dict[str, Any]) -> Any:
    """Make the row of a snapshot, under its old id where one is given; it is checked when the draft is finished."""
    row = new_row(draft, kind, pk, kept)
    if kind is NodeKind.CASE:
        row.input_set = draft.get(NodeKind.INPUT_SET, kept["parent"])
    if draft.is_bulk and pk is not None:
        draft.effects.everything = True
        draft.rows[kind, pk] = draft.changed[kind, pk] = row
        return row
    draft.effects.node_moved(draft.pack, row)
    row.save(force_insert=True)
    cases = [new_row(draft, NodeKind.CASE, case["id"], case) for case in kept.get("cases", ())]
    for case in cases:
        case.input_set = row
    Case.objects.bulk_create(cases, BATCH)
    draft.effects.everything |= bool(cases)
    draft.rows[kind, row.pk] = draft.changed[kind, row.pk] = row
    return row


def new_row(draft: Draft, kind: NodeKind, pk: int | None, kept: dict[str, Any]) -> Any:
    row = MODELS[kind](
        pk=pk,
        pack=draft.pack,
        position=kept["position"],
        document=kept["document"],
        # A row that comes back is saved once more when the draft is finished, which counts its revision up.
        revision=kept["revision"],
        updated_at=timezone.now(),
        **columns_of(draft.adapter, kind, kept["document"]),
    )
    if kind is NodeKind.ASSET:
        row.blob_id = kept.get("blob")
    return row


def erase(draft: Draft, row: Any) -> None:
    """Delete a row and everything below it; its problems leave the pack's totals."""
    if draft.is_bulk:
        draft.effects.everything = True
        draft.removed.append(row.pk)
        draft.rows[row.kind, row.pk] = None
        draft.changed.pop((row.kind, row.pk), None)
        return
    draft.effects.node_moved(draft.pack, row)
    errors, warnings = row.error_count, row.warning_count
    if row.kind is NodeKind.INPUT_SET:
        sums = row.cases.aggregate(errors=Sum("error_count"), warnings=Sum("warning_count"))
        errors, warnings = errors + (sums["errors"] or 0), warnings + (sums["warnings"] or 0)
    draft.pack.problem_errors -= errors
    draft.pack.problem_warnings -= warnings
    draft.rows[row.kind, row.pk] = None
    draft.changed.pop((row.kind, row.pk), None)
    type(row).objects.filter(pk=row.pk).delete()
