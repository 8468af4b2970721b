"""Probes that a model suggests for a case, beside its proof."""

from typing import Any, cast

from django.contrib.auth.models import User
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import reverse

from packs.access import Permission
from packs.editing import EditRefused
from packs.quotas import QuotaReached
from packs.views.shared.signed_in import signed_in
from runs.jobs.proofs import is_quick, prove_case
from runs.jobs.suggesting import DECISIONS, DISMISS, decide, start_suggesting
from runs.models.suggestions import Suggestion
from runs.views.packs.proofs import case_for, moved, show_case


@signed_in("POST")
def ask(request: HttpRequest, pk: int) -> HttpResponse:
    """Have a model suggest probes of a case, by a job. Parameters: model (id of a connection, a colon, a name)."""
    case = case_for(request, pk, Permission.RUN)
    connection, _, model = request.POST.get("model", "").partition(":")
    if not connection.isdecimal():
        raise Http404
    try:
        job = start_suggesting(case, int(connection), model, cast(User, request.user))
    except (EditRefused, QuotaReached) as refused:
        return show_case(request, case, refused.message, 422)
    return moved(request, reverse("packs:job", args=[job.pk]))


@signed_in("POST")
def settle(request: HttpRequest, pk: int) -> HttpResponse:
    """Keep a suggestion in `proof.yaml`, or dismiss it. Parameters: decision (right, wrong, dismiss)."""
    rows: Any = Suggestion.objects.visible_to(request.user)
    suggestion = get_object_or_404(rows, pk=pk)
    case, decision = case_for(request, suggestion.node, Permission.EDIT), request.POST.get("decision", "")
    if decision not in DECISIONS:
        raise Http404
    try:
        decide(suggestion, case, decision, cast(User, request.user))
        if decision != DISMISS and is_quick(case):
            prove_case(case)
    except EditRefused as refused:
        return show_case(request, case, refused.message, 422)
    return show_case(request, case)
