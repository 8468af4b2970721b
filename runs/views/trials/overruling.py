"""Overruling a grader or a judge from the page of a trial."""

from typing import cast

from django.contrib import messages
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect

from packs.access import Permission, permissions
from packs.views.shared.signed_in import signed_in
from runs.jobs.scores.overruling import OverruleRefused, Wanted, overrule
from runs.views.trials.trials import find_trial

# The choice of the form that takes back what was said.
OWN = "own"


@signed_in("POST")
def overrule_grader(request: HttpRequest, pk: int) -> HttpResponse:
    """Let a person's verdict count in place of a grader's. Parameters: key, verdict (own takes it back), reason."""
    found = find_trial(request.user, pk)
    if Permission.REVIEW not in permissions(request.user, found.run.team):
        raise PermissionDenied
    key, verdict, reason = (request.POST.get(name, "") for name in ("key", "verdict", "reason"))
    try:
        overrule(found, cast(User, request.user), Wanted(key, "" if verdict == OWN else verdict, reason))
    except OverruleRefused as refused:
        messages.error(request, refused.message)
    else:
        messages.success(request, "The trial was judged again with it.")
    return redirect("runs:trial", pk)
