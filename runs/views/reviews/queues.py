"""Review queues: making one of any trials of a run, how far it is, and what waits in it."""

from typing import cast

from django.contrib import messages
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse

from packs.access import AnyUser, Permission, permissions
from packs.views.shared.fragments import render_page
from packs.views.shared.signed_in import signed_in
from runs.grading.graders.own_rubrics import rubric_of
from runs.models import ReviewQueue, ReviewRequest, Run
from runs.results.agreement import disputed_in
from runs.results.queues import QueueRefused, close_queue, make_queue, matching, progress_of, skips_of
from runs.views.results.results import find_run, head_context
from runs.views.reviews.queue_forms import QueueForm, blank, choice_by, choices_of, typed, wanted_by
from runs.views.reviews.reviews import open_for, take_next

SHOWN_SKIPS = 50


def find_queue(user: AnyUser, pk: int, needed: Permission = Permission.READ) -> ReviewQueue:
    """Raises Http404 for users who may not see the run, PermissionDenied for those who may not do this."""
    rows = ReviewQueue.objects.visible_to(user).select_related("run__team", "run__version__pack", "created_by")
    queue: ReviewQueue = get_object_or_404(rows, pk=pk)
    if needed not in permissions(user, queue.run.team):
        raise PermissionDenied
    return queue


@signed_in("GET", "POST")
def new_queue(request: HttpRequest, pk: int) -> HttpResponse:
    """The form of a new queue; htmx asks how many trials its filters mean."""
    subject = find_run(request.user, pk, Permission.REVIEW)
    if request.method == "POST":
        form = typed(request.POST.dict())
        try:
            queue = make_queue(subject.run, cast(User, request.user), wanted_by(form))
        except (QueueRefused, ValueError) as refused:
            form = typed(request.POST.dict(), str(refused))
        else:
            messages.success(request, f"{queue.requests.count():,} trials wait for reviews.")
            return redirect("runs:queue", queue.pk)
    else:
        query = request.GET.dict()
        form = typed(query) if request.headers.get("HX-Request") else blank(subject.run, query)
    context = {**head_context(subject), **choices_of(subject.run), "form": form, "count": count_of(subject.run, form)}
    status = 422 if form.problem else 200
    return render_page(request, "runs/reviews/queue_new.html", "runs/reviews/_queue_count.html", context, status)


def count_of(run: Run, form: QueueForm) -> int | None:
    """How many trials the filters of a form mean; None where one of them cannot be read."""
    try:
        return len(matching(run, choice_by(form.values)))
    except ValueError:
        return None


@signed_in("GET")
def queue_page(request: HttpRequest, pk: int) -> HttpResponse:
    """How far a queue is, who does what, and what was skipped."""
    queue = find_queue(request.user, pk)
    requests, may = ReviewRequest.objects.filter(queue=queue), permissions(request.user, queue.run.team)
    context = {
        **head_context(find_run(request.user, queue.run_id)),
        "queue": queue,
        "rubric": rubric_of(queue.rubric),
        "progress": progress_of(queue),
        "skips": skips_of(queue)[:SHOWN_SKIPS],
        "own": open_for(request.user).filter(queue=queue).count(),
        "waiting": requests.waiting().count(),
        "may_review": Permission.REVIEW in may,
        "may_adjudicate": Permission.CURATE in may,
        "disputed": len(disputed_in(queue)),
    }
    return render(request, "runs/reviews/queue.html", context)


@signed_in("GET")
def next_in_queue(request: HttpRequest, pk: int) -> HttpResponse:
    """Go to the next trial that waits for the user, who then has a place among its reviewers."""
    queue = find_queue(request.user, pk)
    if found := take_next(cast(User, request.user), queue):
        return redirect(f"{reverse('runs:review', args=[found.pk])}?queue={pk}")
    messages.info(request, "Nothing in this queue waits for you.")
    return redirect("runs:queue", pk)


@signed_in("POST")
def close(request: HttpRequest, pk: int) -> HttpResponse:
    """Ask for no more reviews; those that were given stay."""
    queue = find_queue(request.user, pk, Permission.REVIEW)
    messages.success(request, f"Closed. {close_queue(queue):,} trials no longer wait.")
    return redirect("runs:queue", pk)
