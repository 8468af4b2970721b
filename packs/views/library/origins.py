"""The page that says where every case of a draft comes from."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import overload

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from packs.formats.abilities import TRACERS, Origin, Tracer
from packs.formats.document import Document
from packs.models import Case, Pack
from packs.views.shared.lookup import find_pack
from packs.views.shared.signed_in import signed_in

PAGE_ROWS = 100


@dataclass(frozen=True, slots=True)
class Traced:
    """A case with its origin."""

    pk: int
    key: str
    input_set: str
    origin: Origin


class Traces(Sequence[Traced]):
    """The cases of a draft in their order with their origins, worked out for those that are looked at."""

    def __init__(self, pack: Pack, tracer: Tracer) -> None:
        self._tracer = tracer
        self._sets = {row.pk: row for row in pack.input_sets.all()}
        rows = Case.objects.filter(pack=pack).order_by("input_set__position", "position", "pk")
        self._rows = rows.values_list("pk", "key", "input_set", "document")

    def __len__(self) -> int:
        return self._rows.count()

    def __iter__(self) -> Iterator[Traced]:
        return map(self._traced, self._rows.iterator())

    @overload
    def __getitem__(self, at: int) -> Traced: ...

    @overload
    def __getitem__(self, at: slice) -> list[Traced]: ...

    def __getitem__(self, at: int | slice) -> Traced | list[Traced]:
        return list(map(self._traced, self._rows[at])) if isinstance(at, slice) else self._traced(self._rows[at])

    def _traced(self, row: tuple[int, str, int, Document]) -> Traced:
        pk, key, input_set, document = row
        of_set = self._sets[input_set]
        return Traced(pk, key, of_set.key, self._tracer.origin_of(of_set.document, document))


def traced(pack: Pack, tracer: Tracer, query: str) -> Sequence[Traced]:
    """The cases of a draft in their order, those whose origin or key holds the words of `query`."""
    found, wanted = Traces(pack, tracer), query.casefold().split()
    return [each for each in found if all(word in words_of(each) for word in wanted)] if wanted else found


def words_of(each: Traced) -> str:
    origin = each.origin
    parts = (each.key, each.input_set, origin.repository, origin.commit, origin.file, origin.row)
    return " ".join(parts).casefold()


@signed_in("GET")
def origins(request: HttpRequest, team: str, slug: str) -> HttpResponse:
    """Where cases come from: repository, commit, file and row. Parameters: q (words), page."""
    subject = find_pack(request.user, team, slug)
    tracer, query = TRACERS.get(subject.pack.format), request.GET.get("q", "").strip()[:200]
    found = traced(subject.pack, tracer, query) if tracer else []
    shown = Paginator(found, PAGE_ROWS).get_page(request.GET.get("page"))
    context = {
        **subject.context,
        "has_tracer": tracer is not None,
        "query": query,
        "page": shown,
        "unknown": sum(not each.origin.is_known for each in shown),
    }
    return render(request, "packs/origins.html", context)
