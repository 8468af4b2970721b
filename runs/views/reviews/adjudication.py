"""Deciding what counts where people who reviewed a trial differ."""

from typing import cast

from django.contrib import messages
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect

from packs.access import Permission, permissions
from packs.views.shared.signed_in import signed_in
from runs.jobs.scores.adjudicating import adjudicate
from runs.jobs.scores.reviewing import ReviewRefused, asked_of
from runs.results.agreement import disputed_in
from runs.views.reviews.queues import find_queue
from runs.views.reviews.reviews import request_rows, show_review, value_of


@signed_in("POST")
def adjudicate_review(request: HttpRequest, pk: int) -> HttpResponse:
    """Decide what counts of a trial, and go on to the next of its queue. Parameters: those of a review."""
    found = get_object_or_404(request_rows(request.user), pk=pk)
    if Permission.CURATE not in permissions(request.user, found.trial.run.team):
        raise PermissionDenied
    scores = {aspect.key: value_of(aspect, request.POST) for aspect in asked_of(found).aspects}
    try:
        adjudicate(found, cast(User, request.user), scores, request.POST.get("comment", "").strip())
    except ReviewRefused as refused:
        status = 422 if refused.code == "invalid_scores" else 409
        return show_review(request, found, status, problem=refused.message)
    return redirect("runs:queue-dispute", found.queue_id)


@signed_in("GET")
def next_dispute(request: HttpRequest, pk: int) -> HttpResponse:
    """Go to the next trial of a queue that waits for an adjudication, else back to the queue."""
    waiting = disputed_in(find_queue(request.user, pk))
    if waiting:
        return redirect("runs:review", waiting[0].pk)
    messages.success(request, "Nothing in this queue waits for an adjudication.")
    return redirect("runs:queue", pk)
