"""The proof of cases: what is known of all cases of a draft, and of one of them beside its form."""

from collections.abc import Iterable, Mapping
from typing import Any, cast

from django.contrib import messages
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.cache import patch_vary_headers

from packs.access import Permission, permissions
from packs.editing import EditRefused
from packs.models import Case, InputSet, Job, Pack
from packs.quotas import QuotaReached
from packs.views.shared.fragments import wants_part
from packs.views.shared.lookup import find_pack
from packs.views.shared.signed_in import signed_in
from packs.views.workbench.addresses import checks_url, workbench_url
from runs.jobs.judging import (
    ACTS,
    COUNT,
    Scope,
    estimates_of,
    is_estimated_by_job,
    judging_of,
    known_cost,
    start_estimating,
    start_judging,
)
from runs.jobs.proofs import (
    accept,
    is_quick,
    prove_case,
    stamp_canary,
    start_proving,
    stated_answers,
    stop_accepting,
)
from runs.jobs.suggesting import Offer, offers_for
from runs.jobs.trials.tryouts import task_of
from runs.models.proofs import StoredProof, in_order, report_of, standing_of
from runs.models.suggestions import Suggestion
from runs.proof.document import CaseState
from runs.proof.probes import MISSING, Code
from runs.proof.rules import reads_events, works_on_files
from runs.proof.suggesting import Estimate
from runs.quotas import money_warnings
from runs.results.canaries import sightings_of
from runs.results.drawn import Drawn
from runs.results.proofs import junit_of, put_forward
from runs.results.spelling import dollars
from runs.results.strengths import strength_chart
from runs.views.packs.stating import ANSWERS, Wish, wish_of
from runs.views.reviews.tryouts import find_case

PAGE_ROWS = 50


@signed_in("GET", "POST")
def pack_proof(request: HttpRequest, team: str, slug: str) -> HttpResponse:
    """What is known of the cases of a draft. Parameters: state, reason, page.

    POST has all of them proven. Parameters: judges (estimate, or ask), set (the id of the one whose judges are asked).
    """
    subject = find_pack(request.user, team, slug, Permission.RUN if request.method == "POST" else Permission.READ)
    pack = subject.pack
    if request.method == "POST":
        return _begin(request, pack)
    standing = standing_of(pack)
    rows = dict(StoredProof.objects.filter(pack=pack, version=None).values_list("node", "document"))
    codes = {pk: [reason["code"] for reason in shown["reasons"]] for pk, shown in rows.items()}
    wanted, why = request.GET.get("state", ""), request.GET.get("reason", "")
    chosen = [
        pk
        for pk, state in standing.states.items()
        if wanted in ("", state.value) and (not why or why in codes.get(pk, ()))
    ]
    page = Paginator(chosen, PAGE_ROWS).get_page(request.GET.get("page"))
    cases = {case.pk: case for case in in_order(pack).filter(pk__in=list(page)).select_related("input_set", "pack")}
    context = {
        **subject.context,
        "versions": [],
        "tab": "proof",
        "standing": standing,
        "total": standing.counts.total(),
        "states": [(state, standing.counts[state]) for state in CaseState],
        "state": wanted,
        "reason": why,
        "reasons": sorted({code for found in codes.values() for code in found}),
        "page": page,
        "sightings": sightings_of(pack),
        "strengths": [Drawn(chart) for chart in [strength_chart(pack)] if chart],
        "forward": forward_shown(pack, standing.states),
        "judges": judges_shown(pack, rows.values()) if Permission.RUN in subject.context["may"] else None,
        "rows": [
            {
                **rows.get(pk, {"reasons": []}),
                "case": cases[pk],
                "state": standing.states[pk],
                "url": proof_url(cases[pk]),
            }
            for pk in page
        ],
    }
    return render(request, "runs/pack/proof.html", context)


def _begin(request: HttpRequest, pack: Pack) -> HttpResponse:
    """Start what was asked for; what cannot be done is said on the page."""
    user, chosen = cast(User, request.user), request.POST.get("set", "")
    if request.POST.get("judges") not in ACTS:
        return redirect("packs:job", start_proving(pack, user).pk)
    scope = Scope(pack, input_set=get_object_or_404(InputSet, pack=pack, pk=chosen) if chosen.isdecimal() else None)
    try:
        job = started(scope, request.POST["judges"], user)
    except (EditRefused, QuotaReached) as refused:
        messages.error(request, refused.message)
        return redirect("runs:proof", pack.team.slug, pack.slug)
    return redirect("packs:job", job.pk)


def started(scope: Scope, act: str, user: User) -> Job:
    """The job that says what asking judges takes, or asks. Raises EditRefused, QuotaReached."""
    return start_estimating(scope, user) if act == COUNT else start_judging(scope, user)


def judges_shown(pack: Pack, proofs: Iterable[Mapping[str, Any]]) -> dict[str, Any] | None:
    """What asking the judges of whole sets takes, as far as that was asked for; None where no model judges a case."""
    if not any(
        each.get("spread") or any(why["code"] == Code.NEEDS_JUDGE for why in each["reasons"]) for each in proofs
    ):
        return None
    sets = list(InputSet.objects.filter(pack=pack).order_by("position", "pk").values_list("pk", "key"))
    return {
        "sets": sets if len(sets) > 1 else [],
        "taken": [
            {
                "scope": scope,
                "taken": taken,
                "cases": cases,
                "price": priced(taken),
                "quotas": money_warnings(pack.team, known_cost(taken)),
            }
            for scope, taken, cases in estimates_of(pack)
        ],
    }


def forward_shown(pack: Pack, states: Mapping[int, CaseState]) -> list[dict[str, Any]]:
    """The cases that runs put forward for proof, each with why and its addresses."""
    found = put_forward(pack, states)
    cases = in_order(pack).select_related("pack__team").in_bulk([each.case for each in found])
    return [
        {"case": cases[each.case], "why": each.why, "trial": each.trial, "url": proof_url(cases[each.case])}
        for each in found
    ]


def proof_url(case: Case) -> str:
    """Where the proof of a case stands beside its form."""
    return f"{workbench_url(case.pack, case)}?lens=proof"


@signed_in("POST")
def rule(request: HttpRequest, team: str, slug: str) -> HttpResponse:
    """Say whether the cases of the pack have to be proven to be published. Parameters: needed (true or nothing)."""
    pack = find_pack(request.user, team, slug, Permission.CURATE).pack
    pack.needs_proof = request.POST.get("needed") == "true"
    pack.save(update_fields=["needs_proof"])
    word = "have to be" if pack.needs_proof else "need not be"
    messages.success(request, f"The cases of this pack {word} proven before it is published.")
    return redirect("runs:proof", team, slug)


@signed_in("POST")
def canary(request: HttpRequest, team: str, slug: str) -> HttpResponse:
    """Stamp a canary on the pack, as an edit of `proof.yaml`."""
    pack = find_pack(request.user, team, slug, Permission.EDIT).pack
    try:
        stamp_canary(pack, cast(User, request.user))
    except EditRefused as refused:
        messages.error(request, refused.message)
    else:
        messages.success(request, "The pack has a canary in proof.yaml. Undo in the workbench takes it back.")
    return redirect("runs:proof", team, slug)


@signed_in("GET")
def report(request: HttpRequest, team: str, slug: str) -> HttpResponse:
    """What is known of the cases of a draft, as a file to share, of the shape of `pack prove --json`.

    Parameters: as (junit for the shape of `--junit`).
    """
    pack = find_pack(request.user, team, slug).pack
    kind = "xml" if request.GET.get("as") == "junit" else "json"
    if kind == "xml":
        response = HttpResponse(junit_of(pack), content_type="application/xml")
    else:
        response = JsonResponse({"results": [report_of(pack)]}, json_dumps_params={"indent": 2})
    response.headers["Content-Disposition"] = f'attachment; filename="{pack.slug}-proof.{kind}"'
    return response


@signed_in("GET", "POST")
def case_proof(request: HttpRequest, pk: int) -> HttpResponse:
    """What is known of a case of a draft. POST proves it: at once, or by a job where programs have to run.

    GET parameter: answer (the key of an answer of `proof.yaml` that is to be changed). POST parameter: judges (ask, or
    estimate where a job has to say first what that takes).
    """
    case = case_for(request, pk, Permission.RUN if request.method == "POST" else Permission.READ)
    if request.method == "GET":
        key = request.GET.get("answer", "")
        chosen = next((each for each in stated_answers(case) if each.key == key), None) if key else None
        return show_case(request, case, wish=wish_of(chosen) if chosen else None)
    user = cast(User, request.user)
    act = request.POST.get("judges", "")
    if act in ACTS or not is_quick(case):
        try:
            job = started(Scope(case.pack, case), act, user) if act in ACTS else start_proving(case.pack, user)
        except (EditRefused, QuotaReached) as refused:
            return show_case(request, case, refused.message, 422)
        return moved(request, reverse("packs:job", args=[job.pk]))
    try:
        prove_case(case)
    except EditRefused as refused:
        return show_case(request, case, refused.message, 422)
    return show_case(request, case)


@signed_in("POST")
def note(request: HttpRequest, pk: int) -> HttpResponse:
    """Say in `proof.yaml` that something is meant as it is, and prove the case again where that takes no worker.

    Parameters: `code` of a reason, with `reason`, why it is meant, or with `act` (`stop`) to take that back.
    """
    case, user = case_for(request, pk, Permission.EDIT), cast(User, request.user)
    code, why = request.POST.get("code", ""), request.POST.get("reason", "").strip()
    if code not in set(Code) - MISSING:
        raise Http404
    try:
        if request.POST.get("act") == "stop":
            stop_accepting(case, Code(code), user)
        elif not why:
            return show_case(request, case, "Say why this is meant.", 422)
        else:
            accept(case, Code(code), why, user)
        if is_quick(case):
            prove_case(case)
    except EditRefused as refused:
        return show_case(request, case, refused.message, 422)
    return show_case(request, case)


def moved(request: HttpRequest, url: str) -> HttpResponse:
    """Go on to a page, also where a part of this one was asked for."""
    return HttpResponse(headers={"HX-Redirect": url}) if wants_part(request) else redirect(url)


def case_for(request: HttpRequest, pk: int, needed: Permission) -> Case:
    """Raises Http404 for strangers, PermissionDenied for members without the permission."""
    case = find_case(request.user, pk)
    if needed not in permissions(request.user, case.pack.team):
        raise PermissionDenied
    return case


def show_case(
    request: HttpRequest, case: Case, refusal: str = "", status: int = 200, *, wish: Wish | None = None
) -> HttpResponse:
    """The proof of a case with the form that states answers; `wish` is what stands in that."""
    pack, may = case.pack, permissions(request.user, case.pack.team)
    found = StoredProof.objects.filter(pack=pack, version=None, node=case.pk).first()
    state, can_be_quick = standing_of(pack).states[case.pk], is_quick(case)
    proof: dict[str, Any] = found.document if found else {"reasons": [], "accepted": []}
    offers = offers_for(case) if Permission.RUN in may else []
    is_old = found is None or state is CaseState.STALE
    context = {
        "pack": pack,
        "case": case,
        "found": found,
        "state": state,
        "proof": proof,
        "reasons": [
            {**reason, "can_be_meant": reason["code"] not in MISSING, "fix": fix_of(case, reason["code"])}
            for reason in proof["reasons"]
        ],
        "judging": judging_shown(case) if Permission.RUN in may else None,
        "is_estimated": Permission.RUN in may and is_estimated_by_job(case),
        "refusal": refusal,
        # What was refused stands in the form, so that is where it says why.
        "is_refused": bool(refusal and wish),
        "is_typed": wish is not None,
        **answers_shown(case, proof, wish),
        "may_run": Permission.RUN in may,
        "may_edit": Permission.EDIT in may,
        "edit_url": workbench_url(pack, case),
        "is_quick": can_be_quick,
        "suggestions": Suggestion.objects.filter(pack=pack, node=case.pk),
        "offers": [(offer.value, offer_label(offer)) for offer in offers],
        "asking": offers[0].estimate if offers else None,
        "quotas": money_warnings(pack.team) if offers else [],
        # What takes no program is proven without being asked for.
        "begins": can_be_quick and is_old and not refusal and wish is None and Permission.RUN in may,
    }
    page = "runs/proofs/_case.html" if wants_part(request) else "runs/proofs/page.html"
    response = render(request, page, context, status=status)
    patch_vary_headers(response, ["HX-Request"])
    return response


def answers_shown(case: Case, proof: dict[str, Any], wish: Wish | None) -> dict[str, Any]:
    """The answers that `proof.yaml` states for a case, and the form that adds or changes one."""
    task, stated = task_of(case), stated_answers(case)
    has_reference = any(each.name == "reference" for each in stated)
    first = "right" if has_reference or not lacks_reference(proof) else "reference"
    wish = wish or Wish(first)
    # A stated reference is changed in its place, not by a second one.
    names = [name for name in ANSWERS if name != "reference" or not has_reference or wish.name == name]
    # A judge may look at what was done, but mostly reads the answer.
    reads_more = task is not None and reads_events(task) and (not task.judges or task.conversation is not None)
    looks_further = reads_more or (task is not None and works_on_files(task))
    return {
        "stated": [(ANSWERS[each.name], each) for each in stated],
        "answers": [(name, ANSWERS[name]) for name in names],
        "wish": wish if wish.files else wish.with_room,
        "shows_more": wish.has_more or looks_further,
    }


def judging_shown(case: Case) -> dict[str, Any] | None:
    """What asking the judges of a case takes; None where that cannot be done, or errors keep it from being known."""
    try:
        found = judging_of(case)
    except EditRefused:
        return None
    if found is None:
        return None
    return {"taken": found, "price": priced(found), "quotas": money_warnings(case.pack.team, known_cost(found))}


def priced(estimate: Estimate) -> str:
    return "price unknown" if estimate.cost_usd is None else f"about {dollars(estimate.cost_usd)}"


def offer_label(offer: Offer) -> str:
    """A model that can be asked, with about what that costs."""
    return f"{offer.model} of {offer.connection.name}, {priced(offer.estimate)}"


def lacks_reference(proof: dict[str, Any]) -> bool:
    return any(reason["code"] == Code.NO_REFERENCE for reason in proof["reasons"])


def fix_of(case: Case, code: str) -> tuple[str, str]:
    """What fixes a reason, and where that is done; nothing where a judge, a person or a sandbox is what is missing."""
    if code == Code.NO_REFERENCE:
        return "State the right answer", "#proof-answer"
    if code == Code.LEAKS:
        return "Look at what the agent gets", workbench_url(case.pack, case)
    if code in MISSING:
        return "", ""
    return "Go to the checks", checks_url(case.pack, case)
