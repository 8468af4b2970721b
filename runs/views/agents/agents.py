"""Agents: the systems under test of a team. Members read, administrators manage and try them out."""

import time
from dataclasses import dataclass
from typing import Any, cast

import orjson
from django.contrib import messages
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.db import IntegrityError, transaction
from django.db.models import Count, QuerySet
from django.db.models.functions import Lower
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render

from packs.access import Permission, permissions
from packs.formats.characters import storable
from packs.formats.task import Budgets, Dimension, Environment, EvidenceCase, GraderSpec, Scoring, Task
from packs.models import Team
from packs.views.shared.signed_in import signed_in
from runs.agents import AGENTS
from runs.engine.events import Event
from runs.engine.outcome import Outcome
from runs.engine.trial import run_trial
from runs.jobs.trials.means import Means
from runs.jobs.trials.sandboxes import chosen_sandbox
from runs.launch.launching import unavailable_reason
from runs.models import Agent
from runs.models.agent_connections import connection_of
from runs.views.agents.agent_form import AgentForm
from runs.views.agents.kinds import agent_kinds

TRY_SECONDS = 10.0
SHOWN_CHARACTERS = 20_000
SHOWN_EVENTS = 100
TRY_MESSAGE = "Parcel PX-1 lies at the Leeds hub. Where is it? Answer with the name of the place."
TRY_ANSWER = "Leeds hub"
TRY_CASE = "try-out"


@signed_in("GET")
def agent_list(request: HttpRequest) -> HttpResponse:
    """The agents of the user's teams, active ones first."""
    rows: QuerySet[Agent] = Agent.objects.visible_to(request.user).select_related("team").defer("config")
    mine = Team.objects.administrable_by(request.user).order_by("name")
    context = {
        "agents": rows.annotate(run_total=Count("entries")).order_by("-is_active", Lower("name"), "pk"),
        "teams": mine,
        "administered": set(mine.values_list("pk", flat=True)),
        "runnable": set(Team.objects.runnable_by(request.user).values_list("pk", flat=True)),
    }
    return render(request, "runs/agents/list.html", context)


def find_agent(user: Any, pk: int, needed: Permission = Permission.READ) -> tuple[Agent, bool]:
    """An agent, and whether the user may manage it. Raises Http404 for strangers, PermissionDenied for readers."""
    agent: Agent = get_object_or_404(Agent.objects.visible_to(user).select_related("team"), pk=pk)
    may = permissions(user, agent.team)
    if needed not in may or agent.kind not in AGENTS:
        raise PermissionDenied
    return agent, Permission.ADMINISTER in may


def find_team(request: HttpRequest) -> Team:
    """The team of a new agent: the one that is named, else the first that the user administers.

    Raises Http404 for a team that the user cannot see, PermissionDenied where none may be administered.
    """
    slug = storable(request.POST.get("team") or request.GET.get("team") or "")
    mine = Team.objects.administrable_by(request.user).order_by("name")
    team: Team | None = mine.filter(slug=slug).first() if slug else mine.first()
    if team is not None:
        return team
    if slug:
        get_object_or_404(Team.objects.visible_to(request.user), slug=slug)
    raise PermissionDenied


def keep(form: AgentForm) -> bool:
    """Save the agent of a valid form. False when another request took the name just now."""
    form.agent.name, form.agent.config = form.cleaned_data["name"], form.config
    form.agent.concurrency = form.cleaned_data["concurrency"]
    try:
        with transaction.atomic():
            form.agent.save()
    except IntegrityError:
        form.add_error("name", "This team has an agent of this name already.")
        return False
    return True


@signed_in("GET")
def choose_kind(request: HttpRequest) -> HttpResponse:
    """The gallery of kinds of which a team can make agents."""
    team = find_team(request)
    context = {"team": team, "title": "New agent", "groups": agent_kinds(team)}
    return render(request, "runs/agents/kinds.html", context)


@signed_in("GET", "POST")
def new_agent(request: HttpRequest, kind: str) -> HttpResponse:
    """Make an agent of a kind. Answers 422 to a configuration that does not fit the kind."""
    if kind not in AGENTS:
        raise Http404
    agent = Agent(team=find_team(request), kind=kind, created_by=cast(User, request.user))
    form = AgentForm(agent, request.POST if request.method == "POST" else None)
    if form.is_bound and form.is_valid() and keep(form):
        messages.success(request, f"{agent.name} is ready.")
        return redirect("runs:agent", agent.pk)
    return show(request, agent, form, may_manage=True)


@signed_in("GET", "POST")
def agent_page(request: HttpRequest, pk: int) -> HttpResponse:
    """An agent with its configuration. Runs keep the configuration that they started with."""
    needed = Permission.ADMINISTER if request.method == "POST" else Permission.READ
    agent, may_manage = find_agent(request.user, pk, needed)
    form = AgentForm(agent, request.POST if request.method == "POST" else None)
    if form.is_bound and form.is_valid() and keep(form):
        messages.success(request, f"{agent.name} is saved. Runs that have started keep what they started with.")
        return redirect("runs:agent", agent.pk)
    return show(request, agent, form, may_manage=may_manage)


def show(request: HttpRequest, agent: Agent, form: AgentForm, *, may_manage: bool, **more: Any) -> HttpResponse:
    kind = AGENTS[agent.kind]
    config = orjson.dumps(agent.config, option=orjson.OPT_INDENT_2).decode()
    context = {
        "agent": agent,
        "kind": {"label": kind.LABEL, "help": kind.HELP, "reason": unavailable_reason(agent.kind)},
        "form": form,
        "may_manage": may_manage,
        "config": config[:SHOWN_CHARACTERS],
        "entries": agent.entries.kept().select_related("run__version__pack").order_by("-pk")[:8] if agent.pk else (),
        "message": TRY_MESSAGE,
        "case_key": TRY_CASE,
        **more,
    }
    return render(request, "runs/agents/agent.html", context, status=422 if form.errors else 200)


@signed_in("POST")
def agent_state(request: HttpRequest, pk: int) -> HttpResponse:
    """Take an agent out of use, or back into it; its runs stay."""
    agent, _ = find_agent(request.user, pk, Permission.ADMINISTER)
    agent.is_active = request.POST.get("active") == "true"
    agent.save(update_fields=["is_active", "updated_at"])
    messages.success(
        request, f"{agent.name} is {'active' if agent.is_active else 'not offered for new runs any more'}."
    )
    return redirect("runs:agent", pk)


@dataclass(frozen=True, slots=True)
class TryOut:
    """How an agent did on the small task. `seconds` is wall time; `answer` is cut to SHOWN_CHARACTERS."""

    outcome: Outcome
    events: list[Event]
    seconds: float

    @property
    def answer(self) -> str:
        return self.outcome.final_output[:SHOWN_CHARACTERS]

    @property
    def shown_events(self) -> list[Event]:
        return self.events[:SHOWN_EVENTS]


def try_out(agent: Agent, message: str, case_key: str) -> TryOut:
    """Give an agent one small task, with the engine that runs trials; nothing is stored."""
    task = Task(
        format="challenge_pack",
        challenge_key="try-out",
        input_set_key="try-out",
        case_key=case_key,
        title="Try-out",
        prompt=message,
        visible={},
        hidden={},
        evidence=EvidenceCase({}),
        environment=Environment(mode="prompt_eval"),
        graders=(GraderSpec("answer", "contains", "final_output", f"literal:{TRY_ANSWER}"),),
        scoring=Scoring(dimensions=(Dimension("correctness", "validators"),), pass_threshold=1.0),
        budgets=Budgets(wall_seconds=TRY_SECONDS),
        reference=TRY_ANSWER,
    )
    events: list[Event] = []
    started = time.monotonic()
    connection = connection_of(agent.team, agent.kind, agent.config)
    entrant = Means.of(agent.team).entrant(agent.kind, agent.config, connection)
    outcome = run_trial(task, entrant, chosen_sandbox(), events.append)
    return TryOut(outcome, events, time.monotonic() - started)


@signed_in("POST")
def test_agent(request: HttpRequest, pk: int) -> HttpResponse:
    """Show what an agent answers to a message. Only administrators: it may run a program."""
    agent, _ = find_agent(request.user, pk, Permission.ADMINISTER)
    if unavailable_reason(agent.kind):
        raise PermissionDenied
    message = request.POST.get("message", "").replace("\r\n", "\n")[:SHOWN_CHARACTERS] or TRY_MESSAGE
    case_key = request.POST.get("case_key", "").strip()[:255] or TRY_CASE
    trial = try_out(agent, message, case_key)
    return show(request, agent, AgentForm(agent), may_manage=True, trial=trial, message=message, case_key=case_key)
