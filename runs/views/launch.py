"""Launching: a version, its input set and agents are chosen on one page; the same page says what will run."""

import hashlib
import shlex
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, cast

import orjson
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.db.models import OuterRef, QuerySet, Subquery
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect
from django.views.decorators.http import require_http_methods

from packs.formats import adapter_of
from packs.formats.benchmark_pack.tester import read_policy
from packs.models import Pack, PackStatus, PackVersion, VersionCase, VersionInputSet, VersionStatus
from packs.views.fragments import render_page
from runs.agents import AGENTS
from runs.launch import LaunchRefused, Options, launch, unavailable_reason
from runs.models import Agent, Run
from runs.planning import ALL_SETS, asked_trials, plan_cases, targets_of
from runs.schedules import count_trials
from runs.views.answerers import Answers, as_answers, as_connections, model_cards, read_answers

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
    "invalid_tester": "tester",
}


@dataclass(frozen=True, slots=True)
class Choice:
    """What is ticked on the page. Numbers stay texts until they are sent, so that a wrong one is shown again."""

    input_set: str = ""
    agents: tuple[int, ...] = ()
    trials: str = ""
    limit: str = ""
    at_once: str = ""
    cost: str = ""
    tokens: str = ""
    name: str = ""
    answers: Answers = ()
    tester: str = ""

    def options(self, key: str = "") -> Options:
        """The options of a launch. Raises LaunchRefused for what is no number."""
        trials = whole(self.trials, "invalid_trials", "Trials for each case must be a whole number.")
        limit = whole(self.limit, "invalid_max_iterations", "The step limit must be a whole number.")
        return Options(
            self.input_set,
            self.name,
            trials,
            limit,
            concurrency=whole(self.at_once, "invalid_concurrency", "Trials at once must be a whole number."),
            budgets=self.budgets(),
            connections=as_connections(self.answers),
            idempotency_key=key,
            tester=self.policy(),
        )

    @property
    def has_limits(self) -> bool:
        """Whether any limit of the run was set."""
        return bool(self.limit or self.at_once or self.cost or self.tokens)

    def budgets(self) -> dict[str, Any]:
        """What the whole run may use up. Raises LaunchRefused for what is no number."""
        tokens = whole(self.tokens, "invalid_budgets", "The budget of tokens must be a whole number.")
        try:
            cost = float(self.cost) if self.cost.strip() else None
        except ValueError:
            raise LaunchRefused("invalid_budgets", "The budget must be a number of US dollars, such as 2.50.") from None
        return {"cost_usd": cost, "total_tokens": tokens}

    def policy(self) -> dict[str, Any]:
        """What checkers may run. Raises LaunchRefused for a text that does not say it."""
        if not self.tester.strip():
            return {}
        policy, findings = read_policy(self.tester)
        if findings:
            raise LaunchRefused("invalid_tester", findings[0].message)
        return policy

    def words(self) -> list[str]:
        """The limits as options of the command line."""
        given = {
            "--max-iterations": self.limit,
            "--concurrency": self.at_once,
            "--max-cost": self.cost,
            "--max-tokens": self.tokens,
        }
        return [word for name, value in given.items() if value.strip() for word in (name, value.strip())]

    def members(self) -> dict[str, Any]:
        """The limits as members of a call of the API; a wrong number is left out."""
        try:
            options = self.options()
        except LaunchRefused:
            return {}
        budgets = {name: value for name, value in options.budgets.items() if value is not None}
        given = {"max_iterations": options.max_iterations, "concurrency": options.concurrency}
        return {**{name: value for name, value in given.items() if value}, **({"budgets": budgets} if budgets else {})}


def whole(text: str, code: str, message: str) -> int | None:
    """A text as a number, None for an empty one. Raises LaunchRefused."""
    text = text.strip()
    if not text:
        return None
    if not (text.isascii() and text.isdigit() and len(text) < 10):
        raise LaunchRefused(code, message)
    return int(text)


def read_choice(data: QueryDict) -> Choice:
    return Choice(
        input_set=data.get("set", ""),
        agents=tuple(dict.fromkeys(int(pk) for pk in data.getlist("agent") if pk.isdecimal() and len(pk) < 19)),
        trials=data.get("trials", "").strip(),
        limit=data.get("limit", ""),
        at_once=data.get("at_once", ""),
        cost=data.get("cost", ""),
        tokens=data.get("tokens", ""),
        name=data.get("name", "")[:300],
        answers=read_answers(data),
        tester=data.get("tester", "").replace("\r\n", "\n")[:10_000],
    )


def newest_versions(user: Any) -> QuerySet[Pack]:
    """Packs that the user may run, each with its newest runnable version."""
    rows = PackVersion.objects.filter(pack=OuterRef("pk"), status=VersionStatus.RUNNABLE).order_by("-number")
    packs: QuerySet[Pack] = Pack.objects.runnable_by(user).exclude(status=PackStatus.ARCHIVED)
    packs = packs.annotate(newest=Subquery(rows.values("pk")[:1]), newest_number=Subquery(rows.values("number")[:1]))
    return packs.exclude(newest=None).select_related("team").defer("document", "findings").order_by("title", "slug")


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


def has_trials(version: PackVersion) -> bool:
    """Whether the pack itself says how often its cases are tried."""
    return adapter_of(version.pack.format).HAS_TRIALS


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


def forecast(version: PackVersion, choice: Choice, sets: Sequence[Mapping[str, Any]], agents: Any) -> dict[str, Any]:
    """How many trials will run, and the same launch as a command and as a call of the API."""
    chosen = [card["row"] for card in agents if card["chosen"]]
    named, cases, total = forecast_cases(version, choice, sets, [row.name for row in chosen])
    pack = version.pack
    words = ["manage.py", "run", "start", f"{pack.slug}@{version.number}"]
    words += ["--team", pack.team.slug] if pack.team.slug != "default" else []
    words += ["--input-set", named] if named else []
    words += [word for row in chosen for word in ("--agent", row.name)]
    trials = whole_or_none(choice.trials)
    words += ["--trials", str(trials)] if trials is not None and (trials > 1 or has_trials(version)) else []
    words += choice.words()
    words += [word for name, value in choice.answers for word in ("--model", f"{name}={value}")]
    words += ["--name", choice.name] if choice.name else []
    call = {
        "challenge_pack_version_id": version.pk,
        **({"input_set": ALL_SETS} if named == ALL_SETS else {}),
        **({"challenge_input_set_id": pk} if (pk := set_id(sets)) else {}),
        "agent_deployment_ids": [row.pk for row in chosen],
        **({} if trials is None else {"trials": trials}),
        **choice.members(),
        **({"connections": as_connections(choice.answers)} if choice.answers else {}),
        **({"name": choice.name} if choice.name else {}),
    }
    return {
        "cases": cases,
        "agents": len(chosen),
        "trials": trials,
        "total": total,
        "needs_set": bool(sets) and not named,
        "command": shlex.join(words),
        "call": orjson.dumps(call, option=orjson.OPT_INDENT_2).decode(),
    }


def whole_or_none(text: str) -> int | None:
    """A short text as a number; None for an empty one, 0 for what is none."""
    return None if not text else int(text) if text.isdecimal() and len(text) < 6 else 0


def set_id(sets: Sequence[Mapping[str, Any]]) -> int | None:
    return next((card["row"].pk for card in sets if card["chosen"]), None)


def forecast_cases(
    version: PackVersion, choice: Choice, sets: Sequence[Mapping[str, Any]], agents: Sequence[str]
) -> tuple[str, int, int]:
    """What names the chosen cases, how many there are, and how many trials agents of these names make of them."""
    row = next((card["row"] for card in sets if card["chosen"]), None)
    takes_all = row is None and choice.input_set == ALL_SETS and runs_all_sets(version, sets)
    if sets and row is None and not takes_all:
        return "", 0, 0
    named = ALL_SETS if takes_all else row.key if row else ""
    cases = row.case_count if row else sum(card["row"].case_count for card in sets) if sets else 1
    trials = whole_or_none(choice.trials)
    if has_trials(version) and trials != 0:
        return named, cases, count_trials(list(plan_cases(version, row, trials)), agents)
    return named, cases, cases * (1 if trials is None else trials) * len(agents)


def runs_all_sets(version: PackVersion, sets: Sequence[Any]) -> bool:
    """Whether a run of this version can take all of its input sets."""
    return len(sets) > 1 and adapter_of(version.pack.format).RUNS_ALL_SETS


@login_required
@require_http_methods(["GET", "POST"])
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
    return render_page(request, "runs/choose.html", "runs/choose.html", {"packs": packs})


def start(request: HttpRequest, version: PackVersion) -> HttpResponse:
    """Start the run that the form describes; the same form sent twice gives one run."""
    choice = read_choice(request.POST)
    rows = {row.pk: row for row in Agent.objects.visible_to(request.user).filter(pk__in=choice.agents)}
    agents = [rows[pk] for pk in choice.agents if pk in rows]
    digest = hashlib.sha256(repr((version.pk, choice)).encode()).hexdigest()[:16]
    nonce = request.POST.get("nonce", "")[:100]
    try:
        run = launch(cast(User, request.user), version, agents, choice.options(f"{nonce}-{digest}" if nonce else ""))
    except LaunchRefused as refused:
        return show(request, version, choice, 422, refused=refused, place=PLACES.get(refused.code, "top"))
    messages.success(request, f"{run.name} is on its way.")
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
    page = "runs/launch.html"
    # A refused form is sent by the browser itself and needs the whole page.
    part = page if request.method == "POST" else "runs/_forecast.html"
    return render_page(request, page, part, context, status)
