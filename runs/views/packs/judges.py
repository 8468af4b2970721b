"""The judges of a pack against people."""

from typing import Any

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from packs.access import Permission
from packs.views.shared.lookup import find_pack
from packs.views.shared.signed_in import signed_in
from runs.models import JudgeStandard
from runs.results.calibrating import MOST_RUNS, Calibration, calibrations_of, drift_of, least_kappa
from runs.results.drawn import Drawn
from runs.statistics.calibration import LEAST_LABELLED, Standing
from runs.statistics.shares import Shares, spelled
from runs.views.packs.scope import find_scope

PAGE_ROWS = 50
# The chip of each standing, and its word.
STANDINGS: dict[Standing, tuple[str, str]] = {
    "agrees": ("approved", "Agrees with people"),
    "doubtful": ("asked", "Disagrees with people"),
    "few": ("unchecked", "Too few labels"),
    "unknown": ("unchecked", "No labels"),
}


@signed_in("GET")
def pack_judges(request: HttpRequest, team: str, slug: str) -> HttpResponse:
    """How far the judges of a pack agree with people. Parameters: judge, page (of the trials on which they differ)."""
    scope = find_scope(request, team, slug)
    found = calibrations_of(scope.pack)
    chosen = next((each for each in found if each.judge == request.GET.get("judge")), None)
    chosen = chosen or next((each for each in found if each.is_doubtful), next(iter(found), None))
    context = {
        **scope.context,
        "sets": [],
        "tab": "results",
        "part": "judges",
        "judges": [(each, STANDINGS[each.standing], _agreement(each)) for each in found],
        "least": least_kappa(scope.pack),
        "least_labelled": LEAST_LABELLED,
        "most_runs": MOST_RUNS,
        "may_set": Permission.CURATE in scope.subject.may,
        **(_chosen(request, chosen) if chosen else {}),
    }
    return render(request, "runs/pack/judges.html", context)


def _chosen(request: HttpRequest, chosen: Calibration) -> dict[str, Any]:
    found = chosen.confusion
    drift = drift_of(chosen)
    return {
        "chosen": chosen,
        "standing": STANDINGS[chosen.standing],
        "cells": [
            ("People pass", [("both", found.both_pass), ("parted", found.people_only)], found.true_positives.judged),
            ("People fail", [("parted", found.judge_only), ("both", found.both_fail)], found.true_negatives.judged),
        ],
        "rates": [
            ("True positives", "passed by the judge of those that people pass", _rate(found.true_positives)),
            ("True negatives", "failed by the judge of those that people fail", _rate(found.true_negatives)),
            ("Agreement", "the same verdict", _rate(found.agreed)),
            ("Base rate", "passed by people, of all", _rate(found.base_rate)),
        ],
        "drift": Drawn(drift) if drift else None,
        "page": Paginator(chosen.parted, PAGE_ROWS).get_page(request.GET.get("page")),
        "address": request.get_full_path(),
    }


def _agreement(each: Calibration) -> str:
    return _rate(each.confusion.agreed)


def _rate(shares: Shares) -> str:
    """A share in words, with its 95% interval."""
    bounds = shares.interval
    if bounds is None:
        return "– (no such trial)"
    counted = f"{shares.passed} of {shares.judged}"
    return f"{spelled(shares.pass_rate)} ({counted}, 95% {spelled(bounds[0])} to {spelled(bounds[1])})"


@signed_in("POST")
def set_standard(request: HttpRequest, team: str, slug: str) -> HttpResponse:
    """Set the kappa that judges of the pack should reach. Parameter: least."""
    pack = find_pack(request.user, team, slug, Permission.CURATE).pack
    try:
        values = {
            "least_kappa": JudgeStandard._meta.get_field("least_kappa").clean(request.POST.get("least", ""), None)
        }
    except ValidationError:
        messages.error(request, "Give a kappa from 0 to 1, such as 0.6.")
    else:
        JudgeStandard.objects.update_or_create(pack=pack, defaults=values)
        messages.success(request, f"Judges below a kappa of {values['least_kappa']:g} carry a mark.")
    return redirect("runs:judges", team, slug)
