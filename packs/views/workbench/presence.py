"""Who else has a draft open, and where: pages of the workbench ask for it about once a second."""

import re
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render

from packs.editing import ABSENT
from packs.editing.pointers import path_in, value_at
from packs.editing.presence import Said, come, leave, others
from packs.editing.seen import document_seen
from packs.formats.comparing import follow, same
from packs.formats.document import NodeKind
from packs.formats.findings import from_pointer, to_pointer
from packs.forms.encoding import decode_pointer, encode_pointer
from packs.models import Pack
from packs.views.shared.signed_in import signed_in
from packs.views.workbench.addresses import NodeConverter, NodeRef, node_url, url_of
from packs.views.workbench.answers import is_revision, place_name
from packs.views.workbench.desk import Desk, find_pack, open_desk
from packs.views.workbench.outline import dot_id

VISIT = re.compile("[a-z0-9]{8,40}")
# How many colours there are for people.
COLOURS = 5
# Longer pointers are no field's.
MOST_POINTER = 500


@signed_in("GET")
def presence(request: HttpRequest, team: str, slug: str, ref: NodeRef) -> HttpResponse:
    """Note where a page is, and answer who else is here.

    Parameters: visit, a name that the page gave itself; at, the pointer of the field in use; node, its node where the
    page shows several; words, where the caret is in the text of the whole pack; leaves, where the page goes away. The
    answer also has the revision of the draft, and what the page may show to hear "nothing new" (204); or it says that
    the node is gone.
    """
    try:
        desk = open_desk(request, team, slug, ref)
    except Http404:
        find_pack(request, team, slug)
        return render(request, "packs/workbench/_presence.html", {"is_gone": True})
    given = request.GET.get("visit", "")
    visit = f"{desk.user.pk}-{given}" if VISIT.fullmatch(given) else ""
    if "leaves" in request.GET or not visit:
        leave(desk.pack.pk, visit)
        return HttpResponse(status=204)
    quiet = come(desk.pack.pk, visit, said_of(request, in_use(request, desk)))
    context = {
        "quiet": quiet,
        "revision": Pack.objects.values_list("revision", flat=True).get(pk=desk.pack.pk),
        "people": [shown(desk, said) for said in others(desk.pack.pk, visit)],
        "desk": desk,
        "pack": desk.pack,
    }
    return render(request, "packs/workbench/_presence.html", context)


def in_use(request: HttpRequest, desk: Desk) -> Desk:
    """The node that a page of several has in use; the page's own where it names none, and where that is gone."""
    named = request.GET.get("node", "")
    if not re.fullmatch(NodeConverter.regex, named):
        return desk
    try:
        return open_desk(request, desk.pack.team.slug, desk.pack.slug, NodeConverter().to_python(named))
    except Http404:
        return desk


def said_of(request: HttpRequest, desk: Desk) -> Said:
    """What others hear of a page: who looks at what, and where that is in words."""
    pointer, words = decode_pointer(request.GET.get("at", "")) or "", [desk.name]
    pointer = pointer if len(pointer) <= MOST_POINTER else ""
    if pointer:
        words.append(place_name(desk.state, pointer))
    is_whole = "words" in request.GET
    if is_whole:
        words = ["YAML", *filter(None, [request.GET["words"][:MOST_POINTER]])]
    return {
        "user": desk.user.pk,
        "name": desk.user.get_username(),
        "node": desk.ref.path,
        "section": desk.section.key,
        "at": encode_pointer(pointer),
        "place": " › ".join(words),
        "is_whole": is_whole,
    }


def shown(desk: Desk, said: Said) -> dict[str, Any]:
    """A visit for the page of another."""
    ref = NodeConverter().to_python(said["node"])
    query = {"section": said["section"]} if ref.kind is NodeKind.PACK else {}
    pointer = decode_pointer(said["at"]) or ""
    is_own = said["user"] == desk.user.pk
    page = url_of(desk.pack, "edit-whole") if said["is_whole"] else node_url(desk.pack, ref, pointer, **query)
    return {
        **said,
        "title": "You, in another window" if is_own else said["name"],
        "sign": said["name"][:2],
        "colour": said["user"] % COLOURS,
        "is_on_page": ref == desk.ref and said["section"] == desk.section.key,
        "dot": dot_id(ref, said["section"] if ref.kind is NodeKind.PACK else ""),
        "url": page,
    }


def held_context(request: HttpRequest, desk: Desk) -> dict[str, Any]:
    """Where the field in use is now, for a page that is shown anew because others edited.

    Parameters: since, the revision that the page showed; held, the pointer of the field as it was then. The answer has
    its present pointer, empty where the field is gone, and whether its value is still the same.
    """
    since, pointer = request.GET.get("since", ""), decode_pointer(request.GET.get("held", ""))
    if not pointer or not is_revision(since):
        return {}
    seen = document_seen(desk.pack, desk.row, int(since))
    steps = from_pointer(pointer)
    # A field that has no value yet is found by what is around it.
    around = steps if value_at(seen, steps) is not ABSENT else steps[:-1]
    path = follow(seen, desk.row.document, path_in(seen, around))
    if path is None:
        return {"held": "", "held_is_same": False}
    found = (*path, *steps[len(around) :])
    now = value_at(desk.row.document, tuple(map(str, found)))
    return {"held": encode_pointer(to_pointer(found)), "held_is_same": same(now, value_at(seen, steps))}
