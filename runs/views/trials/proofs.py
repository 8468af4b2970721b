"""From a trial to the proof of its case, to which its answer can be added."""

from typing import cast

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.views.decorators.http import require_http_methods

from packs.access import Permission, permissions
from packs.editing import EditRefused
from runs.jobs.proofs import state_answer
from runs.models import Trial
from runs.results.corrections import draft_case_of
from runs.views.packs.proofs import MAX_TEXT, proof_url

WORDS = ("right", "wrong")


@login_required
@require_http_methods(["GET", "POST"])
def trial_proof(request: HttpRequest, pk: int) -> HttpResponse:
    """The proof of a trial's case in the draft. POST keeps the answer there, as one that must pass or must not.

    Parameters: name (right or wrong).
    """
    related = ("run__version__pack__team", "case__input_set")
    trial = get_object_or_404(Trial.objects.visible_to(request.user).select_related(*related), pk=pk)
    pack, user = trial.run.version.pack, cast(User, request.user)
    case, name = draft_case_of(trial), request.POST.get("name", "")
    if request.method == "GET":
        return redirect(proof_url(case)) if case else redirect("runs:proof", pack.team.slug, pack.slug)
    if Permission.EDIT not in permissions(user, pack.team):
        raise PermissionDenied
    if name not in WORDS or not 0 < len(trial.final_output) <= MAX_TEXT:
        raise Http404
    if case is None:
        messages.error(request, "The draft has no such case any more.")
        return redirect("runs:trial", pk)
    try:
        state_answer(case, name, trial.final_output, user, f"Trial {trial.pk} of run {trial.run_id}")
    except EditRefused as refused:
        messages.error(request, refused.message)
        return redirect("runs:trial", pk)
    messages.success(request, f"The answer is kept with the case as a {name} one.")
    return redirect(proof_url(case))
