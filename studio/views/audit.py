"""The audit log: a page with filters, and the same as a file."""

from django.core.exceptions import PermissionDenied
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import render

from packs.audit import FILTERS, GROUPS, KINDS, may_read_log, narrowed
from packs.models import AuditEvent
from packs.views.shared.signed_in import signed_in
from studio.audit.reading import CHUNK, as_csv, as_jsonl

PAGE_ROWS = 100
FILES = {"jsonl": (as_jsonl, "application/x-ndjson"), "csv": (as_csv, "text/csv; charset=utf-8")}


@signed_in("GET")
def audit_log(request: HttpRequest) -> HttpResponse:
    """What happened in the teams that the user curates, newest first. Parameters: the filters, page."""
    if not may_read_log(request.user):
        raise PermissionDenied
    teams = AuditEvent.objects.readable_by(request.user).exclude(team=None).order_by("team__name")
    page = Paginator(narrowed(request.user, request.GET.dict()), PAGE_ROWS).get_page(request.GET.get("page"))
    query = request.GET.copy()
    query.pop("page", None)
    context = {
        "page": page,
        "events": [(event, KINDS.get(event.kind, event.kind)) for event in page],
        "teams": list(teams.values_list("team__slug", "team__name").distinct()),
        "kinds": [*((group, f"{group.replace('_', ' ').capitalize()}: all") for group in GROUPS), *KINDS.items()],
        "asked": {name: request.GET.get(name, "") for name in FILTERS},
        "query": query.urlencode(),
    }
    return render(request, "studio/audit.html", context)


@signed_in("GET")
def audit_file(request: HttpRequest, shape: str) -> StreamingHttpResponse:
    """The events that match as JSON Lines or CSV. Parameters: the filters."""
    if not may_read_log(request.user):
        raise PermissionDenied
    if shape not in FILES:
        raise Http404
    write, media = FILES[shape]
    rows = narrowed(request.user, request.GET.dict()).iterator(CHUNK)
    headers = {"Content-Disposition": f'attachment; filename="audit.{shape}"', "X-Content-Type-Options": "nosniff"}
    return StreamingHttpResponse(write(rows), content_type=media, headers=headers)
