"""How much is too much for a request: the one definition for edits, every page and the API."""

from django.db.models import F, Sum, Value
from django.db.models.functions import Length, Replace

from packs.formats.costs import MANY_CASES, MAX_BYTES, MAX_VALUES
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
    size, values = _measured(pack)
    return size > MAX_BYTES or values > MAX_VALUES


def _measured(pack: Pack) -> tuple[int, int]:
    """How many characters the documents of a draft have, and about how many values: in JSON a comma stands between
    two."""
    size, count = 0, 0
    for kind in NodeKind:
        rows = MODELS[kind].objects.filter(**({"pk": pack.pk} if kind is NodeKind.PACK else {"pack": pack}))
        length = Length(F("document"))
        commas = length - Length(Replace(F("document"), Value(","), Value("")))
        found = rows.order_by().aggregate(size=Sum(length), commas=Sum(commas))
        size, count = size + (found["size"] or 0), count + (found["commas"] or 0)
    return size, count
