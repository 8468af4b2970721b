"""The history of a draft: who changed what, and when."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from operator import attrgetter
from typing import Any, cast

from django.contrib import messages
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.text import Truncator

from packs.access import Permission
from packs.editing import Moment, history
from packs.editing.sittings import Sitting, sittings
from packs.editing.values import ABSENT
from packs.formats.characters import storable
from packs.formats.document import NodeKind
from packs.mirror import MODELS, format_of
from packs.models import Checkpoint, Edit, Pack
from packs.models.history import MAX_NAME
from packs.views.shared.fragments import render_page
from packs.views.shared.signed_in import signed_in
from packs.views.workbench.acts import WORDS
from packs.views.workbench.addresses import PACK, NodeRef, node_url, url_of
from packs.views.workbench.answers import shown
from packs.views.workbench.desk import find_pack, find_subject

PAGE_MOMENTS = 40
PAGE_SITTINGS = 30
MAX_EDITS = 6
MAX_SHOWN = 300


@dataclass(frozen=True, slots=True)
class Line:
    """One edit as the history shows it."""

    what: str
    url: str
    pointer: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class Entry:
    """Edits that were made together."""

    label: str
    author: str
    at: datetime
    revision: int
    undone: bool
    lines: list[Line]
    more: int


@signed_in("GET")
def past(request: HttpRequest, team: str, slug: str) -> HttpResponse:
    """What was done to a draft, newest first, in sittings with the points that have a name between them.

    Parameters: before, the first revision of the last sitting seen. With first and last, the edits of one sitting; then
    before is the revision of the last one seen.
    """
    subject = find_subject(request, team, slug)
    first, last, before = (number_in(request, name) for name in ("first", "last", "before"))
    if first is not None and last is not None:
        context = moments_between(subject.pack, first, before or last + 1)
        return render_page(request, "packs/workbench/moments.html", "packs/workbench/_moments.html", context)
    found = sittings(subject.pack, limit=PAGE_SITTINGS + 1, before=before)
    shown = found[: cut(found)]
    oldest = next((each for each in reversed(shown) if isinstance(each, Sitting)), None)
    context = {
        "pack": subject.pack,
        "may_edit": Permission.EDIT in subject.may,
        "parts": [(isinstance(each, Sitting), each) for each in shown],
        "older": oldest.first if oldest and subject.pack.edits.filter(revision__lt=oldest.first).exists() else None,
    }
    return render_page(request, "packs/workbench/history.html", "packs/workbench/_history.html", context)


def cut(found: list[Sitting | Checkpoint]) -> int:
    """How many of the parts of a history fit on one page."""
    places = [place for place, each in enumerate(found) if isinstance(each, Sitting)]
    return places[PAGE_SITTINGS] if len(places) > PAGE_SITTINGS else len(found)


def number_in(request: HttpRequest, name: str) -> int | None:
    given = request.GET.get(name, "")
    return int(given) if given.isdecimal() and len(given) < 10 else None


def moments_between(pack: Pack, first: int, before: int) -> dict[str, Any]:
    """The edits of a sitting, a page of them."""
    moments = history(pack, limit=PAGE_MOMENTS + 1, before=before, since=first)
    return {
        "pack": pack,
        "entries": entries_of(pack, moments[:PAGE_MOMENTS]),
        "older": moments[PAGE_MOMENTS - 1].revision if len(moments) > PAGE_MOMENTS else None,
        "first": first,
    }


@signed_in("POST")
def checkpoint(request: HttpRequest, team: str, slug: str) -> HttpResponse:
    """Give the draft as it is now a name in its history, or take one away. Parameters: name; remove, the id of one."""
    pack = find_pack(request, team, slug, to_edit=True)
    removed, name = request.POST.get("remove", ""), storable(request.POST.get("name", "")).strip()
    if removed:
        pack.checkpoints.filter(pk=int(removed) if removed.isdecimal() and len(removed) < 19 else 0).delete()
    elif not name or len(name) > MAX_NAME:
        messages.error(request, f"Give the point a name of at most {MAX_NAME} characters.")
    else:
        pack.checkpoints.create(revision=pack.revision, name=name, author=cast(User, request.user))
        messages.success(request, f"Revision {pack.revision} is called {name} now.")
    return redirect(url_of(pack, "edit-history"))


def entries_of(pack: Pack, moments: list[Moment]) -> list[Entry]:
    names = names_of(pack, [edit for moment in moments for edit in moment.edits[:MAX_EDITS]])
    return [entry(pack, moment, names) for moment in moments]


def names_of(pack: Pack, edits: list[Edit]) -> dict[int, str]:
    """What the nodes of edits are called, by the ids of the edits: as they came or went with it, else as they are."""
    identify = format_of(pack).identify
    found: dict[int, str] = {}
    below = sorted((edit for edit in edits if edit.kind != NodeKind.PACK), key=attrgetter("kind"))
    for kind, some in groupby(below, key=attrgetter("kind")):
        same = list(some)
        keys = dict(MODELS[NodeKind(kind)].objects.filter(pk__in={edit.node for edit in same}).values_list("pk", "key"))
        for edit in same:
            kept = edit.new if edit.action == Edit.Action.ADD else edit.old
            is_whole = edit.action in (Edit.Action.ADD, Edit.Action.REMOVE)
            found[edit.pk] = identify(NodeKind(kind), kept[0]["document"])[0] if is_whole else keys.get(edit.node, "")
    return found


def entry(pack: Pack, moment: Moment, names: Mapping[int, str]) -> Entry:
    lines = [line(pack, edit, names.get(edit.pk, "")) for edit in moment.edits[:MAX_EDITS]]
    label = moment.label or (lines[0].what if lines else "")
    more = max(0, moment.count - MAX_EDITS)
    return Entry(label, moment.author, moment.at, moment.revision, moment.undone, lines, more)


def line(pack: Pack, edit: Edit, name: str) -> Line:
    kind = NodeKind(edit.kind)
    ref = PACK if kind is NodeKind.PACK else NodeRef(kind, edit.node)
    is_value = edit.action == Edit.Action.SET
    return Line(
        what=f"{edit.get_action_display()} {WORDS.get(kind, 'pack')} {Truncator(name).chars(80)}".rstrip(),
        url=node_url(pack, ref, edit.pointer if is_value else ""),
        pointer=edit.pointer,
        before=short(edit.old) if is_value else "",
        after=short(edit.new) if is_value else "",
    )


def short(kept: list[Any]) -> str:
    """A kept value in a few words; empty where there was none."""
    text = shown(kept[0] if kept else ABSENT) if kept else ""
    return text if len(text) <= MAX_SHOWN else f"{text[:MAX_SHOWN]}…"
