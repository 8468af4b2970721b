"""How much is too much for a request: the one definition for every page and for the API."""

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
    sizes = (rows.aggregate(size=Sum("blob__size"))["size"] or 0 for rows in (pack.assets, pack.files))
    return sum(sizes) > MAX_BYTES or _values_of(pack) > MAX_VALUES


def _values_of(pack: Pack) -> int:
    """About how many values the documents of a draft have: in JSON a comma stands between two."""
    count = 0
    for kind in NodeKind:
        rows = MODELS[kind].objects.filter(**({"pk": pack.pk} if kind is NodeKind.PACK else {"pack": pack}))
        commas = Length(F("document")) - Length(Replace(F("document"), Value(","), Value("")))
        count += rows.order_by().aggregate(commas=Sum(commas))["commas"] or 0
    return count
