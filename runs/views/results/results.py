"""The page of a run: how far it is, what it says about the agents, every trial; and what can be done with it."""

from collections import Counter
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any, cast

import orjson
from django.contrib import messages
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.db.models import Count
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, StreamingHttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.http import urlencode

from packs.access import Permission, permissions_on
from packs.audit import about
from packs.views.library.catalogue import facets_of
from packs.views.shared.fragments import render_page
from packs.views.shared.signed_in import signed_in
from runs.jobs.queue.workers import worker_health
from runs.jobs.trials.control import cancel
from runs.jobs.trials.retrying import RETRIES
from runs.launch.launching import Options, launch
from runs.launch.planning import asked_trials
from runs.launch.refusals import LaunchRefused
from runs.models import ACTIVE_RUNS, Agent, Run, RunAgent, RunStatus
from runs.models.runs import ALL_SETS
from runs.models.trial_counts import TrialCounts, trial_counts_of
from runs.results.exporting import EXPORTS, SUFFIXES, offered
from runs.results.groups import offered as offered_groups
from runs.results.importing import IMPORTED
from runs.results.proofs import proven_verdicts
from runs.statistics.shares import Shares, shares_of
from runs.views.gates.chips import gate_chips
from runs.views.launches.answerers import chosen_answers
from runs.views.results.grid import grid, group_by
from runs.views.results.runs import progress_of, spell, visible_runs
from runs.views.results.troubles import FINISHES, troubles_of
from runs.views.reviews.reviews import reviews_for
from runs.views.reviews.turns import turns_for
from runs.views.trials.states import IN_REVIEW, STATES, UNTRIED, ends_of, states_by_agent

# Why an agent is ahead, by the code of the run's scorecard.
REASONS = {
    "single_agent": "it is the only agent of this run",
    "overall_score": "its overall score is the highest",
    "correctness_tiebreak": "overall scores are equal, and its correctness is higher",
    "reliability_tiebreak": "overall scores and correctness are equal, and its reliability is higher",
    "scores_equal": "the best agents have equal scores",
    "no_scores": "no trial has a score",
}


@dataclass(frozen=True, slots=True)
class Subject:
    """A run and what the user may do with it."""

    run: Run
    may: frozenset[Permission]


def find_run(user: Any, pk: int, needed: Permission = Permission.READ) -> Subject:
    """Raises Http404 for who may not see the run, PermissionDenied for who may see it but not do what is needed."""
    run = get_object_or_404(visible_runs(user).with_role(), pk=pk)
    may = permissions_on(user, run)
    about(run.team)
    if needed not in may:
        raise PermissionDenied
    return Subject(run, may)


@dataclass(slots=True)
class AgentCard:
    """What the trials of one agent add up to so far. Scores are means from 0 to 1, None without any; `counts` are its
    trials by their states."""

    agent: RunAgent
    counts: Counter[str] = field(default_factory=Counter)
    score: float | None = None
    is_winner: bool = False
    # The dimensions of all agents of the run, so that cards can be read line by line.
    measured: tuple[str, ...] = ()

    @property
    def shares(self) -> Shares:
        return shares_of(self.counts)

    @property
    def is_whole(self) -> bool:
        """Whether every trial is judged, so that the figures are of all of them."""
        return not self.shares.missing

    @property
    def unjudged(self) -> list[str]:
        """Trials that have ended without a verdict, as words."""
        errors, reviewed = self.counts["error"], self.counts[IN_REVIEW]
        reported = {
            "error" if errors == 1 else "errors": errors,
            "undecided": self.counts["undecided"],
            "waits for reviews" if reviewed == 1 else "wait for reviews": reviewed,
            "not tried": self.counts[UNTRIED],
            "cancelled": self.counts["cancelled"],
        }
        return [f"{count} {word}" for word, count in reported.items() if count]

    @property
    def dimensions(self) -> list[tuple[str, float | None]]:
        scores = (self.agent.summary or {}).get("dimensions", {})
        return [(key, scores.get(key)) for key in self.measured]

    @property
    def judging(self) -> dict[str, float | None]:
        """What judges used up, once the run has ended; empty where none was asked."""
        used: dict[str, float | None] = (self.agent.summary or {}).get("judging", {})
        return used


def agent_cards(run: Run, trial_counts: TrialCounts) -> list[AgentCard]:
    """The agents of a run, the best first once it has ended."""
    cards = {agent.pk: AgentCard(agent) for agent in run.agents.defer("config").order_by("position")}
    for key, counts in states_by_agent(trial_counts).items():
        cards[key].counts = counts
    for key, state_count in trial_counts.by("run_agent").items():
        cards[key].score = state_count.mean_score
    summaries = [card.agent.summary or {} for card in cards.values()]
    measured = tuple(dict.fromkeys(key for summary in summaries for key in summary.get("dimensions", {})))
    winner = (run.scorecard or {}).get("winning_run_agent_id")
    ranks = [entry["run_agent_id"] for entry in (run.scorecard or {}).get("agents", [])]
    for card in cards.values():
        card.is_winner = str(card.agent.pk) == winner and len(cards) > 1
        card.measured = measured
    places = {key: place for place, key in enumerate(ranks)}
    return sorted(cards.values(), key=lambda card: places.get(str(card.agent.pk), len(places)))


def verdict_of(run: Run, cards: list[AgentCard]) -> dict[str, str]:
    """Who is ahead in a run that has ended, and why; empty for a run of one agent."""
    found = (run.scorecard or {}).get("winner_determination")
    if not found or len(cards) < 2:
        return {}
    name = next((card.agent.name for card in cards if card.is_winner), "")
    reason = found.get("reason_code", "")
    return {"status": found.get("status", ""), "name": name, "reason": REASONS.get(reason, reason), "code": reason}


def eta_of(run: Run) -> timedelta | None:
    """How long the rest of a run takes when it goes on as it did; None while nothing is known."""
    progress = progress_of(run)
    if run.status != RunStatus.RUNNING or not progress.took or not progress.ended:
        return None
    return progress.took / progress.ended * progress.left


def result_context(request: HttpRequest, subject: Subject) -> dict[str, Any]:
    run, query = subject.run, request.GET
    trial_counts = trial_counts_of(run.pk)
    cards = agent_cards(run, trial_counts)
    figures = sum((card.counts for card in cards), Counter[str]())
    page, rows = grid(run, [card.agent.pk for card in cards], query)
    is_active = run.status in ACTIVE_RUNS
    health = worker_health() if is_active else None
    return {
        **head_context(subject),
        "cards": cards,
        "figures": figures,
        "proven": proven_verdicts(run),
        "verdict": verdict_of(run, cards),
        "ranking": ranking_of(run),
        "page": page,
        "rows": rows,
        "addresses": [cells_address(run, card.agent) for card in cards],
        "statuses": facets_of(figures, query, "status", STATES),
        "ends": ends_of(trial_counts),
        "q": query.get("q", ""),
        "sort": query.get("sort", ""),
        "group": group_by(query),
        "groups": offered_groups(run),
        "status": query.get("status", ""),
        "finish": query.get("finish", ""),
        "is_narrowed": bool(query.get("q") or query.get("status") or query.get("finish")),
        "troubles": troubles_of(run),
        "finishes": facets_of(trial_counts.counts("finish_reason"), query, "finish", FINISHES),
        "gate_chips": gate_chips(run),
        "turns_waiting": turns_for(request.user, trial__run=run) if is_active else [],
        "reviews_waiting": reviews_for(request.user, trial__run=run),
        "eta": spell(eta_of(run)),
        "no_worker": bool(health and health.is_nobody),
        "address": request.get_full_path(),
    }


def cells_address(run: Run, agent: RunAgent) -> str:
    """Where the cells of an agent are; the position of a case comes behind it."""
    return reverse("runs:cell", args=(run.pk, agent.pk, 0)).removesuffix("0/")


def ranking_of(run: Run) -> dict[str, int]:
    """How many cases are ranked of those that are to be, while a run waits for that; empty at other times."""
    if run.status != RunStatus.SCORING:
        return {}
    found = run.rankings.aggregate(total=Count("pk"), done=Count("finished_at"))
    return found if found["total"] else {}


def head_context(subject: Subject) -> dict[str, Any]:
    """What the head of both pages of a run shows."""
    run = subject.run
    counts: dict[str, int] = run.counts or {}
    return {
        "run": run,
        "retries": [(which, counts[status]) for which, status in RETRIES.items() if counts.get(status)],
        "may_run": Permission.RUN in subject.may,
        "may_curate": Permission.CURATE in subject.may,
        "is_imported": IMPORTED in run.metadata,
        "progress": progress_of(run),
        "is_active": run.status in ACTIVE_RUNS,
        "exports": offered(run),
    }


@signed_in("GET")
def run_page(request: HttpRequest, pk: int) -> HttpResponse:
    """The results of a run, drawn anew while it is active. Parameters: status, finish, q, sort, group, page."""
    context = result_context(request, find_run(request.user, pk))
    return render_page(request, "runs/run/page.html", "runs/run/_run.html", context)


@signed_in("GET")
def configuration(request: HttpRequest, pk: int) -> HttpResponse:
    """What was run: the version, the choice of the input set, the agents as they were configured then."""
    subject = find_run(request.user, pk)
    agents = [
        {"row": agent, "config": orjson.dumps(agent.config, option=orjson.OPT_INDENT_2).decode()}
        for agent in subject.run.agents.order_by("position")
    ]
    metadata = orjson.dumps(subject.run.metadata, option=orjson.OPT_INDENT_2).decode() if subject.run.metadata else ""
    context = {**head_context(subject), "agents": agents, "metadata": metadata, "answers": chosen_answers(subject.run)}
    return render(request, "runs/run/configuration.html", context)


@signed_in("POST")
def cancel_run(request: HttpRequest, pk: int) -> HttpResponse:
    """Stop a run: nothing new begins, and what is at work is asked to stop."""
    run = find_run(request.user, pk, Permission.RUN).run
    if cancel(run):
        messages.success(request, "The run is being cancelled. What has ended already is kept.")
    else:
        messages.warning(request, "This run has ended already, or is being cancelled.")
    return redirect("runs:show", pk)


@signed_in("POST")
def run_again(request: HttpRequest, pk: int) -> HttpResponse:
    """Start the same version, input set and agents once more; where that is refused, the launch page says why."""
    run = find_run(request.user, pk, Permission.RUN).run
    agents = [agent for entry in run.agents.select_related("agent") if (agent := entry.agent)]
    options = Options(
        input_set=chosen_set(run) if run.selection in ("given", ALL_SETS) else "",
        trials=asked_trials(run),
        max_iterations=run.max_iterations,
        connections=run.connections,
    )
    try:
        again = launch(cast(User, request.user), run.version, agents, options)
    except LaunchRefused as refused:
        messages.error(request, refused.message)
        return redirect(launch_address(run, agents))
    messages.success(request, f"{again.title} was started.")
    return redirect("runs:show", again.pk)


def launch_address(run: Run, agents: list[Agent]) -> str:
    """The launch page with the choices of a run."""
    chosen: list[tuple[str, str | int]] = [
        ("version", run.version_id),
        *([("set", chosen_set(run))] if chosen_set(run) else []),
    ]
    return f"{reverse('runs:new')}?{urlencode([*chosen, *(('agent', agent.pk) for agent in agents)])}"


def chosen_set(run: Run) -> str:
    """What names the cases of a run: a key, `all`, or nothing where it has none."""
    return run.input_set.key if run.input_set else ALL_SETS if run.selection == ALL_SETS else ""


@signed_in("GET")
def export_run(request: HttpRequest, pk: int, kind: str) -> HttpResponseBase:
    """The results as a file in one of the shapes of `runs.results.exporting`; 404 for one that the run cannot have."""
    run = find_run(request.user, pk).run
    if kind not in offered(run):
        raise Http404
    write, media = EXPORTS[kind]
    suffix = SUFFIXES.get(kind, kind)
    headers = {"Content-Disposition": f'attachment; filename="run-{run.pk}.{suffix}"'}
    return StreamingHttpResponse(write(run), content_type=media, headers=headers)
