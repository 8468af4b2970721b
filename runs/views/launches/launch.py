"""Launching: a version, its input set and agents are chosen on one page; the same page says what will run."""

import hashlib
import uuid
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, cast

from django.contrib import messages
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.db.models import OuterRef, QuerySet, Subquery
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect

from packs.formats.characters import storable
from packs.models import Pack, PackStatus, PackVersion, VersionCase, VersionInputSet, VersionStatus
from packs.views.shared.fragments import render_page
from packs.views.shared.signed_in import signed_in
from runs.agents import AGENTS
from runs.launch.launching import launch, unavailable_reason
from runs.launch.planning import asked_trials, targets_of
from runs.launch.refusals import LaunchRefused
from runs.models import Agent, Run
from runs.models.runs import ALL_SETS, ResponseCache
from runs.views.launches.answerers import as_answers, model_cards
from runs.views.launches.choices import Choice, read_choice
from runs.views.launches.forecasts import forecast, has_trials, runs_all_sets

FIRST_CASES = 4
FIRST_AGENT = "reference"
# The part of the page where a refusal belongs, by its code; everything else stands at the top.
PLACES = {
    "missing_challenge_input_set_id": "sets",
    "invalid_challenge_input_set_id": "sets",
    "invalid_agent_deployment_ids": "agents",
    "agent_unavailable": "agents",
    "incompatible_mode": "agents",
    "invalid_connections": "models",
    "no_connection": "models",
    "invalid_trials": "trials",
    "invalid_max_iterations": "limit",
    "invalid_concurrency": "limit",
    "invalid_budgets": "limit",
    "invalid_response_cache": "limit",
    "invalid_tester": "tester",
}


def newest_versions(user: Any) -> QuerySet[Pack]:
    """Packs that the user may run, each with its newest runnable version."""
    rows = PackVersion.objects.filter(pack=OuterRef("pk"), status=VersionStatus.RUNNABLE).order_by("-number")
    packs: QuerySet[Pack] = Pack.objects.runnable_by(user).exclude(status=PackStatus.ARCHIVED).by_title()
    packs = packs.annotate(newest=Subquery(rows.values("pk")[:1]), newest_number=Subquery(rows.values("number")[:1]))
    return packs.exclude(newest=None).select_related("team").defer("document", "findings")


def named_version(request: HttpRequest) -> PackVersion | None:
    """The version that the address names, by its id or as the newest one of a pack; None when it names none.

    Raises Http404 for strangers, PermissionDenied for members who may not run it.
    """
    data = request.POST or request.GET
    pk, pack = data.get("version", ""), data.get("pack", "")
    if not pk and pack:
        team, _, slug = pack.partition("/")
        rows = PackVersion.objects.visible_to(request.user).filter(pack__team__slug=team, pack__slug=slug)
        newest = rows.filter(status=VersionStatus.RUNNABLE).order_by("-number").first() or rows.first()
        pk = str(newest.pk) if newest else "0"
    if not pk:
        return None
    if not (pk.isdecimal() and len(pk) < 19):
        raise Http404
    rows = PackVersion.objects.visible_to(request.user).select_related("pack__team")
    version: PackVersion = get_object_or_404(rows.defer("challenges", "assets", "files"), pk=int(pk))
    if not PackVersion.objects.runnable_by(request.user).filter(pk=version.pk).exists():
        raise PermissionDenied
    return version


def first_choice(version: PackVersion, given: QueryDict) -> tuple[Choice, str]:
    """What is ticked at first, and whence: address, last run of the pack, the pack, or the agent to begin with."""
    choice = read_choice(given)
    if not (choice.trials or has_trials(version)):
        choice = replace(choice, trials="1")
    if choice.agents:
        return choice, "address"
    last = Run.objects.filter(version__pack=version.pack_id).prefetch_related("agents").first()
    active = Agent.objects.filter(team=version.pack.team_id, is_active=True)
    if last is not None:
        known = tuple(active.filter(entries__run=last).values_list("pk", flat=True).distinct())
        if known:
            limit = "" if last.max_iterations is None else str(last.max_iterations)
            answers = choice.answers or as_answers(last.connections)
            asked = asked_trials(last)
            trials = "" if asked is None else str(asked)
            return replace(choice, agents=known, trials=trials, limit=limit, answers=answers), "last"
    meant = tuple(target.agent.pk for target in targets_of(version) if target.agent)
    if meant:
        return replace(choice, agents=meant), "pack"
    return replace(choice, agents=tuple(active.filter(kind=FIRST_AGENT).values_list("pk", flat=True)[:1])), "first"


def set_cards(version: PackVersion, choice: Choice) -> list[dict[str, Any]]:
    """The input sets as cards with their first case keys; an only one is chosen."""
    sets = list(version.input_sets.order_by("position"))
    return [
        {
            "row": row,
            "description": described(row),
            "cases": list(first_cases(row)),
            "chosen": len(sets) == 1 or choice.input_set in (row.key, str(row.pk)),
        }
        for row in sets
    ]


def described(row: VersionInputSet) -> str:
    text = row.document.get("description", "") if isinstance(row.document, Mapping) else ""
    return text if isinstance(text, str) else ""


def needs_tester(version: PackVersion) -> bool:
    """Whether any checker of a version says that it needs commands which only a tester can allow."""
    return bool(version.cases.filter(document__contains='"needed_commands"').exists())


def first_cases(row: VersionInputSet) -> QuerySet[VersionCase, str]:
    return VersionCase.objects.filter(input_set=row).order_by("position").values_list("key", flat=True)[:FIRST_CASES]


def agent_cards(version: PackVersion, choice: Choice) -> list[dict[str, Any]]:
    """The team's active agents as cards, with the reason where one cannot run here."""
    rows = Agent.objects.filter(team=version.pack.team_id, is_active=True, kind__in=AGENTS).defer("config")
    return [
        {
            "row": row,
            "help": AGENTS[row.kind].HELP,
            "reason": unavailable_reason(row.kind),
            "chosen": row.pk in choice.agents,
        }
        for row in rows
    ]


@signed_in("GET", "POST")
def new_run(request: HttpRequest) -> HttpResponse:
    """Choose what to run, and start it. Parameters: version or pack, set, agent (several), trials, limit, name."""
    version = named_version(request)
    if version is None:
        return choose_pack(request)
    if request.method == "POST":
        return start(request, version)
    if "nonce" in request.GET:
        choice, origin = read_choice(request.GET), "page"
    else:
        choice, origin = first_choice(version, request.GET)
    return show(request, version, choice, origin=origin)


def choose_pack(request: HttpRequest) -> HttpResponse:
    """The packs that can be run; a click on one is the first step."""
    packs = list(newest_versions(request.user))
    return render_page(request, "runs/launch/choose.html", "runs/launch/choose.html", {"packs": packs})


def start(request: HttpRequest, version: PackVersion) -> HttpResponse:
    """Start the run that the form describes; the same form sent twice gives one run."""
    choice = read_choice(request.POST)
    rows = {row.pk: row for row in Agent.objects.visible_to(request.user).filter(pk__in=choice.agents)}
    agents = [rows[pk] for pk in choice.agents if pk in rows]
    digest = hashlib.sha256(repr((version.pk, choice)).encode()).hexdigest()[:16]
    nonce = storable(request.POST.get("nonce", ""))[:100]
    try:
        run = launch(cast(User, request.user), version, agents, choice.options(f"{nonce}-{digest}" if nonce else ""))
    except LaunchRefused as refused:
        return show(request, version, choice, 422, refused=refused, place=PLACES.get(refused.code, "top"))
    messages.success(request, f"{run.title} was started.")
    return redirect("runs:show", run.pk)


def show(request: HttpRequest, version: PackVersion, choice: Choice, status: int = 200, **more: Any) -> HttpResponse:
    sets, agents = set_cards(version, choice), agent_cards(version, choice)
    targets = targets_of(version)
    context = {
        "version": version,
        "pack": version.pack,
        "versions": version.pack.versions.filter(status=VersionStatus.RUNNABLE).only("number", "published_at"),
        "choice": choice,
        "sets": sets,
        "caches": ResponseCache.choices,
        "all_sets": ALL_SETS if runs_all_sets(version, sets) else "",
        "case_count": sum(card["row"].case_count for card in sets),
        "has_trials": has_trials(version),
        "agents": agents,
        "targets": targets,
        "target_names": [target.name for target in targets],
        "missing_targets": [target.name for target in targets if target.agent is None],
        # Asked for by the whole page only.
        "models": lambda: model_cards(version, choice.answers),
        "needs_tester": lambda: needs_tester(version),
        "forecast": forecast(version, choice, sets, agents),
        "nonce": request.POST.get("nonce") or request.GET.get("nonce") or uuid.uuid4().hex,
        **more,
    }
    page = "runs/launch/page.html"
    # A refused form is sent by the browser itself and needs the whole page.
    part = page if request.method == "POST" else "runs/launch/_forecast.html"
    return render_page(request, page, part, context, status)
