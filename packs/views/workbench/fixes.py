"""Fixes of findings: shown where findings are, and applied as edits."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import cast

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET, require_POST

from packs.editing import changes_of, fix_all, fix_at, fixer_for
from packs.formats.costs import is_heavy
from packs.formats.findings import Finding, to_pointer
from packs.formats.fixing import Fix, Fixer
from packs.jobs import edit_or_start, is_large, start
from packs.mirror import restored
from packs.models import NodeRow, Pack
from packs.views.workbench.addresses import NodeRef, node_url, ref_of, url_of
from packs.views.workbench.desk import find_pack, open_desk
from packs.views.workbench.problems import listed_rows

# Each fix that is shown was tried; more on one page take too long.
MAX_SHOWN = 40


@dataclass(frozen=True, slots=True)
class Offer:
    """A fix as a button shows it."""

    finding: Finding
    fix: Fix
    pointer: str


def is_too_much(pack: Pack, row: NodeRow) -> bool:
    """Whether trying fixes of a row takes too long for a request; a job can fix all findings of a kind."""
    return is_heavy(pack.document) or is_heavy(row.document)


def offers(fixer: Fixer, row: NodeRow, limit: int = MAX_SHOWN) -> Iterator[Offer]:
    """The fixes of a row's findings, one for each of them that has one; the same edit stands once."""
    found: dict[str, Offer] = {}
    for finding in [restored(item) for item in row.findings[:limit]]:
        pointer = to_pointer(finding.path)
        fix = fix_at(fixer, row, finding.code, pointer)
        if fix is not None:
            found.setdefault(f"{fix.label} {fix.path}", Offer(finding, fix, pointer))
    yield from found.values()


@login_required
@require_GET
def fixes(request: HttpRequest, team: str, slug: str, ref: NodeRef) -> HttpResponse:
    """The fixes of one node's findings, for the page of the node."""
    desk = open_desk(request, team, slug, ref, to_edit=True)
    context = {
        "pack": desk.pack,
        "ref": desk.ref,
        "offers": [] if is_too_much(desk.pack, desk.row) else list(offers(fixer_for(desk.pack), desk.row)),
        "back": "node",
    }
    return render(request, "packs/workbench/_fixes.html", context)


def offered_by(pack: Pack, rows: Iterable[NodeRow]) -> list[tuple[NodeRef, list[Offer]]]:
    """The rows whose findings have fixes, with these."""
    fixer, left, found = fixer_for(pack), MAX_SHOWN, []
    for row in rows:
        some = [] if is_heavy(row.document) else list(offers(fixer, row, left))
        left -= len(row.findings)
        if some:
            found.append((ref_of(row), some))
        if left <= 0:
            break
    return found


@login_required
@require_GET
def fixes_of_page(request: HttpRequest, team: str, slug: str) -> HttpResponse:
    """The fixes of the findings that a page of the problems lists. Parameters: those of the page."""
    pack = find_pack(request, team, slug, to_edit=True)
    found = [] if is_heavy(pack.document) else offered_by(pack, listed_rows(request, pack))
    offered = [offer for _, some in found for offer in some]
    firsts = {offer.finding.code: offer for offer in reversed(offered)}
    codes = Counter(offer.finding.code for offer in offered)
    repeated = [offer for code, offer in reversed(firsts.items()) if codes[code] > 1]
    context = {"pack": pack, "nodes": found, "repeated": repeated, "back": "problems"}
    return render(request, "packs/workbench/_fixes_of_page.html", context)


@login_required
@require_POST
def fix(request: HttpRequest, team: str, slug: str, ref: NodeRef) -> HttpResponse:
    """Apply the fix of one finding. Parameters: code, at (a JSON Pointer), back (problems or node)."""
    desk = open_desk(request, team, slug, ref, to_edit=True)
    code, at = request.POST.get("code", ""), request.POST.get("at", "")
    found = None if is_too_much(desk.pack, desk.row) else fix_at(fixer_for(desk.pack), desk.row, code, at)
    if found is None:
        messages.info(request, "There is nothing to fix here any more.")
    else:
        applied = edit_or_start(desk.pack, changes_of(desk.row, found.document), desk.user, label=f"Fix: {found.label}")
        if applied.job is not None:
            return redirect("packs:job", applied.job)
        messages.success(request, f"{found.label}: done. Undo takes it back.")
    to_list = request.POST.get("back") == "problems"
    return redirect(url_of(desk.pack, "edit-problems") if to_list else node_url(desk.pack, desk.ref, at))


@login_required
@require_POST
def fix_kind(request: HttpRequest, team: str, slug: str) -> HttpResponse:
    """Apply every fix for findings of one kind; a job in a large draft. Parameter: code."""
    pack, code = find_pack(request, team, slug, to_edit=True), request.POST.get("code", "")[:100]
    user = cast(User, request.user)
    if is_large(pack):
        columns = {"team": pack.team, "pack": pack, "user": user, "title": f"Fix {code} in {pack}"[:300]}
        return redirect("packs:job", start("fix", parameters={"code": code}, **columns).pk)
    done = fix_all(pack, code, user)
    places = f"{done.count} place{'' if done.count == 1 else 's'}"
    messages.success(request, f"Fixed {code} in {places}. Undo takes it back.")
    return redirect(url_of(pack, "edit-problems"))
