"""The page of a node: its form between the outline and the lenses. It reads, saves and works without JavaScript."""

from collections.abc import Iterable
from typing import Any
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from packs.editing import Applied, Change, EditRefused, Seen
from packs.editing.changes import as_changes
from packs.formats.document import Document, NodeKind
from packs.forms.arranging import Act, Arranged, Press, arrange, read_press
from packs.forms.encoding import decode_pointer, encode_pointer
from packs.forms.fields import dom_id
from packs.forms.state import Answer
from packs.jobs import edit_or_start
from packs.views.creation.thread import thread_of
from packs.views.shared.signed_in import signed_in
from packs.views.workbench.addresses import PACK, NodeRef, node_url
from packs.views.workbench.answers import disputes, form_of, is_revision, place_name, reloaded, tell, travel_context
from packs.views.workbench.contents import preview, written_text
from packs.views.workbench.creating import create
from packs.views.workbench.desk import Desk, find_pack, open_desk
from packs.views.workbench.files import root_of
from packs.views.workbench.lenses import lens_context
from packs.views.workbench.neighbours import neighbours, neighbours_among
from packs.views.workbench.outline import dot_id, outline
from packs.views.workbench.presence import held_context
from packs.views.workbench.styles import style_of
from packs.views.workbench.unanswered import without_own
from packs.views.workbench.uses import uses


@signed_in("GET")
def start(request: HttpRequest, team: str, slug: str) -> HttpResponse:
    """The workbench opens at the identity of the pack."""
    return redirect(node_url(find_pack(request, team, slug), PACK))


@signed_in("GET", "HEAD", "POST")
def node(request: HttpRequest, team: str, slug: str, ref: NodeRef) -> HttpResponse:
    """Show a node, or save its whole form. Parameters: section, at (the field to focus), begin, lens; since and held,
    for a page that follows what others edit."""
    if request.method == "POST":
        return save(request, open_desk(request, team, slug, ref, to_edit=True))
    desk = open_desk(request, team, slug, ref)
    return render(request, "packs/workbench/node.html", page_context(request, desk))


def page_context(request: HttpRequest, desk: Desk, answer: Answer | None = None) -> dict[str, Any]:
    """Everything that the page of a node shows; `answer` is what a form said that could not be taken over."""
    form = form_of(desk, answer)
    focus = decode_pointer(request.GET.get("at", "")) or ""
    around = outline(desk)
    siblings = next((opened.cases.nodes for opened in around["sets"] if opened.cases and desk.is_case), ())
    return {
        "desk": desk,
        "pack": desk.pack,
        "form": form,
        "focus": form.nearest(focus) if focus else form.entry if "begin" in request.GET else None,
        "outline": around,
        "dot": dot_id(desk.ref, desk.section.key if desk.kind is NodeKind.PACK else ""),
        "thread": thread_of(desk.pack),
        "neighbours": neighbours_among(desk, siblings),
        **travel_context(desk),
        **held_context(request, desk),
        **lens_context(desk, request.GET.get("lens", "yaml")),
        **kind_context(desk),
    }


def kind_context(desk: Desk) -> dict[str, Any]:
    """What only pages of one kind of node show."""
    if desk.kind is NodeKind.ASSET:
        key = desk.row.key
        shown = {"preview": preview(desk.row), "written": written_text(desk.row)}
        return {**shown, "uses": uses(desk.pack, [key])[key], "root": root_of(desk.pack, key)}
    return {"style": style_of(desk)} if desk.is_case else {}


def save(request: HttpRequest, desk: Desk) -> HttpResponse:
    """Save a whole form and do what its pressed button says; then show the page again."""
    answer, applied, focus = take(request, desk, desk.section.pointer)
    desk = reloaded(desk, applied)
    tell(request, applied)
    if answer.is_complete and not applied.conflicts:
        return redirect(after_url(request, desk, focus))
    context = page_context(request, desk, answer)
    context["disputes"] = disputes(desk, applied.conflicts)
    return render(request, "packs/workbench/node.html", context, status=409 if applied.conflicts else 422)


def after_url(request: HttpRequest, desk: Desk, focus: str) -> str:
    """Where to go after a save: to the next case or the gallery where that was asked for, else back to the field."""
    if "gallery" in request.POST:
        return f"{desk.gallery_url}?{urlencode({'at': request.POST['gallery']})}"
    following = neighbours(desk).after if "then" in request.POST else ""
    if following:
        return following
    section = {"section": desk.section.key} if desk.kind is NodeKind.PACK else {}
    url = node_url(desk.pack, desk.ref, encode_pointer(focus), lens=request.GET.get("lens", ""), **section)
    return f"{url}#{dom_id(focus)}" if focus else url


def take(request: HttpRequest, desk: Desk, pointer: str) -> tuple[Answer, Applied, str]:
    """Take over what was submitted for the value at a pointer, with the pressed button.

    Gives also the pointer of what the user wants to see next. A submission that makes no document changes nothing.
    """
    state = desk.state_seen(revision_of(request))
    confirmed = decode_pointer(request.POST.get("confirm", "-"))
    pairs = [(name, str(value)) for name, value in request.POST.items()]
    answer = state.read(pairs, pointer, "-" if confirmed is None else confirmed)
    press = read_press(request.POST.get("do", ""))
    label, more = label_of(desk, press, pointer), list[Change]()
    try:
        if press and press.act is Act.CREATE:
            arranged, more, label = create(desk, answer.document, press.pointer, new_name(request.POST, press))
        else:
            arranged = pressed(desk, answer, press, request.POST)
        applied = keep(desk, state.document, arranged.document, revision_of(request), label, more)
        if applied.conflicts:
            applied = without_own(request, desk, state, applied, pointer)
    except EditRefused:
        applied, arranged = unchanged(desk), Arranged(answer.document, "")
    return answer, applied, arranged.focus


def keep(
    desk: Desk, seen: Document, document: Any, revision: int | Seen, label: str, more: Iterable[Change] = ()
) -> Applied:
    """Write what leads from the document that the user saw to the one that was submitted; references to a key follow.

    `more` are changes of other nodes that belong to it.

    Raises EditRefused where that is no document or the node has gone.
    """
    if not isinstance(document, dict):
        raise EditRefused("not_a_document", "A document must be a mapping.")
    changes = [*more, *as_changes(desk.kind, desk.row.pk, seen, document)]
    return edit_or_start(desk.pack, changes, desk.user, revision, label, desk.row)


def pressed(desk: Desk, answer: Answer, press: Press | None, data: Any) -> Arranged:
    """The document after the pressed button, if one was pressed."""
    if press is None:
        return Arranged(answer.document, "")
    try:
        return arrange(desk.schema, answer.document, press, new_name(data, press))
    except EditRefused:
        return Arranged(answer.document, "")


def new_name(data: Any, press: Press) -> str:
    """The name that stands beside the pressed button."""
    return str(data.get(f"new:{encode_pointer(press.pointer)}", "")).strip()


WORDS = {Act.ADD: "Add to", Act.REMOVE: "Remove", Act.DUPLICATE: "Duplicate", Act.UP: "Move", Act.DOWN: "Move"}


def label_of(desk: Desk, press: Press | None, pointer: str) -> str:
    """The name of an edit in the history."""
    if press is not None and press.act in WORDS:
        return f"{WORDS[press.act]} {place_name(desk.state, press.pointer)}"
    return f"Change {place_name(desk.state, pointer)}" if pointer else ""


def revision_of(request: HttpRequest) -> int:
    """The revision of the draft that the user's page shows; 0, the most careful one, where none was given."""
    seen = request.POST.get("seen", "")
    return int(seen) if is_revision(seen) else 0


def unchanged(desk: Desk) -> Applied:
    pack = desk.pack
    return Applied(pack.revision, errors=pack.problem_errors, warnings=pack.problem_warnings)
