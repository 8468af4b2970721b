"""Re-scorings of a run: starting one, comparing it with the first scores, and adopting it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

from django.contrib import messages
from django.contrib.auth.models import User
from django.core.paginator import Paginator
from django.db.models import Count, Sum
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render

from packs.access import Permission
from packs.formats import adapter_of
from packs.formats.findings import Finding, from_pointer
from packs.formats.yamlio import GO_YAML, write
from packs.models import PackVersion
from packs.views.shared.fragments import render_page
from packs.views.shared.signed_in import signed_in
from runs.jobs.scores.adopting import AdoptRefused, adopt
from runs.jobs.scores.rescoring import judging_of
from runs.models import OPEN_RESCORES, Asks, Probe, Rescore, RescoreResult, RescoreStatus, Run
from runs.results.asking import asking_of
from runs.results.biases import model_of, plain_name
from runs.results.rescoring import MOVED, RescoreRefused, Wanted, ask_rescore, cancel_rescore, narrowed
from runs.results.spelling import dollars, spent
from runs.statistics import sums
from runs.views.launches.answerers import Answers, as_connections, model_cards, read_answers
from runs.views.results.results import Subject, find_run, head_context
from runs.views.trials.judges import judges_of_result
from runs.views.trials.trials import card_shown, describe

PAGE_ROWS = 50
# What a probe of judges shows them otherwise, and what the form says of each.
PROBES = (
    (Probe.NONE, "No probe", "Judges are shown the answers as they are."),
    (
        Probe.PADDED,
        "Longer answers",
        "Each has neutral sentences after it. Shows whether judges like length. All judges are asked.",
    ),
    (
        Probe.SWAPPED,
        "The other order",
        "Of pairs and rankings. Shows whether judges like what stands first. Only these judges are asked.",
    ),
)
# Which judges are asked, and what the form says of each choice.
CHOICES = (
    (Asks.NOBODY, "Nobody", "Stored replies count, and nothing is spent."),
    (
        Asks.MISSING,
        "Those that gave no answer",
        "After an outage, say. Stored replies count; only the rest is asked.",
    ),
    (Asks.ALL, "All of them", "With another model or prompt, say. Every call is paid for again."),
)


@dataclass(slots=True)
class Wish:
    """What was asked for, and why it was refused."""

    version: str = ""
    evaluation: str = ""
    asks: str = Asks.NOBODY
    probe: str = Probe.NONE
    answers: Answers = ()
    trouble: str = ""
    findings: list[Finding] = field(default_factory=list)

    @classmethod
    def read(cls, data: QueryDict, run: Run) -> "Wish":
        """The wish in a form or an address; a version is that of the run unless another is named."""
        asks = data.get("asks", "")
        return cls(
            version=data.get("version") or str(run.version.number),
            evaluation=data.get("evaluation", "").replace("\r\n", "\n"),
            asks=asks if asks in Asks.values else Asks.NOBODY,
            probe=probe if (probe := data.get("probe", "")) in Probe.values else Probe.NONE,
            answers=read_answers(data),
        )

    @property
    def number(self) -> int | None:
        """The version, None for what is not a number of one."""
        return int(self.version) if self.version.isdecimal() and len(self.version) < 9 else None


def evaluation_text(run: Run) -> str:
    """The evaluation of the run's version, to begin with; empty where its format has none."""
    pointer = adapter_of(run.version.pack.format).EVALUATION_POINTER
    value: Any = type(run.version).objects.values_list("document", flat=True).get(pk=run.version_id) if pointer else {}
    for step in from_pointer(pointer) if pointer else ():
        value = value.get(step) if isinstance(value, dict) else None
    return write(value, dialect=GO_YAML) if value else ""


@signed_in("GET", "POST")
def rescores(request: HttpRequest, pk: int) -> HttpResponse:
    """The re-scorings of a run, and the form that starts another.

    Parameters: version, evaluation, asks, and `answer:MODEL` for each model that somebody else answers for.
    """
    needed = Permission.RUN if request.method == "POST" else Permission.READ
    subject = find_run(request.user, pk, needed)
    wish = Wish.read(request.POST if request.method == "POST" else request.GET, subject.run)
    if request.method == "POST":
        row = ask(request, subject.run, wish)
        if row is not None:
            return redirect("runs:rescore", row.pk)
    return render(request, "runs/rescores/list.html", context_of(subject, wish), status=422 if wish.trouble else 200)


def ask(request: HttpRequest, run: Run, wish: Wish) -> Rescore | None:
    """The rescore that was asked for; None when it is refused, which the wish then says."""
    chosen = as_connections(wish.answers) if wish.asks or wish.probe else {}
    wanted = Wanted(wish.number, wish.evaluation, wish.asks, chosen, wish.probe)
    try:
        return ask_rescore(run, cast(User, request.user), wanted)
    except RescoreRefused as refused:
        wish.trouble, wish.findings = refused.message, refused.findings
        return None


def context_of(subject: Subject, wish: Wish) -> dict[str, Any]:
    run = subject.run
    named: PackVersion | None = run.version.pack.versions.filter(number=wish.number or 0).first()
    cards = model_cards(named or run.version, wish.answers, run)
    takes = {choice: in_words(used) for choice, used in asking_of(run).items()}
    return {
        **head_context(subject),
        "rows": run.rescores.select_related("version", "created_by"),
        "versions": run.version.pack.versions.order_by("-number").values_list("number", flat=True),
        "wish": wish,
        "choices": [(*choice, takes.get(choice[0])) for choice in CHOICES],
        "probes": [(*choice, takes.get(choice[0])) for choice in PROBES],
        "own_judges": own_judges(run, cards),
        "judging": judged_so_far(run),
        "models": cards,
        "evaluation": evaluation_text(run),
    }


def in_words(used: Mapping[str, float | None]) -> str:
    """What asking judges takes: calls, tokens, and money where prices are known."""
    if not used["calls"]:
        return "no calls, as both orders were judged"
    cost = "cost not known" if used["cost_usd"] is None else dollars(used["cost_usd"])
    return f"about {used['calls']:,} calls, {used['tokens']:,} tokens, {cost}"


def own_judges(run: Run, cards: Sequence[Mapping[str, Any]]) -> list[str]:
    """The names of agents of a run whose model also judges."""
    judging = {plain_name(card["usual"].model) for card in cards if card["usual"]}
    return [agent.name for agent in run.agents.order_by("position") if model_of(agent) in judging]


def judged_so_far(run: Run) -> dict[str, Any]:
    """What the judges of a run used up: tokens, and the cost in words."""
    asked = run.trials.filter(judge_tokens__isnull=False)
    used = asked.aggregate(tokens=Sum("judge_tokens"), cost=Sum("judge_cost_usd"), priced=Count("judge_cost_usd"))
    cost = sums.Sum(used["cost"], asked.count() - used["priced"])
    return {"tokens": used["tokens"], "cost": spent(dollars(cost.known), cost)}


def find_rescore(request: HttpRequest, pk: int, needed: Permission = Permission.READ) -> tuple[Rescore, Subject]:
    """A rescore and its run. Raises Http404 for strangers, PermissionDenied for those who may not do what is needed."""
    rows = Rescore.objects.visible_to(request.user).select_related("version", "created_by", "adopted_by")
    row: Rescore = get_object_or_404(rows, pk=pk)
    subject = find_run(request.user, row.run_id, needed)
    row.run = subject.run
    return row, subject


@signed_in("GET")
def rescore(request: HttpRequest, pk: int) -> HttpResponse:
    """A re-scoring beside the first scores, drawn anew while it is at work. Parameters: all, from and to, page."""
    row, subject = find_rescore(request, pk)
    results = RescoreResult.objects.filter(rescore=row).select_related("trial__run_agent")
    results = results.defer("scorecard", "events", "grades", "ranking", "trial__scorecard", "trial__final_output")
    shows_all = bool(request.GET.get("all"))
    chosen = results if shows_all else narrowed(results.filter(has_changed=True), request.GET)
    is_working = row.status in OPEN_RESCORES
    context = {
        **head_context(subject),
        "row": row,
        "is_working": is_working,
        "done": results.aggregate(total=Count("pk"))["total"] if is_working else row.trial_count,
        "judging": row.summary.get("judging") or (judging_of(row.results) if row.asks else {}),
        "can_adopt": can_adopt(row, subject),
        "page": Paginator(chosen.order_by("pk"), PAGE_ROWS).get_page(request.GET.get("page")),
        "figures": row.figures,
        "shows_all": shows_all,
        "move": {} if shows_all else {name: request.GET[name] for name in MOVED if name in request.GET},
        "address": request.get_full_path(),
    }
    return render_page(request, "runs/rescores/rescore.html", "runs/rescores/_rescore.html", context)


def can_adopt(row: Rescore, subject: Subject) -> bool:
    """Whether a button lets the verdicts count for the run."""
    is_open = row.status == RescoreStatus.COMPLETED and row.adopted_at is None
    is_new = bool(row.asks or row.summary.get("changed"))
    return is_open and is_new and row.is_by_the_run and Permission.RUN in subject.may


@signed_in("GET")
def rescored_trial(request: HttpRequest, pk: int, trial: int) -> HttpResponse:
    """The re-scoring of one trial: its graders and judges, with what these were asked and replied."""
    row, subject = find_rescore(request, pk)
    rows = RescoreResult.objects.filter(rescore=row).select_related("trial__run_agent", "trial__case")
    result: RescoreResult = get_object_or_404(rows, trial=trial)
    result.trial.run = subject.run
    context = {
        **describe(result.trial, "runs:trial"),
        **card_shown(result.scorecard, result.error),
        "run": subject.run,
        "row": row,
        "result": result,
        "judges": judges_of_result(result),
    }
    return render(request, "runs/rescores/trial.html", context)


@signed_in("POST")
def stop_rescore(request: HttpRequest, pk: int) -> HttpResponse:
    """Stop a re-scoring; its results so far are kept."""
    row, _ = find_rescore(request, pk, Permission.RUN)
    if cancel_rescore(row):
        messages.success(request, "The scoring is cancelled. What it found out so far is kept here.")
    else:
        messages.warning(request, "This scoring has ended already.")
    return redirect("runs:rescore", pk)


@signed_in("POST")
def adopt_rescore(request: HttpRequest, pk: int) -> HttpResponse:
    """Let the verdicts of a re-scoring count for the run."""
    row, subject = find_rescore(request, pk, Permission.RUN)
    try:
        count = adopt(row, cast(User, request.user))
    except AdoptRefused as refused:
        messages.error(request, refused.message)
        return redirect("runs:rescore", pk)
    reported = f"{count} trial{'' if count == 1 else 's'} now with the new verdicts."
    messages.success(request, f"{reported} What was said before stays in their replays.")
    return redirect("runs:show", subject.run.pk)
