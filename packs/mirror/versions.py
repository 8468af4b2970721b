"""Published versions as trees."""

from collections.abc import Iterable, Mapping
from typing import Any

from django.db import models

from packs import blobs
from packs.formats import adapter_of, document
from packs.formats.abilities import PLANNERS
from packs.formats.adapter import Adapter
from packs.formats.document import NodeKind
from packs.mirror.reading import withheld_by
from packs.models import PackVersion, VersionCase, VersionInputSet


def read_version(
    version: PackVersion, cases: Iterable[VersionCase] | None = None, *, contents: bool = True
) -> document.Pack:
    """A published version as a tree; only with the given cases (and the sets that hold them) where `cases` is given.

    Without `contents` the bytes of assets and other files stay unread, but for those that tell whom a run will ask;
    nor is it told which assets the cases that are left out keep for graders.
    """
    given = list(version.cases.order_by("input_set_id", "position")) if cases is None else list(cases)
    by_set: dict[int, list[VersionCase]] = {}
    for case in given:
        by_set.setdefault(case.input_set_id, []).append(case)
    sets: models.QuerySet[VersionInputSet] = version.input_sets.order_by("position")
    if cases is not None:
        sets = sets.filter(pk__in=list(by_set))
    adapter, planner = adapter_of(version.pack.format), PLANNERS.get(version.pack.format)
    is_needed = planner.tells_of_judges if planner is not None else lambda name: False
    return document.Pack(
        format=version.pack.format,
        key=adapter.identify(NodeKind.PACK, version.document)[0],
        document=version.document,
        challenges=tuple(document.Challenge(item["key"], item["document"]) for item in version.challenges),
        input_sets=tuple(read_frozen_set(adapter, row, by_set.get(row.pk, [])) for row in sets),
        assets=tuple(read_frozen_asset(item, contents or is_needed(item["path"])) for item in version.assets),
        files=tuple(document.File(item["path"], blobs.read(item["blob"])) for item in version.files if contents),
        withheld=withheld_by(version.pack.format, version.cases.all()) if contents else frozenset(),
    )


def read_frozen_set(adapter: Adapter, row: VersionInputSet, rows: Iterable[VersionCase]) -> document.InputSet:
    key, _ = adapter.identify(NodeKind.INPUT_SET, row.document)
    cases = [(*adapter.identify(NodeKind.CASE, case.document), case.document) for case in rows]
    return document.InputSet(key, row.document, tuple(document.Case(*case) for case in cases))


def read_frozen_asset(item: Mapping[str, Any], contents: bool) -> document.Asset:
    content = blobs.read(item["blob"]) if contents and item["blob"] else None
    return document.Asset(item["key"], item["path"], item["document"], content, bool(item["blob"]))
