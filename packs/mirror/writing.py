"""From the tree to rows."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import islice
from typing import Any

from django.utils import timezone

from packs import blobs
from packs.formats import document
from packs.formats.adapter import Adapter
from packs.formats.document import Address, Document, NodeKind
from packs.mirror.rows import BATCH, Found, as_uuid, columns_of, format_of, put_findings
from packs.models import SPACING, Artifact, Asset, Case, Challenge, InputSet, Pack, PackFile


def keep_artifacts(pack_row: Pack, asset_document: Document, digest: str) -> None:
    """Note the bytes of an asset under the id that its document states for them, if it states one.

    That is how a stored file gets its id: writing it into an asset and giving the asset's bytes makes it known
    to the team, and every pack of the team may then refer to it.
    """
    for _, stated in format_of(pack_row).stored_files(NodeKind.ASSET, asset_document):
        artifact_id = as_uuid(stated)
        if artifact_id is not None:
            Artifact.objects.update_or_create(
                team_id=pack_row.team_id,
                artifact_id=artifact_id,
                defaults={"blob_id": digest, "name": document.asset_path(asset_document)[:500]},
            )


def write_tree(
    pack_row: Pack, tree: document.Pack, found: Found | None = None, tick: Callable[[int], None] = lambda _: None
) -> None:
    """Fill an empty draft with a tree, in bulk. The caller holds a transaction and has saved `pack_row`.

    `found` is what a check has found per node; the caller sees to the pack's totals. `tick` runs after each portion
    of cases how many are written. A draft that has nodes is changed by `packs.editing.replace_tree`, which keeps their
    rows and can be undone.
    """
    adapter, found = format_of(pack_row), found or {}
    pack_row.document = tree.document
    pack_row.title = columns_of(adapter, NodeKind.PACK, tree.document)["title"]
    put_findings(pack_row, found.get(Address(NodeKind.PACK)))
    pack_row.save()
    challenges = new_rows(adapter, Challenge, tree.challenges, found=found, pack=pack_row)
    Challenge.objects.bulk_create(challenges, BATCH)
    asset_rows = new_rows(adapter, Asset, tree.assets, found=found, pack=pack_row)
    for row, asset in zip(asset_rows, tree.assets, strict=True):
        if asset.content is not None:
            row.blob = blobs.put(asset.content)
            keep_artifacts(pack_row, asset.document, row.blob_id)
    Asset.objects.bulk_create(asset_rows, BATCH)
    sets = InputSet.objects.bulk_create(new_rows(adapter, InputSet, tree.input_sets, found=found, pack=pack_row), BATCH)
    done = 0
    for index, (set_row, input_set) in enumerate(zip(sets, tree.input_sets, strict=True)):
        owner = {"pack": pack_row, "input_set": set_row}
        rows = row_by_row(adapter, Case, input_set.cases, (index,), found, **owner)
        while some := list(islice(rows, BATCH)):
            Case.objects.bulk_create(some)
            done += len(some)
            tick(done)
    write_files(pack_row, {file.path: blobs.put(file.content).digest for file in tree.files})


def new_rows(
    adapter: Adapter,
    model: type[Any],
    nodes: Iterable[Any],
    above: tuple[int, ...] = (),
    found: Found | None = None,
    **owner: Any,
) -> list[Any]:
    """Unsaved rows for sibling nodes, spaced in their order; `above` are the indices of their parent."""
    return list(row_by_row(adapter, model, nodes, above, found, **owner))


def row_by_row(
    adapter: Adapter,
    model: type[Any],
    nodes: Iterable[Any],
    above: tuple[int, ...] = (),
    found: Found | None = None,
    **owner: Any,
) -> Iterator[Any]:
    """The same one by one: of many cases, only some have to be in memory."""
    now = timezone.now()
    for index, node in enumerate(nodes):
        columns = columns_of(adapter, model.kind, node.document)
        row = model(**owner, position=index * SPACING, document=node.document, updated_at=now, **columns)
        if found:
            put_findings(row, found.get(Address(model.kind, (*above, index))))
        yield row


def write_files(pack_row: Pack, digests: Mapping[str, str]) -> None:
    """Make the other files of a draft exactly these (path to digest)."""
    PackFile.objects.filter(pack=pack_row).delete()
    PackFile.objects.bulk_create(
        [PackFile(pack=pack_row, path=path, blob_id=digest) for path, digest in digests.items()], BATCH
    )
