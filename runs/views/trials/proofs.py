"""From a trial to the proof of its case, to which its answer can be added."""

from typing import cast

from django.contrib import messages
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect

from packs.access import Permission, permissions
from packs.editing import EditRefused
from packs.views.shared.signed_in import signed_in
from runs.models import Trial
from runs.proof.probes import WORTHS
from runs.results.corrections import draft_case_of
from runs.results.probes import keep_answer
from runs.views.packs.proofs import proof_url


@signed_in("GET", "POST")
def trial_proof(request: HttpRequest, pk: int) -> HttpResponse:
    """The proof of a trial's case in the draft. POST keeps the answer there, as one that must pass or must not.

    Parameters: name (right or wrong).
    """
    related = ("run__version__pack__team", "case__input_set")
    trial = get_object_or_404(Trial.objects.visible_to(request.user).select_related(*related), pk=pk)
    pack, user = trial.run.version.pack, cast(User, request.user)
    name = request.POST.get("name", "")
    if request.method == "GET":
        case = draft_case_of(trial)
        return redirect(proof_url(case)) if case else redirect("runs:proof", pack.team.slug, pack.slug)
    if Permission.EDIT not in permissions(user, pack.team):
        raise PermissionDenied
    if name not in WORTHS:
        raise Http404
    try:
        kept = keep_answer(trial, name, user)
    except EditRefused as refused:
        messages.error(request, refused.message)
        return redirect("runs:trial", pk)
    messages.success(request, f"The answer is kept with the case as a {name} one.")
    return redirect(proof_url(kept))
