"""The tree as rows, and rows as the tree: the only door between the two."""

import uuid
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from django.db import models
from django.utils import timezone

from packs import blobs
from packs.formats import adapter_of, document
from packs.formats.adapter import Adapter, Node
from packs.formats.document import Address, Document, NodeKind
from packs.formats.findings import Finding, Severity
from packs.models import (
    SPACING,
    Artifact,
    Asset,
    Case,
    Challenge,
    InputSet,
    NodeRow,
    Pack,
    PackFile,
    PackVersion,
    VersionCase,
    VersionInputSet,
)

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
    """A key or title as a column holds it: at most 255 characters, without those that a database refuses."""
    return text.replace("\0", "\N{SYMBOL FOR NULL}")[:255].encode("utf-8", "replace").decode()


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


def asset_path(node_document: Document) -> str:
    """The path that an asset's document states, trimmed; empty if it states none."""
    path = node_document.get("path")
    return path.strip() if isinstance(path, str) else ""


def node_of(row: NodeRow) -> Node:
    """A row as a check sees it. Positions are those of `RowIndex`: ordered, but with gaps."""
    if isinstance(row, Case):
        return Node(row.kind, row.document, row.key, row.challenge_key, row.input_set.position, row.position)
    if isinstance(row, Pack):
        return Node(row.kind, row.document)
    return Node(row.kind, row.document, row.key, position=row.position)  # type: ignore[attr-defined]


class RowIndex:
    """Answers `PackIndex` from rows by indexed queries; input sets are named by their position column."""

    def __init__(self, pack_row: Pack) -> None:
        self._row = pack_row
        self._sets: dict[int, int | None] = {}

    @property
    def pack(self) -> Document:
        found: Document = self._row.document
        return found

    def challenge(self, key: str) -> Document | None:
        return self._first(Challenge, key)

    def asset(self, key: str) -> Document | None:
        return self._first(Asset, key)

    def has_assets_at(self, path: str) -> bool:
        rows, key = Asset.objects.filter(pack=self._row.pk), column_text(path)
        # Databases differ in whether `startswith` minds upper and lower case.
        below = rows.filter(key__startswith=f"{key}/").values_list("key", flat=True)
        return bool(rows.filter(key=key).exists()) or any(name.startswith(f"{key}/") for name in below.iterator())

    def input_set(self, position: int) -> Document | None:
        rows = InputSet.objects.filter(pack=self._row.pk, position=position)
        found: Document | None = rows.values_list("document", flat=True).first()
        return found

    def set_challenge_key(self, input_set: int) -> str:
        cases = Case.objects.filter(input_set=self._set_id(input_set)).exclude(challenge_key="")
        return cases.order_by("position").values_list("challenge_key", flat=True).first() or ""

    def case_count(self, input_set: int) -> int:
        count: int = Case.objects.filter(input_set=self._set_id(input_set)).count()
        return count

    def is_repeated(self, node: Node) -> bool:
        if node.kind is NodeKind.PACK:
            return False
        same = MODELS[node.kind].objects.filter(key=column_text(node.key.strip()), position__lt=node.position)
        if node.kind is NodeKind.CASE:
            set_id = self._set_id(node.parent)
            return bool(same.filter(input_set=set_id, challenge_key=column_text(node.challenge_key.strip())).exists())
        return bool(same.filter(pack=self._row.pk).exists())

    def _first(self, model: type[Challenge | Asset], key: str) -> Document | None:
        rows = model.objects.filter(pack=self._row.pk, key=column_text(key.strip())).order_by("position")
        found: Document | None = rows.values_list("document", flat=True).first()
        return found

    def _set_id(self, position: int) -> int | None:
        if position not in self._sets:
            rows = InputSet.objects.filter(pack=self._row.pk, position=position)
            self._sets[position] = rows.values_list("pk", flat=True).first()
        return self._sets[position]


def read_tree(pack_row: Pack, *, contents: bool = True) -> document.Pack:
    """The draft as a tree; without the bytes of assets and other files where `contents` is false."""
    adapter = format_of(pack_row)
    cases: dict[int, list[document.Case]] = {}
    rows = Case.objects.filter(pack=pack_row).order_by("position", "pk").values_list("input_set_id", "document")
    for set_id, node_document in rows.iterator(chunk_size=BATCH):
        key, challenge_key = adapter.identify(NodeKind.CASE, node_document)
        cases.setdefault(set_id, []).append(document.Case(key, challenge_key, node_document))
    return document.Pack(
        format=pack_row.format,
        key=adapter.identify(NodeKind.PACK, pack_row.document)[0],
        document=pack_row.document,
        challenges=tuple(
            document.Challenge(adapter.identify(NodeKind.CHALLENGE, row.document)[0], row.document)
            for row in ordered(pack_row.challenges)
        ),
        input_sets=tuple(
            document.InputSet(
                adapter.identify(NodeKind.INPUT_SET, row.document)[0], row.document, tuple(cases.get(row.pk, ()))
            )
            for row in ordered(pack_row.input_sets)
        ),
        assets=tuple(read_asset(adapter, row, contents) for row in ordered(pack_row.assets)),
        files=tuple(read_files(pack_row)) if contents else (),
    )


def read_alone(row: Case) -> document.Pack:
    """The draft with one of its cases alone, without the bytes of files: enough to compile it, however large the pack.

    Of challenges only that of the case is there.
    """
    pack_row, adapter = row.pack, format_of(row.pack)
    challenges = Challenge.objects.filter(pack=pack_row, key=row.challenge_key).order_by("position")[:1]
    key, challenge_key = adapter.identify(NodeKind.CASE, row.document)
    set_key, _ = adapter.identify(NodeKind.INPUT_SET, row.input_set.document)
    case = document.Case(key, challenge_key, row.document)
    return document.Pack(
        format=pack_row.format,
        key=adapter.identify(NodeKind.PACK, pack_row.document)[0],
        document=pack_row.document,
        challenges=tuple(
            document.Challenge(adapter.identify(NodeKind.CHALLENGE, found.document)[0], found.document)
            for found in challenges
        ),
        input_sets=(document.InputSet(set_key, row.input_set.document, (case,)),),
        assets=tuple(read_asset(adapter, asset, False) for asset in ordered(pack_row.assets)),
    )


def obstacles_to(row: Case) -> list[tuple[NodeRow, Finding]]:
    """The errors of a case, its challenge and the pack's document, each with its row: with them nothing is compiled."""
    challenges = Challenge.objects.filter(pack=row.pack, key=row.challenge_key).order_by("position")[:1]
    rows: list[NodeRow] = [row, row.pack, *challenges]
    found = ((holder, restored(item)) for holder in rows for item in holder.findings)
    return [(holder, finding) for holder, finding in found if finding.is_error]


def as_uuid(text: str) -> uuid.UUID | None:
    """The UUID that a text spells, if it spells one."""
    try:
        return uuid.UUID(text)
    except ValueError:
        return None


def keep_artifacts(pack_row: Pack, asset_document: Document, digest: str) -> None:
    """Note the bytes of an asset under the id that its document states for them, if it states one.

    That is how a stored file gets its id: whoever writes it into an asset and gives the asset's bytes makes it known
    to the team, and every pack of the team may then refer to it.
    """
    for _, stated in format_of(pack_row).stored_files(NodeKind.ASSET, asset_document):
        artifact_id = as_uuid(stated)
        if artifact_id is not None:
            Artifact.objects.update_or_create(
                team_id=pack_row.team_id,
                artifact_id=artifact_id,
                defaults={"blob_id": digest, "name": asset_path(asset_document)[:500]},
            )


def ordered(rows: Any) -> Any:
    """Rows below a pack in the order of the tree."""
    return rows.order_by("position", "pk")


def read_asset(adapter: Adapter, row: Asset, contents: bool) -> document.Asset:
    content = blobs.read(row.blob_id) if contents and row.blob_id else None
    key, _ = adapter.identify(NodeKind.ASSET, row.document)
    return document.Asset(key, asset_path(row.document), row.document, content)


def read_files(pack_row: Pack) -> Iterator[document.File]:
    for file in PackFile.objects.filter(pack=pack_row).order_by("path"):
        yield document.File(file.path, blobs.read(file.blob_id))


def write_tree(pack_row: Pack, tree: document.Pack, found: Found | None = None) -> None:
    """Fill an empty draft with a tree, in bulk. The caller holds a transaction and has saved `pack_row`.

    `found` is what a check has found per node; the caller sees to the pack's totals. A draft that has nodes is changed
    by `packs.editing.replace_tree`, which keeps their rows and can be undone.
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
    for index, (set_row, input_set) in enumerate(zip(sets, tree.input_sets, strict=True)):
        owner = {"pack": pack_row, "input_set": set_row}
        Case.objects.bulk_create(new_rows(adapter, Case, input_set.cases, (index,), found, **owner), BATCH)
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
    now, rows = timezone.now(), []
    for index, node in enumerate(nodes):
        columns = columns_of(adapter, model.kind, node.document)
        row = model(**owner, position=index * SPACING, document=node.document, updated_at=now, **columns)
        if found:
            put_findings(row, found.get(Address(model.kind, (*above, index))))
        rows.append(row)
    return rows


def put_findings(row: NodeRow, found: list[dict[str, Any]] | None) -> None:
    """Set a row's findings and their counts."""
    severities = [item["severity"] for item in found or ()]
    row.findings = found or []
    row.error_count = severities.count(Severity.ERROR)
    row.warning_count = severities.count(Severity.WARNING)


def write_files(pack_row: Pack, digests: Mapping[str, str]) -> None:
    """Make the other files of a draft exactly these (path to digest)."""
    PackFile.objects.filter(pack=pack_row).delete()
    PackFile.objects.bulk_create(
        [PackFile(pack=pack_row, path=path, blob_id=digest) for path, digest in digests.items()], BATCH
    )


def file_digests(pack_row: Pack) -> dict[str, str]:
    """The other files of a draft: path to digest."""
    return dict(PackFile.objects.filter(pack=pack_row).order_by("path").values_list("path", "blob_id"))


def read_version(
    version: PackVersion, cases: Iterable[VersionCase] | None = None, *, contents: bool = True
) -> document.Pack:
    """A published version as a tree; only with the given cases (and the sets that hold them) where `cases` is given."""
    given = list(version.cases.order_by("input_set", "position")) if cases is None else list(cases)
    by_set: dict[int, list[VersionCase]] = {}
    for case in given:
        by_set.setdefault(case.input_set_id, []).append(case)
    sets: models.QuerySet[VersionInputSet] = version.input_sets.order_by("position")
    if cases is not None:
        sets = sets.filter(pk__in=list(by_set))
    adapter = adapter_of(version.pack.format)
    return document.Pack(
        format=version.pack.format,
        key=adapter.identify(NodeKind.PACK, version.document)[0],
        document=version.document,
        challenges=tuple(document.Challenge(item["key"], item["document"]) for item in version.challenges),
        input_sets=tuple(read_frozen_set(adapter, row, by_set.get(row.pk, [])) for row in sets),
        assets=tuple(read_frozen_asset(item, contents) for item in version.assets),
        files=tuple(document.File(item["path"], blobs.read(item["blob"])) for item in version.files if contents),
    )


def read_frozen_set(adapter: Adapter, row: VersionInputSet, rows: Iterable[VersionCase]) -> document.InputSet:
    key, _ = adapter.identify(NodeKind.INPUT_SET, row.document)
    cases = [(*adapter.identify(NodeKind.CASE, case.document), case.document) for case in rows]
    return document.InputSet(key, row.document, tuple(document.Case(*case) for case in cases))


def read_frozen_asset(item: Mapping[str, Any], contents: bool) -> document.Asset:
    content = blobs.read(item["blob"]) if contents and item["blob"] else None
    return document.Asset(item["key"], item["path"], item["document"], content)


def address_of(row: Any) -> Address:
    """Where a row stands in the tree, indices from 0; for field paths on screen."""
    if isinstance(row, Pack):
        return Address(NodeKind.PACK)
    if isinstance(row, Case):
        position = rank(Case.objects.filter(input_set=row.input_set_id), row)
        return Address(NodeKind.CASE, (*address_of(row.input_set).indices, position))
    return Address(row.kind, (rank(type(row).objects.filter(pack=row.pack_id), row),))


def rank(siblings: models.QuerySet[Any], row: Any) -> int:
    """How many siblings stand before a row."""
    earlier = models.Q(position__lt=row.position) | models.Q(position=row.position, pk__lt=row.pk)
    return siblings.filter(earlier).count()
