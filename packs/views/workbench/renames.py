"""Another name for anything that a draft declares: how many places it has, and the edit that changes all of them."""

from collections.abc import Mapping
from typing import Any

from django.contrib import messages
from django.contrib.auth.models import User
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from packs.editing import EditRefused, Thing, foresee
from packs.editing.values import in_places
from packs.formats.costs import MANY_CASES
from packs.formats.document import NodeKind
from packs.formats.names import noun_of, thing_of
from packs.formats.names.renames import things
from packs.jobs import rename_or_start
from packs.mirror import format_of
from packs.models import Pack
from packs.views.shared.signed_in import signed_in
from packs.views.workbench.acts import back_url
from packs.views.workbench.answers import tell
from packs.views.workbench.desk import find_pack


@signed_in("GET", "POST")
def rename(request: HttpRequest, team: str, slug: str) -> HttpResponse:
    """Show where something is named, or give it another name.

    Parameters: what, old (its name), node (the id of one that is meant), back (the node to return to); POST also new.
    """
    pack = find_pack(request, team, slug, to_edit=True)
    if not isinstance(request.user, User):
        raise Http404
    given = request.POST if request.method == "POST" else request.GET
    thing, back = thing_in(pack, given), given.get("back", "")
    trouble, new = "", given.get("new", "")
    if request.method == "POST":
        try:
            applied = rename_or_start(pack, thing, new, request.user)
        except EditRefused as refusal:
            trouble = refusal.message
        else:
            if applied.job is not None:
                return redirect("packs:job", applied.job)
            tell(request, applied)
            if not applied.renamed:
                messages.success(request, f"Renamed {thing.name} to {new}.")
            return redirect(back_url(pack, back, given.get("section", "")))
    return shown(request, pack, thing, {"trouble": trouble, "new": new or thing.name, "back": back})


def thing_in(pack: Pack, given: Mapping[str, str]) -> Thing:
    """What is to be renamed. Raises Http404 for what no pack of the format has."""
    what, node = things(format_of(pack)).get(given.get("what", "")), given.get("node", "")
    if what is None or not given.get("old"):
        raise Http404
    return Thing(what, given["old"], int(node) if node.isdecimal() and len(node) < 19 else None)


def shown(request: HttpRequest, pack: Pack, thing: Thing, context: dict[str, Any]) -> HttpResponse:
    """The page that asks for a name and says how many places follow."""
    try:
        found = foresee(pack, thing, MANY_CASES)
    except EditRefused as refusal:
        messages.warning(request, refusal.message)
        return redirect(back_url(pack, context["back"], ""))
    places = in_places(found.places, found.nodes).rpartition(" ")[0] if found.nodes else ""
    context |= {
        "pack": pack,
        "thing": thing,
        "noun": noun_of(thing.what),
        "what": thing_of(thing.what),
        "count": found.places,
        "places": places,
        "is_whole": found.is_whole,
        "most": MANY_CASES,
        "is_node": thing.what in set(NodeKind),
        "back_url": back_url(pack, context["back"], ""),
    }
    return render(request, "packs/workbench/rename.html", context, status=422 if context["trouble"] else 200)
