"""Second scorings of a run: asking for one, and what it says beside the first."""

from dataclasses import dataclass, field
from typing import Any, cast

from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User
from django.core.paginator import Paginator
from django.db.models import Count
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_GET, require_http_methods

from packs.access import Permission
from packs.formats import adapter_of
from packs.formats.findings import Finding, from_pointer
from packs.formats.yamlio import GO_YAML, write
from packs.views.fragments import render_page
from runs.models import Rescore, RescoreResult, RescoreStatus, Run
from runs.rescoring import RescoreRefused, ask_rescore
from runs.views.results import Subject, find_run, head_context

PAGE_ROWS = 50
ACTIVE = (RescoreStatus.QUEUED, RescoreStatus.RUNNING)


@dataclass(slots=True)
class Wish:
    """What was asked for, and why it was refused."""

    version: str = ""
    evaluation: str = ""
    trouble: str = ""
    findings: list[Finding] = field(default_factory=list)


def evaluation_text(run: Run) -> str:
    """The evaluation of the run's version, to begin with; empty where its format has none."""
    pointer = adapter_of(run.version.pack.format).EVALUATION_POINTER
    value: Any = type(run.version).objects.values_list("document", flat=True).get(pk=run.version_id) if pointer else {}
    for step in from_pointer(pointer) if pointer else ():
        value = value.get(step) if isinstance(value, dict) else None
    return write(value, dialect=GO_YAML) if value else ""


@login_required
@require_http_methods(["GET", "POST"])
def rescores(request: HttpRequest, pk: int) -> HttpResponse:
    """The second scorings of a run, and the form that asks for another. Parameters: version, evaluation."""
    needed = Permission.RUN if request.method == "POST" else Permission.READ
    subject = find_run(request.user, pk, needed)
    wish = Wish(version=str(subject.run.version.number))
    if request.method == "POST":
        wish = Wish(request.POST.get("version", ""), request.POST.get("evaluation", ""))
        row = ask(request, subject.run, wish)
        if row is not None:
            return redirect("runs:rescore", row.pk)
    return render(request, "runs/rescores.html", context_of(subject, wish), status=422 if wish.trouble else 200)


def ask(request: HttpRequest, run: Run, wish: Wish) -> Rescore | None:
    """The rescore that was asked for; None when it is refused, which the wish then says."""
    number = int(wish.version) if wish.version.isdecimal() and len(wish.version) < 9 else None
    text = wish.evaluation.replace("\r\n", "\n")
    try:
        return ask_rescore(run, cast(User, request.user), number=number, evaluation=text)
    except RescoreRefused as refused:
        wish.trouble, wish.findings = refused.message, refused.findings
        return None


def context_of(subject: Subject, wish: Wish) -> dict[str, Any]:
    run = subject.run
    return {
        **head_context(subject),
        "rows": run.rescores.select_related("version", "created_by"),
        "versions": run.version.pack.versions.order_by("-number").values_list("number", flat=True),
        "wish": wish,
        "evaluation": evaluation_text(run),
    }


@login_required
@require_GET
def rescore(request: HttpRequest, pk: int) -> HttpResponse:
    """A second scoring beside the first, drawn anew while it is at work. Parameters: all, page."""
    row = get_object_or_404(Rescore.objects.visible_to(request.user).select_related("version", "created_by"), pk=pk)
    subject = find_run(request.user, row.run_id)
    results = RescoreResult.objects.filter(rescore=row).select_related("trial__run_agent")
    results = results.defer("scorecard", "trial__scorecard", "trial__final_output")
    shows_all = bool(request.GET.get("all"))
    chosen = results if shows_all else results.filter(has_changed=True)
    context = {
        **head_context(subject),
        "row": row,
        "is_working": row.status in ACTIVE,
        "done": results.aggregate(total=Count("pk"))["total"] if row.status in ACTIVE else row.trial_count,
        "page": Paginator(chosen.order_by("pk"), PAGE_ROWS).get_page(request.GET.get("page")),
        "shows_all": shows_all,
        "address": request.get_full_path(),
    }
    return render_page(request, "runs/rescore.html", "runs/_rescore.html", context)
