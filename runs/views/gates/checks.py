"""Gate verdicts: the page of one, its trials, the preview of another policy, and the list of a run."""

from collections import Counter
from typing import Any, cast

from django.contrib import messages
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.core.paginator import Paginator
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse

from packs.access import Permission, permissions
from packs.formats import adapter_of
from packs.formats.characters import storable
from packs.views.shared.fragments import render_page
from packs.views.shared.signed_in import signed_in
from runs.gates import SHORT, kept_policy
from runs.gates.keeping import condition_documents, member_documents
from runs.gates.sections import as_section, section_troubles
from runs.gates.values import UNJUDGED
from runs.jobs.gating.checks import GateRefused, Judged, judge, junit_of, keep
from runs.models import Gate, GateCheck, Release, Run
from runs.replay import KINDS
from runs.results.playback import index_of
from runs.statistics.shares import shares_of
from runs.views.gates.forms import form_of, read_section
from runs.views.gates.words import condition_lines, policy_words
from runs.views.results.results import find_run, head_context
from runs.views.trials.trials import find_trial

PAGE_MEMBERS = 50
OTHER_RUNS = 30
SCORING = KINDS["scoring"]
HEAVY = (
    *("run__scorecard", "run__metadata", "run__version__document", "run__version__challenges"),
    *("run__version__assets", "run__version__files", "pack__document", "pack__findings", "run_agent__config"),
)
SHORT_NAMES = {gate: short for short, gate in SHORT.items()}


def visible_checks(user: Any) -> QuerySet[GateCheck]:
    """The verdicts that the user may see, with the rows that their pages show."""
    rows: QuerySet[GateCheck] = GateCheck.objects.visible_to(user)
    return rows.select_related("pack__team", "run__version__pack", "run_agent", "baseline", "created_by").defer(*HEAVY)


def find_check(user: Any, pk: int, needed: Permission = Permission.READ) -> tuple[GateCheck, frozenset[Permission]]:
    """Raises Http404 where the user may not see it, PermissionDenied where the user may not do what `needed` names."""
    check = get_object_or_404(visible_checks(user), pk=pk)
    may = permissions(user, check.pack.team)
    if needed not in may:
        raise PermissionDenied
    return check, may


def members_shown(members: list[dict[str, Any]], query: Any) -> list[dict[str, Any]]:
    """The members that pass the filters `verdict`, `suite` and `q` of the address, failures first."""
    verdict, suite, text = query.get("verdict", ""), query.get("suite", ""), query.get("q", "").strip().casefold()
    found = [
        member
        for member in members
        if (not verdict or member["verdict"] == verdict)
        and (not suite or member["suite"] == suite)
        and text in member["task_id"].casefold()
    ]
    order = {"fail": 0, "incomplete": 1}
    return sorted(found, key=lambda member: order.get(member["verdict"], 2))


def member_context(members: list[dict[str, Any]], query: Any) -> dict[str, Any]:
    shown = members_shown(members, query)
    page = Paginator(shown, PAGE_MEMBERS).get_page(query.get("page"))
    return {
        "page": page,
        "members": [shown_member(member) for member in page.object_list],
        "chosen": {name: query.get(name, "") for name in ("verdict", "suite", "q")},
        "is_narrowed": any(query.get(name) for name in ("verdict", "suite", "q")),
    }


def shown_member(member: dict[str, Any]) -> dict[str, Any]:
    """A member with its trials as mappings."""
    trials = [
        {
            "id": pk,
            "number": place + 1,
            "state": state,
            "reason": reason,
            "is_deciding": place in member["deciding"],
        }
        for place, (pk, state, _, reason, *_rest) in enumerate(member["trials"])
    ]
    shares = shares_of(Counter(trial["state"] for trial in trials))
    # What decided a verdict tells why; of one that is open, what kept its trials from counting.
    is_open = member["verdict"] == "incomplete"
    telling = [trial for trial in trials if (trial["state"] in UNJUDGED if is_open else trial["is_deciding"])]
    reasons = [trial for trial in telling if trial["reason"]]
    has_changed = member["before"] is not None and member["before"] != member["verdict"]
    # Verdicts that were kept before trials could be joined by their scores say nothing of what they came to.
    reported = member.get("told", f"{shares.passed}/{shares.judged} trials passed")
    return {**member, "trials": trials, "told": reported, "reasons": reasons, "has_changed": has_changed}


def verdict_context(check: GateCheck, query: Any) -> dict[str, Any]:
    policy = kept_policy(check.policy)
    return {
        "check": check,
        "short": SHORT_NAMES[check.gate],
        "conditions": condition_lines(check.conditions, check.members),
        "failed_count": len(check.failed),
        "words": policy_words(policy),
        "suites": check.suites,
        **member_context(check.members, query),
    }


@signed_in("GET")
def check_page(request: HttpRequest, pk: int) -> HttpResponse:
    """A verdict: conditions, members, the trials that decided. Parameters: verdict, suite, q, page."""
    check, may = find_check(request.user, pk)
    context = {
        **verdict_context(check, request.GET),
        "may_run": Permission.RUN in may,
        "may_curate": Permission.CURATE in may,
        "releases": check.run.releases.all(),
        "newer": GateCheck.objects.filter(run=check.run_id, gate=check.gate, pk__gt=check.pk).only("pk").first(),
    }
    return render_page(request, "runs/gates/check.html", "runs/gates/_members.html", context)


@signed_in("GET")
def check_junit(request: HttpRequest, pk: int) -> HttpResponse:
    """A verdict as JUnit XML."""
    check, _ = find_check(request.user, pk)
    headers = {"Content-Disposition": f'attachment; filename="gate-{check.pk}.xml"'}
    return HttpResponse(junit_of(check), content_type="application/xml; charset=utf-8", headers=headers)


@signed_in("POST")
def release_run(request: HttpRequest, pk: int) -> HttpResponse:
    """Say that a release was made with the run of a verdict. Parameter: name."""
    check, _ = find_check(request.user, pk, Permission.CURATE)
    name = storable(request.POST.get("name", "")).strip()[:120]
    if name:
        user = cast(User, request.user)
        Release.objects.create(pack=check.pack, run=check.run, name=name, created_by=user)
        messages.success(request, f"{name} was made with this run; release gates now compare with it.")
    else:
        messages.warning(request, "Give the release a name.")
    return redirect("runs:gate-check", pk)


@signed_in("POST")
def delete_release(request: HttpRequest, pk: int, release: int) -> HttpResponse:
    """Take a release off the run of a verdict."""
    check, _ = find_check(request.user, pk, Permission.CURATE)
    row = get_object_or_404(Release, pk=release, run=check.run_id)
    row.delete()
    messages.success(request, f"{row} was removed from this run; release gates compare with the release before it.")
    return redirect("runs:gate-check", pk)


@signed_in("GET")
def failing_step(request: HttpRequest, pk: int) -> HttpResponse:
    """The replay of a trial, at its first step with trouble, or else at its scoring."""
    trial = find_trial(request.user, pk)
    index = index_of(trial)
    scored = [place for place, letter in enumerate(index.kinds) if letter == SCORING]
    place = next(iter([*index.errors, *scored]), None)
    address = reverse("runs:replay", args=[pk])
    return redirect(address if place is None else f"{address}?step={place + 1}")


@signed_in("GET", "POST")
def preview(request: HttpRequest, pk: int) -> HttpResponse:
    """The verdict by another policy; nothing is kept. POST: the fields of the policy."""
    check, may = find_check(request.user, pk)
    section, troubles, judged = as_section(kept_policy(check.policy)), [], None
    if request.method == "POST":
        section = read_section(request.POST, check.gate)
        troubles = section_troubles(section, check.gate)
        judged, refusal = (None, "") if troubles else tried(check, section)
        troubles += [refusal] if not troubles and refusal else []
    context = {
        "check": check,
        "short": SHORT_NAMES[check.gate],
        "may": may,
        "form": form_of(section, check.gate, suites_of(check)),
        "troubles": troubles,
        "states_gates": bool(adapter_of(check.pack.format).GATES_POINTER),
        **(preview_context(check, judged) if judged else {}),
    }
    return render(request, "runs/gates/preview.html", context, status=422 if troubles else 200)


def tried(check: GateCheck, section: dict[str, Any]) -> tuple[Judged | None, str]:
    """The verdict of the same run by another policy, or why there is none."""
    try:
        return judge(check.run, check.gate, agent=str(check.run_agent_id), section=section), ""
    except GateRefused as refused:
        return None, refused.message


def suites_of(check: GateCheck) -> list[str]:
    """The suites that a policy can be about."""
    known = [*check.policy["suites"], *(member["suite"] for member in check.members)]
    return list(dict.fromkeys([*known, *check.policy["thresholds"]]))


def preview_context(check: GateCheck, judged: Judged) -> dict[str, Any]:
    before = {condition["id"]: condition["status"] for condition in check.conditions}
    result = judged.result
    members = member_documents(result, judged.baseline.tasks if judged.baseline else None)
    lines = condition_lines(condition_documents(result), members)
    return {
        "judged": judged,
        "result": result,
        "baseline": judged.baseline.agent.run if judged.baseline else None,
        "conditions": [{"line": line, "before": before.get(line.id)} for line in lines],
        "member_count": len(members),
        "words": policy_words(judged.policy),
    }


@signed_in("GET", "POST")
def run_gates(request: HttpRequest, pk: int) -> HttpResponse:
    """The gate verdicts of a run, and the form that checks another gate. POST: gate, agent, baseline."""
    subject = find_run(request.user, pk, Permission.RUN if request.method == "POST" else Permission.READ)
    trouble = ""
    if request.method == "POST":
        try:
            check = asked(subject.run, request)
            return redirect("runs:gate-check", check.pk)
        except GateRefused as refused:
            trouble = refused.message
    rows = visible_checks(request.user).filter(run=pk).defer(*HEAVY, "members", "policy", "suites")
    context = {
        **head_context(subject),
        "rows": [{"check": row, "failed": condition_lines(row.failed)} for row in rows],
        "gates": Gate.choices,
        "agents": subject.run.agents.order_by("position"),
        "others": comparable(subject.run, request.user),
        "requests": subject.run.gate_requests.all(),
        "trouble": trouble,
        "wish": {name: request.POST.get(name, "") for name in ("gate", "agent", "baseline")},
    }
    return render(request, "runs/gates/of_run.html", context, status=422 if trouble else 200)


def comparable(run: Run, user: Any) -> QuerySet[Run]:
    """The newest other runs of the pack that have ended, to choose a baseline from."""
    rows: QuerySet[Run] = Run.objects.visible_to(user).filter(version__pack=run.version.pack_id).exclude(pk=run.pk)
    ended = rows.exclude(finished_at=None).select_related("version")
    return ended.only("name", "created_at", "finished_at", "version__number").order_by("-pk")[:OTHER_RUNS]


def asked(run: Run, request: HttpRequest) -> GateCheck:
    """The verdict of the gate that the form names. Raises GateRefused."""
    gate, number = request.POST.get("gate", ""), request.POST.get("baseline", "").strip().removeprefix("#")
    if gate not in Gate.values:
        raise GateRefused("unknown_gate", "Choose a gate.")
    baseline = None
    if number:
        known = Run.objects.visible_to(request.user).select_related("version")
        baseline = known.filter(pk=int(number)).first() if number.isdecimal() and len(number) < 19 else None
        if baseline is None:
            raise GateRefused("unknown_baseline", f"There is no run {number}.")
    judged = judge(run, gate, agent=request.POST.get("agent", ""), baseline=baseline)
    return keep(judged, cast(User, request.user))
