"""From a review or a trial to the case that is wrong."""

from collections.abc import Collection
from typing import Any, cast

from django.contrib import messages
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect

from packs.access import Permission, permissions
from packs.editing import EditRefused
from packs.jobs import is_large, start_proposing
from packs.views.shared.signed_in import signed_in
from packs.views.workbench.addresses import ref_of, url_of
from runs.models import Trial
from runs.results.corrections import comment_on_case, draft_case_of, propose_correction

# What each act needs.
ACTS = {"comment": Permission.REVIEW, "propose": Permission.EDIT}


def correction_of(may: Collection[Permission], trial: Trial) -> dict[str, Any] | None:
    """What a page offers to somebody with these permissions who finds the case of a trial wrong; None for nothing."""
    case = draft_case_of(trial) if Permission.REVIEW in may else None
    if case is None:
        return None
    edits = Permission.EDIT in may
    return {"case": case, "edit": url_of(case.pack, "edit-node", ref_of(case)) if edits else "", "may_propose": edits}


@signed_in("POST")
def correct_case(request: HttpRequest, pk: int) -> HttpResponse:
    """Comment on the case of a trial, or begin a proposal that changes it. Parameters: act, text."""
    related = ("run__version__pack__team", "case__input_set")
    trial = get_object_or_404(Trial.objects.visible_to(request.user).select_related(*related), pk=pk)
    needed = ACTS.get(request.POST.get("act", ""))
    if needed is None:
        raise Http404
    if needed not in permissions(request.user, trial.run.version.pack.team):
        raise PermissionDenied
    case, user, text = draft_case_of(trial), cast(User, request.user), request.POST.get("text", "")
    if case is None:
        raise Http404
    try:
        if needed is Permission.REVIEW:
            comment_on_case(case, trial, text, user)
            messages.success(request, "Your comment is at the case.")
        elif is_large(case.pack):
            return redirect("packs:job", start_proposing("propose", case.pack, user, {"title": text[:200]}).pk)
        else:
            made = propose_correction(case, trial, text, user)
            return redirect(url_of(made.draft, "edit-node", ref_of(made.case)))
    except EditRefused as refused:
        messages.error(request, refused.message)
    return redirect("runs:trial", pk)
