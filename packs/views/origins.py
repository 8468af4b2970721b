"""The page that says where every case of a draft comes from."""

from dataclasses import dataclass

from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from packs.formats.abilities import Origin, Tracer, tracer_of
from packs.models import Case, Pack
from packs.views.lookup import find_pack

PAGE_ROWS = 100


@dataclass(frozen=True, slots=True)
class Traced:
    """A case with its origin."""

    case: Case
    origin: Origin


def traced(pack: Pack, tracer: Tracer, query: str) -> list[Traced]:
    """The cases of a draft in their order, those whose origin or key holds the words of `query`."""
    rows = Case.objects.filter(pack=pack).select_related("input_set").order_by("input_set__position", "position", "pk")
    found = [Traced(row, tracer.origin_of(row.input_set.document, row.document)) for row in rows.iterator()]
    wanted = query.casefold().split()
    return [each for each in found if all(word in words_of(each) for word in wanted)]


def words_of(each: Traced) -> str:
    origin = each.origin
    parts = (each.case.key, each.case.input_set.key, origin.repository, origin.commit, origin.file, origin.row)
    return " ".join(parts).casefold()


@login_required
@require_GET
def origins(request: HttpRequest, team: str, slug: str) -> HttpResponse:
    """Where cases come from: repository, commit, file and row. Parameters: q (words), page."""
    subject = find_pack(request.user, team, slug)
    tracer, query = tracer_of(subject.pack.format), request.GET.get("q", "").strip()[:200]
    found = traced(subject.pack, tracer, query) if tracer else []
    context = {
        **subject.context,
        "has_tracer": tracer is not None,
        "query": query,
        "page": Paginator(found, PAGE_ROWS).get_page(request.GET.get("page")),
        "unknown": sum(not each.origin.is_known for each in found),
    }
    return render(request, "packs/origins.html", context)
