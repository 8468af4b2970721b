"""The published versions of a pack, and their stored documents."""

import json
from typing import Any

from django.core.paginator import Paginator
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render

from packs.formats.document import NodeKind
from packs.mirror import format_of
from packs.models import PackVersion, VersionCase
from packs.views.shared.fragments import render_page
from packs.views.shared.lookup import find_pack, find_version
from packs.views.shared.signed_in import signed_in

PAGE_ROWS = 50


@signed_in("GET")
def versions(request: HttpRequest, team: str, slug: str) -> HttpResponse:
    subject = find_pack(request.user, team, slug)
    rows = subject.pack.versions.select_related("published_by").defer("document", "challenges", "assets", "files")
    page = Paginator(rows, PAGE_ROWS).get_page(request.GET.get("page"))
    context = {**subject.context, "page": page}
    return render(request, "packs/versions/list.html", context)


def chosen_cases(version: PackVersion, query: Any) -> QuerySet[VersionCase]:
    """The cases of a version, narrowed by input set and by a text in their keys, without their documents."""
    rows = version.cases.select_related("input_set").defer("document", "stored")
    if query.get("set"):
        rows = rows.filter(input_set__key=query["set"])
    if query.get("q"):
        rows = rows.filter(key__icontains=query["q"].strip())
    return rows.order_by("input_set__position", "position")


@signed_in("GET")
def version(request: HttpRequest, team: str, slug: str, number: int) -> HttpResponse:
    """One version with its cases. Parameters: set, q, page."""
    subject = find_pack(request.user, team, slug)
    found = find_version(subject.pack, number)
    page = Paginator(chosen_cases(found, request.GET), PAGE_ROWS).get_page(request.GET.get("page"))
    context = {
        **subject.context,
        "has_challenges": NodeKind.CHALLENGE in format_of(subject.pack).SCHEMA,
        "version": found,
        "sets": found.input_sets.defer("document"),
        "page": page,
        "q": request.GET.get("q", ""),
        "chosen_set": request.GET.get("set", ""),
    }
    return render_page(request, "packs/versions/version.html", "packs/versions/_cases.html", context)


@signed_in("GET")
def version_case(request: HttpRequest, team: str, slug: str, number: int, pk: int) -> HttpResponse:
    """The stored document of one case: what scoring and replay read."""
    subject = find_pack(request.user, team, slug)
    found = find_version(subject.pack, number)
    case = get_object_or_404(found.cases.select_related("input_set"), pk=pk)
    siblings = VersionCase.objects.filter(input_set=case.input_set).only("pk", "key")
    context = {
        "pack": subject.pack,
        "version": found,
        "case": case,
        "stored": json.dumps(case.stored, indent=2, ensure_ascii=False),
        "before": siblings.filter(position__lt=case.position).order_by("-position").first(),
        "after": siblings.filter(position__gt=case.position).order_by("position").first(),
    }
    return render(request, "packs/versions/case.html", context)
