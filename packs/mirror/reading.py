"""From rows to the tree, and from a row to its place in it."""

from collections.abc import Iterator, Sequence
from typing import Any

from django.db import models

from packs import blobs
from packs.formats import document
from packs.formats.abilities import CONTENT_READERS, KEEPERS
from packs.formats.adapter import Adapter
from packs.formats.document import Address, NodeKind
from packs.formats.findings import Finding
from packs.mirror.rows import BATCH, format_of, ordered, restored
from packs.models import Asset, Case, Challenge, NodeRow, Pack, PackFile


class StoredCases(Sequence[document.Case]):
    """The cases of a set in the order of the tree, read from their rows each time they are walked through."""

    def __init__(self, adapter: Adapter, input_set: int) -> None:
        self._adapter = adapter
        self._rows = ordered(Case.objects.filter(input_set=input_set)).values_list("document", flat=True)

    def __len__(self) -> int:
        return int(self._rows.count())

    def __iter__(self) -> Iterator[document.Case]:
        for node_document in self._rows.iterator(chunk_size=BATCH):
            yield document.Case(*self._adapter.identify(NodeKind.CASE, node_document), node_document)

    def __getitem__(self, index: Any) -> Any:
        return list(self)[index]


def read_tree(pack_row: Pack, *, contents: bool = True, walks: bool = False) -> document.Pack:
    """The draft as a tree; without the bytes of assets and other files where `contents` is false.

    With `walks`, cases are not held in memory but read when they are walked through, for what does so once.
    """
    adapter = format_of(pack_row)
    cases: dict[int, Sequence[document.Case]] = (
        {pk: StoredCases(adapter, pk) for pk in pack_row.input_sets.values_list("pk", flat=True)}
        if walks
        else all_cases(adapter, pack_row)
    )
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
                adapter.identify(NodeKind.INPUT_SET, row.document)[0], row.document, cases.get(row.pk, ())
            )
            for row in ordered(pack_row.input_sets)
        ),
        assets=tuple(read_asset(adapter, row, contents) for row in ordered(pack_row.assets)),
        files=tuple(read_files(pack_row)) if contents else (),
    )


def read_alone(row: Case) -> document.Pack:
    """The draft with one of its cases alone, enough to compile it, however large the pack.

    Of challenges only that of the case is there, and bytes of files only where the format's tasks need them.
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
        assets=tuple(
            read_asset(adapter, asset, pack_row.format in CONTENT_READERS) for asset in ordered(pack_row.assets)
        ),
        withheld=withheld_by(pack_row.format, Case.objects.filter(pack=pack_row)),
    )


def withheld_by(name: str, cases: models.QuerySet[Any]) -> frozenset[str]:
    """The keys of assets that cases of a pack of the named format keep for graders."""
    keeper = KEEPERS.get(name)
    if keeper is None:
        return frozenset()
    stated = cases.filter(document__contains=keeper.SIGN).order_by().values_list("document", flat=True)
    return frozenset(key for document in stated.iterator(chunk_size=BATCH) for key in keeper.withheld_by(document))


def obstacles_to(row: Case) -> list[tuple[NodeRow, Finding]]:
    """The errors of a case, its challenge and the pack's document, each with its row: with them nothing is compiled."""
    challenges = Challenge.objects.filter(pack=row.pack, key=row.challenge_key).order_by("position")[:1]
    rows: list[NodeRow] = [row, row.pack, *challenges]
    found = ((holder, restored(item)) for holder in rows for item in holder.findings)
    return [(holder, finding) for holder, finding in found if finding.is_error]


def all_cases(adapter: Adapter, pack_row: Pack) -> dict[int, Sequence[document.Case]]:
    """The cases of a draft by the id of their set."""
    cases: dict[int, list[document.Case]] = {}
    rows = Case.objects.filter(pack=pack_row).order_by("position", "pk").values_list("input_set_id", "document")
    for set_id, node_document in rows.iterator(chunk_size=BATCH):
        key, challenge_key = adapter.identify(NodeKind.CASE, node_document)
        cases.setdefault(set_id, []).append(document.Case(key, challenge_key, node_document))
    return {set_id: tuple(found) for set_id, found in cases.items()}


def read_asset(adapter: Adapter, row: Asset, contents: bool) -> document.Asset:
    content = blobs.read(row.blob_id) if contents and row.blob_id else None
    key, _ = adapter.identify(NodeKind.ASSET, row.document)
    return document.Asset(key, document.asset_path(row.document), row.document, content, bool(row.blob_id))


def read_files(pack_row: Pack) -> Iterator[document.File]:
    for file in PackFile.objects.filter(pack=pack_row).order_by("path"):
        yield document.File(file.path, blobs.read(file.blob_id))


def file_digests(pack_row: Pack) -> dict[str, str]:
    """The other files of a draft: path to digest."""
    return dict(PackFile.objects.filter(pack=pack_row).order_by("path").values_list("path", "blob_id"))


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
