"""What can be done with a run after its launch: pause, resume, try trials again, add trials."""

from typing import cast

from django.contrib import messages
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render

from packs.access import Permission
from packs.quotas import QuotaReached
from packs.views.shared.signed_in import signed_in
from runs.jobs.trials.control import pause, resume
from runs.jobs.trials.retrying import RETRIES, retry
from runs.launch.launching import add_trials
from runs.launch.refusals import LaunchRefused
from runs.models import Attempt
from runs.views.results.results import find_run
from runs.views.trials.trials import describe, find_trial

SHOWN_EVENTS = 200


@signed_in("POST")
def pause_run(request: HttpRequest, pk: int) -> HttpResponse:
    """Let no more trials begin."""
    if pause(find_run(request.user, pk, Permission.RUN).run):
        messages.success(request, "The run is paused. Trials that are at work end as usual; no other begins.")
    else:
        messages.warning(request, "Only a run that is queued or running can be paused.")
    return redirect("runs:show", pk)


@signed_in("POST")
def resume_run(request: HttpRequest, pk: int) -> HttpResponse:
    """Let a paused run go on."""
    if resume(find_run(request.user, pk, Permission.RUN).run):
        messages.success(request, "The run goes on.")
    else:
        messages.warning(request, "This run is not paused.")
    return redirect("runs:show", pk)


@signed_in("POST")
def retry_trials(request: HttpRequest, pk: int) -> HttpResponse:
    """Try trials again that ended in one way. Parameter: which, a key of RETRIES."""
    run = find_run(request.user, pk, Permission.RUN).run
    which = request.POST.get("which", "errors")
    try:
        count = retry(run, which, cast(User, request.user)) if which in RETRIES else 0
    except QuotaReached as reached:
        messages.error(request, reached.message)
        return redirect("runs:show", pk)
    if count:
        messages.success(request, f"{count} trial{'s' if count > 1 else ''} waiting again. Earlier results are kept.")
    else:
        messages.warning(request, "No such trial can be tried again now.")
    return redirect("runs:show", pk)


@signed_in("POST")
def more_trials(request: HttpRequest, pk: int) -> HttpResponse:
    """Add trials for every case and agent. Parameter: count."""
    run = find_run(request.user, pk, Permission.RUN).run
    given = request.POST.get("count", "")
    try:
        added = add_trials(run, int(given) if given.isdecimal() and len(given) < 6 else 0)
    except LaunchRefused as refused:
        messages.error(request, refused.message)
    else:
        messages.success(request, f"{added} trial{'s' if added > 1 else ''} were added.")
    return redirect("runs:show", pk)


@signed_in("GET")
def attempt(request: HttpRequest, pk: int, number: int) -> HttpResponse:
    """An earlier try of a trial: how it ended, its grades, and its events."""
    trial = find_trial(request.user, pk)
    row = get_object_or_404(Attempt, trial=trial, number=number)
    context = {
        **describe(trial, "runs:trial"),
        "attempt": row,
        "events": row.events[:SHOWN_EVENTS],
        "more_events": max(0, len(row.events) - SHOWN_EVENTS),
    }
    return render(request, "runs/trial/attempt.html", context)
