"""What goes with a pack, a run or an agent, said before it is deleted; and the bin of a team."""

from typing import cast

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.models import User
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse

from packs.access import Permission, permissions_on
from packs.views.shared.lookup import find_pack, find_team
from packs.views.shared.signed_in import signed_in
from runs import bin as binned
from runs.views.agents.agents import find_agent
from runs.views.results.results import find_run

# The icons of what lies in the bin.
ICONS = {"pack": "package", "run": "circle-play", "agent": "bot"}
ACTS = ("restore", "purge")


def _confirm(request: HttpRequest, row: binned.Row, back: str) -> HttpResponse:
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
        "kind": binned.kind_of(row),
        "back": back,
        "obstacles": list(binned.obstacles(row)),
        "dependents": binned.dependents(row),
        "days": settings.BIN_DAYS,
    }
    return render(request, "runs/bin/delete.html", context)


@signed_in("GET", "POST")
def delete_run(request: HttpRequest, pk: int) -> HttpResponse:
    """Put a run into the bin."""
    run = find_run(request.user, pk, Permission.CURATE).run
    return _confirm(request, run, reverse("runs:show", args=[pk]))


@signed_in("GET", "POST")
def delete_pack(request: HttpRequest, team: str, slug: str) -> HttpResponse:
    """Put a pack into the bin, with its runs."""
    pack = find_pack(request.user, team, slug, Permission.CURATE).pack
    if hasattr(pack, "proposal"):
        raise Http404
    return _confirm(request, pack, reverse("packs:overview", args=[team, slug]))


@signed_in("GET", "POST")
def delete_agent(request: HttpRequest, pk: int) -> HttpResponse:
    """Put an agent into the bin; the runs that it took part in stay."""
    agent, _ = find_agent(request.user, pk, Permission.ADMINISTER)
    return _confirm(request, agent, reverse("runs:agent", args=[pk]))


@signed_in("GET")
def bin_page(request: HttpRequest, team: str) -> HttpResponse:
    """What lies in the bin of a team, who put it there, and for how long it stays."""
    row = find_team(request.user, team, Permission.READ)
    may = permissions_on(request.user, row)
    lines = [
        (kind, icon, found, binned.days_left(found), binned.NEEDED[kind] in may)
        for kind, icon in ICONS.items()
        for found in binned.in_bin(row, kind)
    ]
    lines.sort(key=lambda line: line[2].deleted_at, reverse=True)
    context = {
        "team": row,
        "lines": lines,
        "may": may,
        "days": settings.BIN_DAYS,
    }
    return render(request, "runs/bin/bin.html", context)


@signed_in("POST")
def bin_act(request: HttpRequest, team: str, kind: str, pk: int, act: str) -> HttpResponse:
    """Bring back what lies in the bin, or delete it for ever."""
    if kind not in binned.KINDS or act not in ACTS:
        raise Http404
    found = find_team(request.user, team, binned.NEEDED[kind] if act == "restore" else Permission.ADMINISTER)
    row = get_object_or_404(binned.in_bin(found, kind), pk=pk)
    user, name = cast(User, request.user), str(row)
    try:
        if act == "restore":
            binned.bring_back(row, user)
            messages.success(request, f"{name} is back.")
        else:
            is_done = binned.purge_soon(row, user)
            messages.success(request, f"{name} is {'' if is_done else 'being '}deleted for ever.")
    except binned.BinRefused as refused:
        messages.error(request, refused.message)
    return redirect("runs:bin", team)
