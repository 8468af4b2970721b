"""Making a case of a failed trial: where it goes, what it says, and what is there already."""

from typing import Any, cast

from django.contrib import messages
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect

from packs.access import PACK_LABEL
from packs.editing import EditRefused
from packs.formats.failure import Failure
from packs.mirror import format_of
from packs.models import Pack, PackStatus
from packs.views.shared.fragments import render_page
from packs.views.shared.signed_in import signed_in
from packs.views.workbench.addresses import workbench_url
from runs.models import Trial
from runs.results.failures import (
    TargetSet,
    draft,
    duplicates_of,
    failure_of,
    find_place,
    keep,
    places_of,
    worded,
    wording_in,
)
from runs.views.trials.trials import describe, find_trial

# How many drafts are offered.
MAX_PACKS = 500


def editable_packs(user: Any) -> list[Pack]:
    """The drafts that a user may change. Raises PermissionDenied for who may change none."""
    rows = Pack.objects.editable_by(user).exclude(status=PackStatus.ARCHIVED).select_related("team")
    found = list(rows.defer("document").order_by("team__name", "team_id", PACK_LABEL, "slug")[:MAX_PACKS])
    if not found:
        raise PermissionDenied
    return found


def chosen_pack(packs: list[Pack], params: QueryDict, trial: Trial) -> Pack:
    """The draft that is asked for, else that of the trial's own pack where the user may change it, else the first.

    Raises Http404 for a draft that is not offered.
    """
    if wanted := params.get("pack", ""):
        named = next((pack for pack in packs if str(pack.pk) == wanted), None)
        if named is None:
            raise Http404
        return named
    home = trial.run.version.pack_id
    return next((pack for pack in packs if pack.pk == home), packs[0])


def chosen_place(places: list[TargetSet], params: QueryDict, trial: Trial) -> TargetSet:
    """The input set that is asked for; another pack's, or none, means the one like the trial's own."""
    wanted = params.get("set", "")
    named = find_place(places, int(wanted)) if wanted.isdecimal() and len(wanted) < 19 else None
    own = trial.case.input_set.key if trial.case else ""
    return named or find_place(places, preferred=own) or places[0]


def asked_step(params: QueryDict) -> int | None:
    """The step of the replay that was pointed at, from 1."""
    text = params.get("step", "")
    return int(text[:9]) or None if text.isascii() and text.isdigit() else None


@signed_in("GET", "POST")
def new_case(request: HttpRequest, pk: int) -> HttpResponse:
    """The form, drawn anew as it is filled in; `act=save` puts the case into the draft and opens it there.

    Parameters: step, pack, set, title, key, request, expected, forbidden, and `anyway` to save a duplicate.
    """
    trial, params = find_trial(request.user, pk), request.POST if request.method == "POST" else request.GET
    packs = editable_packs(request.user)
    pack = chosen_pack(packs, params, trial)
    places = places_of(pack)
    place, step = chosen_place(places, params, trial), asked_step(params)
    suggested = failure_of(trial, step)
    wording = wording_in(params, suggested)
    failure = worded(suggested, wording)
    drafted = draft(pack, place, failure)
    duplicates = duplicates_of(pack, drafted.document, failure)
    is_new = all(found.is_source for found in duplicates)
    refused = ""
    if request.method == "POST" and params.get("act") == "save":
        if is_new or params.get("anyway"):
            try:
                return kept(request, pack, place, failure)
            except EditRefused as refusal:
                refused = refusal.message
        else:
            refused = "A case like this is in the draft already. Say below that you want another one all the same."
    context = {
        **describe(trial, "runs:case"),
        "packs": packs,
        "target": pack,
        "label": format_of(pack).LABEL,
        "places": places,
        "place": place,
        "step": step,
        "wording": wording,
        "facts": failure.facts,
        "drafted": drafted,
        "duplicates": [(found, workbench_url(pack, found.case)) for found in duplicates],
        "is_new": is_new,
        "anyway": bool(params.get("anyway")),
        "is_taken_over": failure.case_in(pack.format) is not None,
        "refused": refused,
    }
    return render_page(
        request, "runs/trial/case.html", "runs/trial/_case_form.html", context, status=422 if refused else 200
    )


def kept(request: HttpRequest, pack: Pack, place: TargetSet, failure: Failure) -> HttpResponse:
    """Save the case and open it in the workbench. Raises EditRefused."""
    row = keep(pack, place, failure, cast(User, request.user))
    messages.success(request, f"{row.key} is in the draft of {pack}. Publish the draft to run it.")
    return redirect(workbench_url(pack, row))
