"""How much is too much for a request: the one definition for edits, every page and the API."""

from typing import Any

from django.db.models import F, QuerySet, Sum, Value
from django.db.models.functions import Length, Replace

from packs.formats.costs import MANY_CASES, MAX_BYTES, MAX_KEPT_BYTES, MAX_KEPT_VALUES, MAX_VALUES, is_heavy
from packs.formats.document import NodeKind
from packs.mirror import MODELS
from packs.models import Case, Pack


def is_large(pack: Pack) -> bool:
    """Whether work on the whole draft (a check, an export, publishing) is too much for a request."""
    if Case.objects.filter(pack=pack).order_by()[MANY_CASES : MANY_CASES + 1].exists():
        return True
    files = (rows.aggregate(size=Sum("blob__size"))["size"] or 0 for rows in (pack.assets, pack.files))
    if sum(files) > MAX_BYTES:
        return True
    size, values = 0, 0
    for kind in NodeKind:
        rows = MODELS[kind].objects.filter(**({"pk": pack.pk} if kind is NodeKind.PACK else {"pack": pack}))
        more = measured(rows)
        size, values = size + more[0], values + more[1]
    return size > MAX_BYTES or values > MAX_VALUES


def measured(rows: QuerySet[Any], column: str = "document") -> tuple[int, int]:
    """How many characters the documents of rows have, and about how many values: in JSON a comma stands between two."""
    length = Length(F(column))
    commas = length - Length(Replace(F(column), Value(","), Value("")))
    found = rows.order_by().aggregate(size=Sum(length), commas=Sum(commas))
    return found["size"] or 0, found["commas"] or 0


def short(rows: QuerySet[Any]) -> QuerySet[Any]:
    """The rows whose documents a request may read beside what it is about."""
    found: QuerySet[Any] = rows.alias(size=Length(F("document"))).filter(size__lte=MAX_BYTES)
    return found


def is_heavy_node(row: Any) -> bool:
    """Whether duplicating or removing a node, a set with all its cases, is too much for a request."""
    if is_heavy(row.document):
        return True
    if row.kind is not NodeKind.INPUT_SET:
        return False
    size, values = measured(row.cases)
    return size > MAX_KEPT_BYTES or values > MAX_KEPT_VALUES or row.cases.count() > MANY_CASES
