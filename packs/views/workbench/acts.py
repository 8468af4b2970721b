"""Acts on whole nodes: add, duplicate, move, remove; undo and redo."""

from collections.abc import Callable
from typing import cast

from django.contrib import messages
from django.contrib.auth.models import User
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect

from packs.editing import EditRefused, add_node, duplicate_node, move_node, redo, remove_node, undo
from packs.formats.document import NodeKind
from packs.jobs import large, start_on_large, start_once
from packs.mirror import MODELS
from packs.models import Pack
from packs.views.shared.signed_in import signed_in
from packs.views.workbench.addresses import KINDS, PACK, NodeConverter, NodeRef, node_url, url_of
from packs.views.workbench.desk import Desk, find_pack, open_desk
from packs.views.workbench.neighbours import neighbours

WORDS = {
    NodeKind.CHALLENGE: "challenge",
    NodeKind.INPUT_SET: "input set",
    NodeKind.CASE: "case",
    NodeKind.ASSET: "asset",
}


@signed_in("POST")
def add(request: HttpRequest, team: str, slug: str, room: str) -> HttpResponse:
    """Add a node with a small document of its own and open it. Parameter: input_set, the id of a case's set."""
    pack = find_pack(request, team, slug, to_edit=True)
    kind = KINDS.get(room)
    if kind is None:
        raise Http404
    input_set = request.POST.get("input_set", "")
    try:
        applied = add_node(
            pack,
            kind,
            request.user,  # type: ignore[arg-type]
            input_set=int(input_set) if input_set.isdecimal() and len(input_set) < 19 else None,
            label=f"Add {WORDS[kind]}",
        )
    except EditRefused as refusal:
        raise Http404 from refusal
    return redirect(node_url(pack, NodeRef(kind, applied.node or 0), begin="1"))


def _duplicate(desk: Desk) -> str:
    applied = duplicate_node(desk.pack, desk.kind, desk.row.pk, desk.user, label=f"Duplicate {WORDS[desk.kind]}")
    return node_url(desk.pack, NodeRef(desk.kind, applied.node or 0), begin="1")


def _move(offset: int) -> Callable[[Desk], str]:
    def act(desk: Desk) -> str:
        move_node(desk.pack, desk.kind, desk.row.pk, desk.user, offset=offset)
        return desk.url

    return act


def _remove(desk: Desk) -> str:
    around = neighbours(desk)
    is_case = desk.kind is NodeKind.CASE
    home = node_url(desk.pack, NodeRef(NodeKind.INPUT_SET, desk.row.input_set_id) if is_case else PACK)
    remove_node(desk.pack, desk.kind, desk.row.pk, desk.user, label=f"Remove {WORDS[desk.kind]} {desk.row.key}")
    return around.after or around.before or home


ACTS: dict[str, Callable[[Desk], str]] = {
    "duplicate": _duplicate,
    "up": _move(-1),
    "down": _move(1),
    "remove": _remove,
}


@signed_in("POST")
def act(request: HttpRequest, team: str, slug: str, ref: NodeRef) -> HttpResponse:
    """Duplicate, move or remove a node, as the parameter `act` says, and go where its outcome is."""
    desk = open_desk(request, team, slug, ref, to_edit=True)
    name = request.POST.get("act", "")
    if name not in ACTS or desk.kind is NodeKind.PACK:
        raise Http404
    job = start_on_large(name, desk.row, desk.user) if name in ("duplicate", "remove") else None
    if job is not None:
        return redirect("packs:job", job.pk)
    try:
        target = ACTS[name](desk)
    except EditRefused as refusal:
        messages.warning(request, refusal.message)
        return redirect(desk.url)
    if name == "remove":
        messages.success(request, f"The {WORDS[desk.kind]} was removed. Undo brings it back.")
    return redirect(target)


@signed_in("POST")
def take_back(request: HttpRequest, team: str, slug: str) -> HttpResponse:
    """Undo the user's latest edit; a large one is a job. Parameter: back, the node to return to."""
    pack = find_pack(request, team, slug, to_edit=True)
    return _travel(request, pack, "undo")


@signed_in("POST")
def make_again(request: HttpRequest, team: str, slug: str) -> HttpResponse:
    """Redo the user's latest undone edit; a large one is a job. Parameter: back, the node to return to."""
    pack = find_pack(request, team, slug, to_edit=True)
    return _travel(request, pack, "redo")


def _travel(request: HttpRequest, pack: Pack, way: str) -> HttpResponse:
    user = cast(User, request.user)
    columns = large(pack, user, way)
    if columns is not None:
        return redirect("packs:job", start_once(**columns).pk)
    try:
        applied = {"undo": undo, "redo": redo}[way](pack, user)
    except EditRefused as refusal:
        messages.info(request, refusal.message)
    else:
        for conflict in applied.conflicts:
            by = f" by {conflict.author}" if conflict.author else ""
            messages.warning(request, f"This was changed{by} since and cannot be undone: {conflict.pointer}")
    return redirect(back_url(pack, request.POST.get("back", ""), request.POST.get("section", "")))


def back_url(pack: Pack, text: str, section: str) -> str:
    """The page of the node that the user was at, or the first page when the node has gone."""
    if text == PACK.path:
        return node_url(pack, PACK, section=section)
    text, slash, _ = text.partition("/rows")
    room, _, number = text.partition("/")
    if room not in KINDS or not number.isdecimal() or len(number) > 18:
        return url_of(pack, "edit")
    ref = NodeConverter().to_python(text)
    exists = MODELS[ref.kind].objects.filter(pack=pack, pk=ref.id).exists()
    if exists and slash and ref.kind is NodeKind.INPUT_SET:
        return url_of(pack, "edit-rows", ref)
    return node_url(pack, ref) if exists else url_of(pack, "edit")
