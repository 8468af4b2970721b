"""Trying an answer: type or paste one, and see at once what the graders of the case say of it, and why."""

from dataclasses import dataclass, field
from typing import Any, cast

from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.cache import patch_vary_headers

from packs.access import AnyUser, Permission, permissions
from packs.formats.task import Task
from packs.models import Case
from packs.quotas import QuotaReached
from packs.views.shared.fragments import wants_part
from packs.views.shared.signed_in import signed_in
from packs.views.workbench.addresses import NodeRef, url_of, workbench_url
from runs.jobs.queue.workers import worker_health
from runs.jobs.trials.tryouts import (
    MAX_FILES,
    Given,
    TryoutRefused,
    askable,
    needs_worker,
    task_of,
    try_answer,
    works_on_files,
)
from runs.models import Connection, Tryout
from runs.quotas import money_warnings
from runs.views.trials.judges import Exchanges, judge_shown, read_calls
from runs.views.trials.payloads import show
from runs.views.trials.reasons import reasons_left
from runs.views.trials.trials import CAUSES, Cause, grade_shown, metric_shown, security_shown

SHOWN_TRYOUTS = 8


@dataclass(slots=True)
class Wish:
    """What stands in the form, and why it was refused."""

    output: str = ""
    files: list[tuple[str, str]] = field(default_factory=list)
    judges: list[str] = field(default_factory=list)
    refused: TryoutRefused | QuotaReached | None = None

    @property
    def given(self) -> Given:
        return Given(self.output, {path: text for path, text in self.files if path}, self.judges)


def read_wish(data: QueryDict) -> Wish:
    """The form as it was sent; `ask` is the one judge whose own button was pressed."""
    paths, texts = data.getlist("path"), data.getlist("text")
    files = [(path.strip(), unix(text)) for path, text in zip(paths, texts, strict=False)]
    asked = data.get("ask", "")
    return Wish(unix(data.get("output", "")), files[: MAX_FILES + 1], [asked] if asked else data.getlist("judge"))


def unix(text: str) -> str:
    """A text as it was typed: browsers send other line ends."""
    return text.replace("\r\n", "\n")


def find_case(user: AnyUser, pk: int) -> Case:
    """A case of a draft. Raises Http404 for users who may not see it."""
    rows = Case.objects.visible_to(user).select_related("pack__team", "input_set")
    found: Case = get_object_or_404(rows, pk=pk)
    return found


@signed_in("GET", "POST")
def try_case(request: HttpRequest, pk: int) -> HttpResponse:
    """Try an answer on a case of a draft.

    GET parameters: tried (the id of an answer to show and begin with), with (`reference` begins with the gold answer).
    """
    case = find_case(request.user, pk)
    may_run = Permission.RUN in permissions(request.user, case.pack.team)
    if request.method == "POST":
        if not may_run:
            raise PermissionDenied
        return answer(request, case)
    tried = find_tried(case, request.GET.get("tried", ""))
    return show_case(request, case, first_wish(request, case, tried), tried)


def answer(request: HttpRequest, case: Case) -> HttpResponse:
    """Judge what was sent; the form is drawn again with one more file where that was asked for."""
    wish = read_wish(request.POST)
    if "more" in request.POST:
        wish.files.append(("", ""))
        return show_case(request, case, wish)
    try:
        tried = try_answer(cast(User, request.user), case, wish.given)
    except (TryoutRefused, QuotaReached) as refused:
        wish.refused = refused
        return show_case(request, case, wish, status=422)
    if wants_part(request):
        return show_case(request, case, wish, tried)
    return redirect(f"{reverse('runs:try', args=[case.pk])}?tried={tried.pk}")


def first_wish(request: HttpRequest, case: Case, tried: Tryout | None) -> Wish:
    """What the form begins with: an answer of before, the gold answer, or nothing."""
    if tried is not None:
        return Wish(tried.output, list((tried.files or {}).items()), tried.judges)
    if request.GET.get("with") != "reference":
        return Wish()
    task = task_of(case)
    return Wish((task.reference if task else "") or "")


def find_tried(case: Case, text: str) -> Tryout | None:
    if not (text.isdecimal() and len(text) < 19):
        return None
    rows = Tryout.objects.filter(pack=case.pack, node=case.pk, pk=int(text))
    found: Tryout | None = rows.select_related("pack").first()
    return found


def show_case(
    request: HttpRequest, case: Case, wish: Wish, tried: Tryout | None = None, status: int = 200
) -> HttpResponse:
    task, may = task_of(case), permissions(request.user, case.pack.team)
    rows = Tryout.objects.filter(pack=case.pack, node=case.pk).select_related("created_by")
    if tried is not None:
        rows = rows.exclude(pk=tried.pk)
    takes_files = bool(task and works_on_files(task))
    if takes_files and not wish.files:
        wish.files.append(("", ""))
    judges = judges_of(case, task) if task else []
    context = {
        "case": case,
        "pack": case.pack,
        "task": task,
        "wish": wish,
        "may_run": Permission.RUN in may,
        "judges": judges,
        "quotas": money_warnings(case.pack.team) if judges else [],
        "takes_files": takes_files,
        "is_image_needed": bool(task and task.environment.materialize_from_image),
        "waits": bool(task and needs_worker(task, ())),
        "has_reference": bool(task and task.reference),
        "edit_url": workbench_url(case.pack, case),
        "sides_url": url_of(case.pack, "edit-sides", NodeRef(case.kind, case.pk)),
        "tryouts": rows.defer("scorecard", "calls", "output", "files")[:SHOWN_TRYOUTS],
        **(tried_context(tried) if tried else {}),
    }
    page = "runs/tryouts/_try.html" if wants_part(request) else "runs/tryouts/page.html"
    response = render(request, page, context, status=status)
    patch_vary_headers(response, ["HX-Request"])
    return response


def judges_of(case: Case, task: Task) -> list[dict[str, Any]]:
    """The judges of a case and the graders that ask models, and whether anybody answers for them."""
    modes = {judge.key: judge.mode for judge in task.judges} | {grader.key: grader.kind for grader in task.graders}
    asked, team = askable(task), case.pack.team
    ranking = [judge for judge in task.judges if judge.key not in asked]
    return [
        {
            "key": key,
            "mode": modes[key],
            "models": models,
            "can_be_asked": any(Connection.objects.answering(team, model) for model in models),
        }
        for key, models in asked.items()
    ] + [{"key": judge.key, "mode": judge.mode, "models": judge.models, "ranks": True} for judge in ranking]


def tried_context(tried: Tryout) -> dict[str, Any]:
    """What is said of a tried answer, in the shape in which a trial's page says it."""
    card, exchanges = tried.scorecard, Exchanges()
    events = ((call["sequence_number"], call["event_type"], call["payload"]) for call in tried.calls)
    read_calls(events, exchanges)
    return {
        "tried": tried,
        "cause": cause_of(tried),
        "output": show(tried.output),
        "card": card,
        "reasons": reasons_left(card, tried.error),
        "dimensions": [(key, {"score": None, **shown}) for key, shown in card.get("dimensions", {}).items()],
        "grades": [{**grade_shown(grade), "is_open": True} for grade in card.get("validator_details", [])],
        "metrics": [metric_shown(metric) for metric in card.get("metric_details", [])],
        "security": security_shown(card.get("security_report", {})),
        "judges": [judge_shown(judge, exchanges) for judge in card.get("llm_judge_details", [])],
        "is_worker_there": not tried.is_open or not worker_health().is_nobody,
    }


def cause_of(tried: Tryout) -> Cause | None:
    """Why there is no pass, and who is to act on it."""
    if tried.verdict in ("", "passed", "failed"):
        return None
    return CAUSES.get((tried.verdict, tried.fault)) or CAUSES.get((tried.verdict, ""))


@signed_in("GET")
def tryout(request: HttpRequest, pk: int) -> HttpResponse:
    """What is said of a tried answer; drawn anew while it waits or is judged."""
    tried: Tryout = get_object_or_404(Tryout.objects.visible_to(request.user).select_related("pack__team"), pk=pk)
    if not wants_part(request):
        return redirect(f"{reverse('runs:try', args=[tried.node])}?tried={tried.pk}")
    return render(request, "runs/tryouts/_tryout.html", {"pack": tried.pack, **tried_context(tried)})
