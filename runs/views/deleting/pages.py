"""What goes with a pack or a run, said before it is deleted; and the bin of a team."""

from typing import Any, cast

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from packs.access import Permission, permissions_on
from packs.models import Pack
from packs.views.shared.lookup import find_pack, find_team
from runs import bin as binned
from runs.models import Run
from runs.views.results.results import find_run

ROWS: dict[str, Any] = {"pack": Pack, "run": Run}
# What can be done with what lies in the bin, and what it needs.
ACTS = {"restore": Permission.CURATE, "purge": Permission.ADMINISTER}


def _confirm(request: HttpRequest, row: Pack | Run, back: str) -> HttpResponse:
    """The question with all that depends on it; POST deletes. `back` is the page of the row."""
    if request.method == "POST":
        try:
            binned.delete(row, cast(User, request.user))
        except binned.BinRefused as refused:
            messages.error(request, refused.message)
            return redirect(request.path)
        messages.success(request, f"{row} is in the bin. It can be brought back for {settings.BIN_DAYS} days.")
        return redirect("runs:bin", row.team.slug)
    context = {
        "row": row,
        "kind": "pack" if isinstance(row, Pack) else "run",
        "back": back,
        "obstacles": list(binned.obstacles(row)),
        "dependents": binned.dependents(row),
        "days": settings.BIN_DAYS,
    }
    return render(request, "runs/bin/delete.html", context)


@login_required
@require_http_methods(["GET", "POST"])
def delete_run(request: HttpRequest, pk: int) -> HttpResponse:
    """Put a run into the bin."""
    run = find_run(request.user, pk, Permission.CURATE).run
    return _confirm(request, run, reverse("runs:show", args=[pk]))


@login_required
@require_http_methods(["GET", "POST"])
def delete_pack(request: HttpRequest, team: str, slug: str) -> HttpResponse:
    """Put a pack into the bin, with its runs."""
    pack = find_pack(request.user, team, slug, Permission.CURATE).pack
    if hasattr(pack, "proposal"):
        raise Http404
    return _confirm(request, pack, reverse("packs:overview", args=[team, slug]))


@login_required
@require_GET
def bin_page(request: HttpRequest, team: str) -> HttpResponse:
    """What lies in the bin of a team, who put it there, and for how long it stays."""
    row = find_team(request.user, team, Permission.READ)
    packs, runs = binned.in_bin(row)
    lines: list[tuple[str, str, Any, int]] = [
        *(("pack", "package", pack, binned.days_left(pack)) for pack in packs),
        *(("run", "circle-play", run, binned.days_left(run)) for run in runs),
    ]
    lines.sort(key=lambda line: line[2].deleted_at, reverse=True)
    context = {
        "team": row,
        "lines": lines,
        "may": permissions_on(request.user, row),
        "days": settings.BIN_DAYS,
    }
    return render(request, "runs/bin/bin.html", context)


@login_required
@require_POST
def bin_act(request: HttpRequest, team: str, kind: str, pk: int, act: str) -> HttpResponse:
    """Bring back what lies in the bin, or delete it for ever."""
    if kind not in ROWS or act not in ACTS:
        raise Http404
    found = find_team(request.user, team, ACTS[act])
    rows = ROWS[kind]._base_manager.filter(team=found, deleted_at__isnull=False)
    row = get_object_or_404(rows, pk=pk)
    user, name = cast(User, request.user), str(row)
    try:
        if act == "restore":
            binned.bring_back(row, user)
            messages.success(request, f"{name} is back.")
        else:
            binned.purge(row, user)
            messages.success(request, f"{name} is deleted for ever.")
    except binned.BinRefused as refused:
        messages.error(request, refused.message)
    return redirect("runs:bin", team)
