"""The catalogue of packs: search, facets, order; the address holds the whole state."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.core.paginator import Paginator
from django.db.models import Count, F, IntegerField, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.http import HttpRequest, HttpResponse, QueryDict

from packs.access import PACK_LABEL
from packs.companion import companion
from packs.formats import FORMATS, adapter_of
from packs.models import Case, Pack, PackStatus, PackVersion
from packs.views.shared.fragments import render_page
from packs.views.shared.signed_in import signed_in

PAGE_ROWS = 50
ORDERS = {
    "title": ("label", "slug"),
    "changed": ("updated_at",),
    "cases": ("case_total",),
    "problems": ("problem_errors", "problem_warnings"),
    "version": ("newest_number",),
    "share": ("last_share",),
}
DEFAULT_ORDER = "-changed"


@dataclass(frozen=True, slots=True)
class Facet:
    """A choice that narrows the list, with what it would show and the address that chooses or drops it."""

    label: str
    url: str
    total: int
    chosen: bool


def counted(rows: QuerySet[Pack]) -> QuerySet[Pack]:
    """Add `case_total`, `newest_number` and `newest_version` without a query per row."""
    cases = Case.objects.filter(pack=OuterRef("pk")).order_by().values("pack").annotate(n=Count("pk")).values("n")
    newest = PackVersion.objects.filter(pack=OuterRef("pk")).order_by("-number")
    return rows.annotate(
        case_total=Coalesce(Subquery(cases, output_field=IntegerField()), 0),
        newest_number=Subquery(newest.values("number")[:1]),
        newest_version=Subquery(newest.values("pk")[:1]),
    )


def search(rows: QuerySet[Pack], text: str) -> QuerySet[Pack]:
    """Packs whose title or slug holds every word of the text."""
    for word in text.split()[:8]:
        rows = rows.filter(Q(title__icontains=word) | Q(slug__icontains=word))
    return rows


def toggled(query: QueryDict, name: str, value: str) -> str:
    """The address of the list with `value` chosen, or dropped when it is chosen already."""
    params = query.copy()
    params.pop("page", None)
    if params.get(name) == value:
        del params[name]
    else:
        params[name] = value
    return f"?{params.urlencode()}"


def facets(
    rows: QuerySet[Pack], query: QueryDict, name: str, labels: Mapping[str, str], column: str = ""
) -> list[Facet]:
    """The choices of one column that occur in `rows`, in the order of `labels`.

    `name` is what the address calls it; the column has the same name unless another is said.
    """
    totals = dict(rows.order_by().values_list(column or name).annotate(Count("pk")))
    return facets_of(totals, query, name, labels)


def facets_of(totals: Mapping[str, int], query: QueryDict, name: str, labels: Mapping[str, str]) -> list[Facet]:
    """The choices that have a total, in the order of `labels`; `name` is what the address calls their column."""
    chosen = query.get(name, "")
    return [
        Facet(label, toggled(query, name, value), totals.get(value, 0), value == chosen)
        for value, label in labels.items()
        if value in totals or value == chosen
    ]


def team_facets(rows: QuerySet[Pack], query: QueryDict) -> list[Facet]:
    """The teams that have packs among `rows`, by name."""
    totals = rows.order_by("team__name").values_list("team__slug", "team__name").annotate(Count("pk"))
    chosen = query.get("team", "")
    return [Facet(name, toggled(query, "team", slug), total, slug == chosen) for slug, name, total in totals]


def ordered(rows: QuerySet[Pack], order: str) -> QuerySet[Pack]:
    """Sort by a key of ORDERS, downwards with a minus sign; what has no value comes last."""
    key, is_down = order.removeprefix("-"), order.startswith("-")
    columns = ORDERS.get(key, ORDERS["changed"])
    rows = rows.annotate(last_share=companion().last_share()) if key == "share" else rows
    rows = rows.annotate(label=PACK_LABEL) if key == "title" else rows
    keys = [F(name).desc(nulls_last=True) if is_down else F(name).asc(nulls_last=True) for name in columns]
    return rows.order_by(*keys, "pk")


@dataclass(frozen=True, slots=True)
class CatalogueRow:
    """A line of the list."""

    pack: Pack
    last_run: Any
    can_run: bool


def page_rows(page: Iterable[Pack], user: Any) -> list[CatalogueRow]:
    packs = list(page)
    runs = companion().newest(pack.pk for pack in packs)
    runnable = Pack.objects.runnable_by(user).filter(pk__in=[pack.pk for pack in packs])
    may_run = set(runnable.order_by().values_list("pk", flat=True))
    return [CatalogueRow(pack, runs.get(pack.pk), pack.pk in may_run) for pack in packs]


def catalogue_context(request: HttpRequest) -> dict[str, Any]:
    query = request.GET
    found = search(Pack.objects.visible_to(request.user), query.get("q", ""))
    shown = found.filter(status=query["status"]) if query.get("status") else found.exclude(status=PackStatus.ARCHIVED)
    if query.get("format"):
        shown = shown.filter(format=query["format"])
    if query.get("team"):
        shown = shown.filter(team__slug=query["team"])
    order = query.get("sort") or DEFAULT_ORDER
    rows = ordered(counted(shown.select_related("team")), order).defer("document", "findings")
    page = Paginator(rows, PAGE_ROWS).get_page(query.get("page"))
    return {
        "page": page,
        "rows": page_rows(page.object_list, request.user),
        "formats": facets(found, query, "format", {name: adapter_of(name).LABEL for name in FORMATS}),
        "teams": team_facets(found, query),
        "statuses": facets(found, query, "status", dict(PackStatus.choices)),
        "sort": order,
        "q": query.get("q", ""),
        "kept": {name: query[name] for name in ("team", "format", "status", "sort") if query.get(name)},
        "is_narrowed": any(query.get(name) for name in ("q", "team", "format", "status")),
    }


@signed_in("GET")
def catalogue(request: HttpRequest) -> HttpResponse:
    """Packs that the user may see. Parameters: q, format, status, sort, page."""
    return render_page(request, "packs/catalogue.html", "packs/_pack_rows.html", catalogue_context(request))
