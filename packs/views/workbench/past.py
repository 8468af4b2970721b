"""The history of a draft: who changed what, and when."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_GET

from packs.editing import Moment, history
from packs.editing.values import ABSENT
from packs.formats.document import NodeKind
from packs.models import Edit, Pack
from packs.views.fragments import render_page
from packs.views.workbench.acts import WORDS
from packs.views.workbench.addresses import PACK, NodeRef, node_url
from packs.views.workbench.answers import shown
from packs.views.workbench.desk import find_pack

PAGE_MOMENTS = 40
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


@login_required
@require_GET
def past(request: HttpRequest, team: str, slug: str) -> HttpResponse:
    """The edits of a draft, newest first. Parameter: before, the revision of the last one seen."""
    pack = find_pack(request, team, slug)
    before = request.GET.get("before", "")
    limit = int(before) if before.isdecimal() and len(before) < 10 else None
    moments = history(pack, limit=PAGE_MOMENTS + 1, before=limit)
    context = {
        "pack": pack,
        "entries": [entry(pack, moment) for moment in moments[:PAGE_MOMENTS]],
        "older": moments[PAGE_MOMENTS - 1].revision if len(moments) > PAGE_MOMENTS else None,
    }
    return render_page(request, "packs/workbench/history.html", "packs/workbench/_history.html", context)


def entry(pack: Pack, moment: Moment) -> Entry:
    lines = [line(pack, edit) for edit in moment.edits[:MAX_EDITS]]
    label = moment.label or (lines[0].what if lines else "")
    more = max(0, moment.count - MAX_EDITS)
    return Entry(label, moment.author, moment.at, moment.revision, moment.undone, lines, more)


def line(pack: Pack, edit: Edit) -> Line:
    kind = NodeKind(edit.kind)
    ref = PACK if kind is NodeKind.PACK else NodeRef(kind, edit.node)
    is_value = edit.action == Edit.Action.SET
    return Line(
        what=f"{edit.get_action_display()} {WORDS.get(kind, 'pack')}",
        url=node_url(pack, ref, edit.pointer if is_value else ""),
        pointer=edit.pointer,
        before=short(edit.old) if is_value else "",
        after=short(edit.new) if is_value else "",
    )


def short(kept: list[Any]) -> str:
    """A kept value in a few words; empty where there was none."""
    text = shown(kept[0] if kept else ABSENT) if kept else ""
    return text if len(text) <= MAX_SHOWN else f"{text[:MAX_SHOWN]}…"
