"""The gallery of checks: the kinds that a list of a node can hold, by what they are for; one of them is added."""

from collections.abc import Iterator
from dataclasses import dataclass

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect

from packs.editing import EditRefused
from packs.formats.findings import to_pointer
from packs.formats.schema import kinds
from packs.formats.schema.kinds import Purpose
from packs.formats.structure.model import ANYTHING, Schema, fields_of, schema_at
from packs.forms.arranging import Act, Arranged, Press, arrange
from packs.forms.encoding import decode_pointer, encode_pointer
from packs.forms.fields import dom_id
from packs.forms.pointers import parent, read, write
from packs.forms.switching import switch
from packs.views.shared.fragments import render_page
from packs.views.shared.signed_in import signed_in
from packs.views.workbench.addresses import NodeRef, node_url
from packs.views.workbench.answers import news, place_name
from packs.views.workbench.desk import Desk, open_desk
from packs.views.workbench.editor import keep


@dataclass(frozen=True, slots=True)
class Choice:
    """A kind as the gallery shows it; `value` is submitted, `room` names its list where there are several."""

    value: str
    name: str
    room: str
    kind: Schema


@signed_in("GET", "POST")
def gallery(request: HttpRequest, team: str, slug: str, ref: NodeRef) -> HttpResponse:
    """Show what a list can hold, or add one of it. Parameters: at (the list), kind (`<kind>:<list>`)."""
    desk = open_desk(request, team, slug, ref, to_edit=True)
    if request.method == "POST":
        name, _, at = request.POST.get("kind", "").partition(":")
        return redirect(add(request, desk, name, decode_pointer(at)))
    pointer = decode_pointer(request.GET.get("at", ""))
    found = [*choices(desk, pointer)] if pointer is not None else []
    if not found:
        raise Http404
    noun = next(kinds.offered(part)["noun"] for _, part in _rooms(desk, pointer or ""))
    groups = [(purpose, [choice for choice in found if choice.kind["purpose"] == purpose]) for purpose in Purpose]
    # What the asked list itself can hold comes before what those beside it can.
    groups.sort(key=lambda group: found[0].room not in [choice.room for choice in group[1]])
    context = {
        "desk": desk,
        "pack": desk.pack,
        "title": f"Add a {noun}" if pointer else "Choose what is asked and how it is checked",
        "search": f"Search kinds of {noun}",
        "asks": "What should be checked?" if noun == "check" else f"Which {noun}?",
        "groups": [(purpose, group) for purpose, group in groups if group],
    }
    return render_page(request, "packs/workbench/gallery.html", "packs/workbench/_gallery.html", context)


def choices(desk: Desk, pointer: str) -> Iterator[Choice]:
    """The kinds of a list and of the lists beside it; those of an object that is of one kind itself."""
    rooms = [*_rooms(desk, pointer)]
    for at, part in rooms:
        room = place_name(desk.state, at).rpartition("› ")[2] if len(rooms) > 1 else ""
        for name, kind in kinds.offered(part)["kinds"].items():
            yield Choice(f"{name}:{encode_pointer(at)}", name, room, kind)


def _rooms(desk: Desk, pointer: str) -> Iterator[tuple[str, Schema]]:
    """Where a kind can be chosen: each pointer with the schema that offers it, the asked one first."""
    document = desk.row.document
    own = schema_at(desk.schema, document, pointer)
    if not pointer:
        yield from [("", own)] if kinds.offered(own) else []
    elif kinds.offered(own.get("items", ANYTHING)):
        around = parent(pointer)
        beside = fields_of(schema_at(desk.schema, document, around), read(document, around))
        rooms = {around + to_pointer((name,)): part.get("items", ANYTHING) for name, part in beside.items()}
        yield pointer, own["items"]
        yield from ((at, part) for at, part in rooms.items() if at != pointer and kinds.offered(part))


def add(request: HttpRequest, desk: Desk, name: str, pointer: str | None) -> str:
    """Add a check of a kind and say where it is edited. Raises Http404 for a place or a kind that there is not."""
    if pointer is None or all(choice.value != f"{name}:{encode_pointer(pointer)}" for choice in choices(desk, pointer)):
        raise Http404
    document = desk.row.document
    try:
        arranged = arrange(desk.schema, document, Press(Act.ADD, pointer), name) if pointer else _chosen(desk, name)
        label = f"Add {name} to {place_name(desk.state, pointer)}" if pointer else f"Choose {name}"
        applied = keep(desk, document, arranged.document, desk.pack.revision, label)
    except EditRefused as refusal:
        messages.warning(request, refusal.message)
        return desk.url
    if arranged.along:
        places = ", ".join(place_name(desk.state, at) for at in arranged.along)
        messages.success(request, f"Changed with it: {places}. Undo takes all of it back.")
    for sentence in news(applied):
        messages.success(request, sentence)
    return f"{node_url(desk.pack, desk.ref, encode_pointer(arranged.focus))}#{dom_id(arranged.focus)}"


def _chosen(desk: Desk, name: str) -> Arranged:
    """The document as one of a kind. Raises EditRefused where that would lose something."""
    document, by = desk.row.document, to_pointer((kinds.offered(desk.schema)["by"],))
    changed, refusals = switch(desk.schema, document, write(document, by, name))
    if refusals:
        lost = refusals[0].lost
        raise EditRefused("would_lose", f"This would lose {lost}. Nothing was changed; choose it in the form below.")
    return Arranged(changed, by)
