"""Fixes of findings: shown where findings are, and applied as edits."""

from collections import Counter
from collections.abc import Iterable
from typing import cast

from django.contrib import messages
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from packs.editing import offered_by
from packs.jobs import fix_all_or_start, fix_or_start
from packs.models import NodeRow, Pack
from packs.views.shared.signed_in import signed_in
from packs.views.workbench.acts import back_url
from packs.views.workbench.addresses import NodeRef, node_url, ref_of, url_of
from packs.views.workbench.desk import find_pack, open_desk
from packs.views.workbench.problems import listed_rows

# The pages that show fixes, as forms name the place to return to; others are those of `back_url`.
NODE, PROBLEMS = "node", "problems"


@signed_in("GET")
def fixes(request: HttpRequest, team: str, slug: str, ref: NodeRef) -> HttpResponse:
    """The fixes of one node's findings. Parameter: back, the page that shows them."""
    desk = open_desk(request, team, slug, ref, to_edit=True)
    offers = [offer for _, some in offered_by(desk.pack, [desk.row]) for offer in some]
    context = {"pack": desk.pack, "ref": desk.ref, "offers": offers, "back": request.GET.get("back", NODE)}
    return render(request, "packs/workbench/_fixes.html", context)


@signed_in("GET")
def fixes_of_page(request: HttpRequest, team: str, slug: str) -> HttpResponse:
    """The fixes of the findings that a page of the problems lists. Parameters: those of the page."""
    pack = find_pack(request, team, slug, to_edit=True)
    return render_fixes(request, pack, listed_rows(request, pack), PROBLEMS)


def render_fixes(request: HttpRequest, pack: Pack, rows: Iterable[NodeRow], back: str) -> HttpResponse:
    """The fixes of rows for a page that has a place for those of each, and what to do for all of a kind."""
    found = [(ref_of(row), some) for row, some in offered_by(pack, rows)]
    offered = [offer for _, some in found for offer in some]
    firsts = {offer.finding.code: offer for offer in reversed(offered)}
    codes = Counter(offer.finding.code for offer in offered)
    repeated = [offer for code, offer in reversed(firsts.items()) if codes[code] > 1]
    context = {"pack": pack, "nodes": found, "repeated": repeated, "back": back}
    return render(request, "packs/workbench/_fixes_of_page.html", context)


@signed_in("POST")
def fix(request: HttpRequest, team: str, slug: str, ref: NodeRef) -> HttpResponse:
    """Apply the fix of one finding. Parameters: code, at (a JSON Pointer), back (node, problems, or rows of a set)."""
    desk = open_desk(request, team, slug, ref, to_edit=True)
    code, at = request.POST.get("code", ""), request.POST.get("at", "")
    done = fix_or_start(desk.pack, desk.row, code, at, desk.user)
    if done is None:
        messages.info(request, "There is nothing to fix here any more.")
    else:
        found, applied = done
        if applied.job is not None:
            return redirect("packs:job", applied.job)
        messages.success(request, f"{found.label}: done. Undo takes it back.")
    is_here = request.POST.get("back", NODE) == NODE
    return redirect(node_url(desk.pack, desk.ref, at) if is_here else _origin(request, desk.pack))


@signed_in("POST")
def fix_kind(request: HttpRequest, team: str, slug: str) -> HttpResponse:
    """Apply every fix for findings of one kind; a job in a large draft. Parameters: code, back."""
    pack, code = find_pack(request, team, slug, to_edit=True), request.POST.get("code", "")[:100]
    done = fix_all_or_start(pack, code, cast(User, request.user))
    if done.applied.job is not None:
        return redirect("packs:job", done.applied.job)
    places = f"{done.count} place{'' if done.count == 1 else 's'}"
    messages.success(request, f"Fixed {code} in {places}. Undo takes it back.")
    return redirect(_origin(request, pack))


def _origin(request: HttpRequest, pack: Pack) -> str:
    """The page of the button that was pressed."""
    back = request.POST.get("back", PROBLEMS)
    return url_of(pack, "edit-problems") if back == PROBLEMS else back_url(pack, back, "")
