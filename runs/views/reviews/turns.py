"""People's turns in conversations: those that wait, and the box in which one is answered."""

from typing import Any, cast

from django.contrib import messages
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect

from packs.access import Permission, permissions
from packs.views.shared.fragments import render_page
from packs.views.shared.signed_in import signed_in
from runs.jobs.trials.answering import MAX_ANSWER, answer
from runs.models import HumanTurn, Trial, TrialStatus
from runs.models.turns import HumanTurnQuerySet
from runs.views.trials.chats import chat_of

SHOWN_TURNS = 200
SHOWN = (
    *("turn_index", "phase_id", "hint", "due_at", "answered_at", "expired_at", "text", "answered_by__username"),
    *("trial__status", "trial__case_key", "trial__number", "trial__run_agent__name"),
    *("trial__run__name", "trial__run__cancel_requested_at", "trial__run__team__name"),
)


def turn_rows(user: Any) -> HumanTurnQuerySet:
    """Turns that the user may see, with what a page says of them."""
    rows: HumanTurnQuerySet = HumanTurn.objects.visible_to(user)
    return rows.select_related("trial__run__team", "trial__run_agent", "answered_by").only(*SHOWN)


def turns_for(user: Any, **where: Any) -> list[HumanTurn]:
    """The turns that wait and that the user may answer, those with the least time first."""
    return list(turn_rows(user).answerable_by(user).waiting().filter(**where).order_by("due_at")[:SHOWN_TURNS])


def turn_of(user: Any, trial: Trial) -> dict[str, Any]:
    """What the box on a trial's page shows while a person is asked; empty otherwise."""
    if trial.status != TrialStatus.WAITING:
        return {}
    found = turn_rows(user).waiting().filter(trial=trial).first()
    return box_context(user, found) if found else {}


def box_context(user: Any, turn: HumanTurn, typed: str = "", problem: str = "") -> dict[str, Any]:
    """What the box shows: the turn, whether the user may answer, what they typed and what is wrong with it."""
    may = permissions(user, turn.trial.run.team)
    return {"turn": turn, "may_answer": Permission.ANSWER in may, "typed": typed, "problem": problem}


@signed_in("GET")
def turn_list(request: HttpRequest) -> HttpResponse:
    """The turns that wait for a person, those with the least time first."""
    waiting = turn_rows(request.user).waiting().order_by("due_at")[:SHOWN_TURNS]
    return render_page(request, "runs/turns/list.html", "runs/turns/_rows.html", {"turns": waiting})


@signed_in("GET", "POST")
def turn(request: HttpRequest, pk: int) -> HttpResponse:
    """One turn with the conversation so far and a box to answer in; htmx asks only how it stands."""
    found: HumanTurn = get_object_or_404(turn_rows(request.user), pk=pk)
    if request.method == "POST":
        return take(request, found)
    return show(request, found)


def take(request: HttpRequest, found: HumanTurn) -> HttpResponse:
    """Take an answer. Where that is not possible, the page says why and keeps the text."""
    if Permission.ANSWER not in permissions(request.user, found.trial.run.team):
        raise PermissionDenied
    # Browsers send line ends as CR LF.
    typed = request.POST.get("text", "").replace("\r\n", "\n")
    if not typed.strip():
        return show(request, found, 422, typed=typed, problem="Write what the user says.")
    if len(typed) > MAX_ANSWER:
        problem = f"This is too long: an answer may have up to {MAX_ANSWER:,} characters."
        return show(request, found, 422, typed=typed, problem=problem)
    if not answer(found, cast(User, request.user), typed.strip()):
        return show(request, get_object_or_404(turn_rows(request.user), pk=found.pk), 409, typed=typed)
    messages.success(request, "Your answer was sent; the conversation goes on.")
    return redirect("runs:trial", found.trial_id)


def show(request: HttpRequest, found: HumanTurn, status: int = 200, typed: str = "", problem: str = "") -> HttpResponse:
    context = {
        **box_context(request.user, found, typed, problem),
        "trial": found.trial,
        "run": found.trial.run,
        "turns": chat_of(found.trial)[1],
    }
    page = "runs/turns/turn.html"
    part = page if request.method == "POST" else "runs/turns/_state.html"
    return render_page(request, page, part, context, status)
