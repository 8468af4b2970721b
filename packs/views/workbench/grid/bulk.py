"""Acts on many cases of a grid: looked at first, then made as one edit that undo takes back."""

from collections.abc import Callable
from dataclasses import asdict
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from packs.editing import change_cases, duplicate_cases, move_cases, remove_cases
from packs.formats.costs import MANY_CASES
from packs.grid.changing import Act, Plan, Wish, look_ahead, plan
from packs.jobs import start
from packs.models import Case, InputSet
from packs.views.shared.fragments import wants_part
from packs.views.shared.signed_in import signed_in
from packs.views.workbench.addresses import NodeRef
from packs.views.workbench.answers import tell
from packs.views.workbench.grid.asking import Grid, open_grid

WHAT = {
    Act.SET: "Set it to",
    Act.CLEAR: "Clear it",
    Act.REPLACE: "Replace text in it",
}
FEW = 20
_TITLES = {"edit": "Change", "duplicate": "Duplicate", "move": "Move", "remove": "Remove"}


@signed_in("GET", "POST")
def bulk(request: HttpRequest, team: str, slug: str, ref: NodeRef) -> HttpResponse:
    """Edit a field of, duplicate, move or remove cases. Parameters: act, scope, case, asked; `go` once looked at.

    The address of a preview, opened by itself, leads back to the cases.
    """
    if request.method == "GET":
        return redirect(open_grid(request, team, slug, ref).url())
    grid = open_grid(request, team, slug, ref, to_edit=True)
    act = _ACTS.get(request.POST.get("act", ""))
    if act is None:
        raise Http404
    cases = grid.chosen(request.POST)
    if not cases:
        messages.info(request, "Tick the cases first, or choose all that match.")
        return redirect(grid.url())
    if "go" in request.POST and len(cases) > MANY_CASES:
        return _later(request, grid)
    return act(request, grid, cases)


def _later(request: HttpRequest, grid: Grid) -> HttpResponse:
    """An act on more cases than a request can take is a job; only all that match can be so many."""
    act, target = request.POST["act"], request.POST.get("target", "")
    wish = wish_of(grid, request.POST) if act == "edit" else None
    targets = grid.pack.input_sets.filter(pk=int(target)) if target.isdecimal() and len(target) < 19 else ()
    if (act == "edit" and wish is None) or (act == "move" and not targets):
        raise Http404
    parameters = {
        "set": grid.input_set.pk,
        "asked": dict(grid.asked),
        "act": act,
        "wish": asdict(wish) if wish else None,
        "target": targets[0].pk if targets else None,
        "first": request.POST.get("where") == "first",
    }
    title = f"{_TITLES[act]} cases of {grid.input_set.key}"[:300]
    columns = {"team": grid.pack.team, "pack": grid.pack, "user": grid.desk.user}
    return redirect("packs:job", start("change", title=title, parameters=parameters, **columns).pk)


def _context(request: HttpRequest, grid: Grid, cases: list[int]) -> dict[str, Any]:
    return {
        "grid": grid,
        "desk": grid.desk,
        "pack": grid.pack,
        "act": request.POST["act"],
        "scope": "all" if request.POST.get("scope") == "all" else "chosen",
        "cases": cases if request.POST.get("scope") != "all" else [],
        "total": len(cases),
    }


def wish_of(grid: Grid, data: Any) -> Wish | None:
    """The wish of a form; None while it names no column of the grid."""
    pointer, what = data.get("pointer", ""), data.get("what", Act.SET)
    if pointer not in grid.columns or what not in list(Act):
        return None
    return Wish(Act(what), pointer, data.get("text", ""), data.get("find", ""))


def rows_of(cases: list[int]) -> list[Case]:
    """The rows of cases, in portions that every database takes."""
    return [
        row for start in range(0, len(cases), 500) for row in Case.objects.filter(pk__in=cases[start : start + 500])
    ]


def _edit(request: HttpRequest, grid: Grid, cases: list[int]) -> HttpResponse:
    """Set, clear or replace a field. Parameters: pointer, what, text, find."""
    wish = wish_of(grid, request.POST)
    found = plan(grid.pack, rows_of(cases[:MANY_CASES]), wish) if wish else None
    if found is not None and "go" in request.POST:
        return _carry_out(request, grid, wish, found)
    if found is not None:
        look_ahead(grid.pack, found)
    context = {**_context(request, grid, cases), "wish": wish, "plan": found, "what_choices": WHAT.items()}
    context["worked_out"] = MANY_CASES if len(cases) > MANY_CASES else 0
    part = "packs/workbench/grid/_plan.html"
    return render(request, part if wants_part(request) else "packs/workbench/grid/bulk.html", context)


def _carry_out(request: HttpRequest, grid: Grid, wish: Wish | None, found: Plan) -> HttpResponse:
    name = grid.columns[wish.pointer].name if wish else ""
    label = f"Change {name} of {len(found.changes)} cases"
    applied = change_cases(grid.pack, grid.desk.user, found.changes, label=label)
    reported = f"{len(found.changes)} changed, {found.unchanged} had that value already"
    messages.success(request, f"{reported}, {found.refused} were left alone." if found.refused else f"{reported}.")
    tell(request, applied)
    return redirect(grid.url())


def _duplicate(request: HttpRequest, grid: Grid, cases: list[int]) -> HttpResponse:
    if len(cases) > FEW and "go" not in request.POST:
        return render(request, "packs/workbench/grid/bulk.html", _context(request, grid, cases))
    duplicate_cases(grid.pack, cases, grid.desk.user, label=f"Duplicate {len(cases)} cases")
    return _done(request, grid, f"{len(cases)} copies are at the end of the set.")


def _remove(request: HttpRequest, grid: Grid, cases: list[int]) -> HttpResponse:
    if len(cases) > FEW and "go" not in request.POST:
        return render(request, "packs/workbench/grid/bulk.html", _context(request, grid, cases))
    remove_cases(grid.pack, cases, grid.desk.user, label=f"Remove {len(cases)} cases")
    return _done(request, grid, f"{len(cases)} cases were removed. Undo brings them back.")


def _move(request: HttpRequest, grid: Grid, cases: list[int]) -> HttpResponse:
    """Put cases at the end or the front of a set. Parameters: target (a set), where (first, last)."""
    sets = InputSet.objects.filter(pack=grid.pack).order_by("position", "pk")
    target = request.POST.get("target", "")
    found = sets.filter(pk=int(target)).first() if target.isdecimal() and len(target) < 19 else None
    if found is None or "go" not in request.POST:
        context = {**_context(request, grid, cases), "targets": sets.values_list("pk", "key")[:300]}
        return render(request, "packs/workbench/grid/bulk.html", context)
    first = request.POST.get("where") == "first"
    label = f"Move {len(cases)} cases"
    move_cases(grid.pack, cases, grid.desk.user, input_set=found.pk, first=first, label=label)
    return _done(request, grid, f"{len(cases)} cases were moved.")


def _done(request: HttpRequest, grid: Grid, text: str) -> HttpResponse:
    messages.success(request, text)
    return redirect(grid.url())


_ACTS: dict[str, Callable[[HttpRequest, Grid, list[int]], HttpResponse]] = {
    "edit": _edit,
    "duplicate": _duplicate,
    "move": _move,
    "remove": _remove,
}
