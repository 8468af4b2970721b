"""How far people agree who reviewed the trials of a run."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from packs.access import Permission, permissions
from packs.views.shared.signed_in import signed_in
from runs.models import ReviewRequest
from runs.results.agreement import agreement_of
from runs.results.labels import gold_rows
from runs.results.queues import queues_of
from runs.views.results.results import find_run, head_context

SHOWN_GOLD = 200


@signed_in("GET")
def agreement_page(request: HttpRequest, pk: int) -> HttpResponse:
    """The reviews of a run: how many there are, where people agree, and the trials of which they do not."""
    subject = find_run(request.user, pk)
    asked = ReviewRequest.objects.current().filter(trial__run=pk)
    found = agreement_of(subject.run)
    context = {
        **head_context(subject),
        "queues": queues_of(subject.run),
        "may_review": Permission.REVIEW in permissions(request.user, subject.run.team),
        "asked": asked.count(),
        "waiting": asked.filter(settled_at__isnull=True).count(),
        "trials": found.trials,
        "aspects": found.aspects.items(),
        "people": found.people.items(),
        "disputes": found.disputes,
        "gold": gold_rows(subject.run)[:SHOWN_GOLD],
    }
    return render(request, "runs/reviews/agreement.html", context)
