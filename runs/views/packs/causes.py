"""The failures of a pack's runs by their causes: what people call them, and cases made of them."""

from typing import cast
from urllib.parse import urlencode

from django.contrib import messages
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse

from packs.access import Permission
from packs.formats.characters import storable
from packs.views.shared.signed_in import signed_in
from runs.models import FailureGroup, Run, Trial
from runs.results.causes import REASON, WAYS, CauseGroup, Failed, causes_of
from runs.results.failures import MOST_CASES, Made, find_place, make_cases, places_of
from runs.results.parting import MOST_COMPARED, passed_beside
from runs.results.proofs import marks_in
from runs.views.packs.scope import Scope, find_scope

MOST_GROUPS = 200
MOST_MEMBERS = 50
NAME = 120


@signed_in("GET")
def pack_causes(request: HttpRequest, team: str, slug: str) -> HttpResponse:
    """The failures of the runs of a pack by their causes. Parameters: set, run (only that one), by (one of WAYS)."""
    scope = find_scope(request, team, slug)
    causes = causes_of(scope.pack, _runs(request, scope), _by(request))
    context = {
        **scope.context,
        "tab": "results",
        "part": "causes",
        "causes": causes,
        "groups": causes.groups[:MOST_GROUPS],
        "ways": WAYS,
        "by": _by(request),
        "most_compared": MOST_COMPARED,
        "run": request.GET.get("run", ""),
        "asked": _asked(request),
    }
    return render(request, "runs/pack/causes.html", context)


def _runs(request: HttpRequest, scope: Scope) -> list[Run]:
    """The run that is asked for, else all."""
    wanted = request.GET.get("run", "") or request.POST.get("run", "")
    return [run for run in scope.runs if str(run.pk) == wanted] if wanted else scope.runs


def _by(request: HttpRequest) -> str:
    """What failures are grouped by."""
    wanted = request.GET.get("by", "") or request.POST.get("by", "")
    return wanted if wanted in WAYS else REASON


def _asked(request: HttpRequest) -> str:
    """The choice of runs and of causes, to be kept from page to page."""
    source = request.POST if request.method == "POST" else request.GET
    kept = {name: source[name] for name in ("set", "run", "by") if source.get(name)}
    return f"?{urlencode(kept)}" if kept else ""


def find_cause(request: HttpRequest, team: str, slug: str, digest: str) -> tuple[Scope, CauseGroup]:
    """A group of failures. Raises Http404 where none of the runs has it."""
    scope = find_scope(request, team, slug)
    group = causes_of(scope.pack, _runs(request, scope), _by(request)).group(digest)
    if group is None:
        raise Http404
    return scope, group


@signed_in("GET")
def cause_page(request: HttpRequest, team: str, slug: str, digest: str) -> HttpResponse:
    """The failures of one cause, each beside a trial that passed the same case. Parameters: set, run, by."""
    scope, group = find_cause(request, team, slug, digest)
    members = group.members[:MOST_MEMBERS]
    rows = Trial.objects.select_related("run_agent").defer("scorecard", "final_output", "run_agent__config")
    trials = rows.in_bulk([member.trial for member in members])
    marks = marks_in(trial.case_id for trial in trials.values())
    passed = passed_beside([run.pk for run in _runs(request, scope)], {member.case for member in members})
    context = {
        **scope.context,
        "tab": "results",
        "part": "causes",
        "group": group,
        "rows": [
            (trials[one.trial], one.said, _beside(passed.get(one.case), one), marks.get(trials[one.trial].case_id or 0))
            for one in members
            if one.trial in trials
        ],
        "places": places_of(scope.pack),
        "most_cases": MOST_CASES,
        "set": scope.chosen,
        "run": request.GET.get("run", ""),
        "by": _by(request),
        "asked": _asked(request),
    }
    return render(request, "runs/pack/cause.html", context)


def _beside(passed: int | None, failed: Failed) -> str:
    """Where a failure stands beside a trial that passed, at the step that its group is about; empty without one."""
    if passed is None:
        return ""
    row = {} if failed.row is None else {"row": failed.row + 1}
    return f"{reverse('runs:replay-compare')}?{urlencode({'a': passed, 'b': failed.trial, **row})}"


@signed_in("POST")
def name_cause(request: HttpRequest, team: str, slug: str, digest: str) -> HttpResponse:
    """Give a group a name; an empty one takes the name away. Parameters: name, set, run, by."""
    scope, group = _editable(request, team, slug, digest)
    name = storable(request.POST.get("name", "")).strip()[:NAME]
    rows = FailureGroup.objects.filter(pack=scope.pack, digest=digest)
    if name:
        values = {"name": name, "changed_by": cast(User, request.user)}
        stated = {"kind": group.kind, "source": group.source, "text": group.text}
        FailureGroup.objects.update_or_create(pack=scope.pack, digest=digest, defaults={**stated, **values})
    else:
        rows.delete()
    messages.success(request, "Saved." if name else "The name was taken away.")
    return redirect(reverse("runs:cause", args=[team, slug, digest]) + _asked(request))


@signed_in("POST")
def make_cases_of(request: HttpRequest, team: str, slug: str, digest: str) -> HttpResponse:
    """Make cases of the failures of a group in the draft, one of each case that failed. Parameters: place,
    set, run, by."""
    scope, group = _editable(request, team, slug, digest)
    wanted = request.POST.get("place", "")
    places = places_of(scope.pack)
    place = find_place(places, int(wanted)) if wanted.isdecimal() and len(wanted) < 19 else find_place(places)
    if place is None:
        raise Http404
    newest = {member.case: member.trial for member in reversed(group.members)}
    chosen = sorted(newest.values(), reverse=True)[:MOST_CASES]
    related = ("run__version__pack", "run_agent", "case__input_set")
    trials = Trial.objects.filter(pk__in=chosen).select_related(*related).order_by("case_position")
    made = make_cases(scope.pack, place, trials, cast(User, request.user))
    messages.add_message(request, messages.SUCCESS if made.cases else messages.WARNING, described(made, len(newest)))
    return redirect(reverse("runs:cause", args=[team, slug, digest]) + _asked(request))


def described(made: Made, cases: int) -> str:
    """What came of making cases, in words."""
    count = len(made.cases)
    said = [f"{count} case{'s were' if count != 1 else ' was'} made in the draft."]
    if made.known:
        said.append(f"Of {len(made.known)} the draft has one already.")
    if made.refused:
        said.append(f"{len(made.refused)} were refused: {made.refused[0]}")
    if cases > MOST_CASES:
        said.append(f"At most {MOST_CASES} are made at once, of {cases}.")
    return " ".join(said)


def _editable(request: HttpRequest, team: str, slug: str, digest: str) -> tuple[Scope, CauseGroup]:
    """Raises PermissionDenied for who may not edit the pack."""
    scope, group = find_cause(request, team, slug, digest)
    if Permission.EDIT not in scope.subject.may:
        raise PermissionDenied
    return scope, group
