"""Which nodes of a draft use an asset: by its key, by its path, or by a folder that it lies in."""

from collections.abc import Iterable, Iterator
from functools import reduce
from operator import or_
from pathlib import PurePosixPath
from typing import Any

from django.db.models import Q

from packs.columns import encode
from packs.formats.document import Document, NodeKind
from packs.mirror import MODELS, format_of
from packs.models import Pack
from packs.views.workbench.addresses import workbench_url

MAX_USES = 50
# How many documents that may use an asset are read.
MAX_READ = 2000
USERS = (NodeKind.PACK, NodeKind.CHALLENGE, NodeKind.INPUT_SET, NodeKind.CASE)


def uses(pack: Pack, key: str) -> list[tuple[str, str]]:
    """Name and address of each node that uses an asset, or a folder that it lies in."""
    key = key.strip()
    if not key:
        return []
    keys = [key, *(str(folder) for folder in PurePosixPath(key).parents if str(folder) != ".")]
    found = ((str(row), workbench_url(pack, row)) for row in _rows(pack, keys) if is_user(pack, row, keys))
    return [entry for entry, _ in zip(found, range(MAX_USES), strict=False)]


def is_user(pack: Pack, row: Any, keys: Iterable[str]) -> bool:
    """Whether a node would follow if one of these keys were another: then it refers to it."""
    follow = format_of(pack).renamed
    document: Document = row.document
    return any(
        follow(row.kind, document, NodeKind.ASSET, key, f"{key}-elsewhere", pack.document) != document for key in keys
    )


def _rows(pack: Pack, keys: list[str]) -> Iterator[Any]:
    """The nodes whose documents hold the name of the asset, or of a folder above it, at the end of some text."""
    ends = {encode(PurePosixPath(key).name)[1:] for key in keys}
    holds = reduce(or_, (Q(document__contains=end) for end in ends))
    for kind in USERS:
        rows = Pack.objects.filter(pk=pack.pk) if kind is NodeKind.PACK else MODELS[kind].objects.filter(pack=pack)
        yield from rows.filter(holds).order_by("pk")[:MAX_READ]
