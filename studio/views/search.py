"""The search behind the command palette, and the same as a page."""

from typing import Any

from django.contrib.auth.decorators import login_required
from django.db.models import OuterRef, Q
from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_GET

from packs.columns import as_stored
from packs.formats.document import NodeKind
from packs.mirror import MODELS
from packs.models import Pack
from packs.views.shared.fragments import render_page
from packs.views.shared.pages import first_set, pages_of
from packs.views.workbench.addresses import workbench_url
from packs.views.workbench.desk import KIND_NAMES
from runs.models import Agent, Run
from studio.rooms import OTHER_PAGES, RAIL, address
from studio.templatetags.ui import run_title
from studio.views.acts import LIMIT, Hit, act_hits

NODE_ICONS = {NodeKind.CHALLENGE: "target", NodeKind.CASE: "file-text", NodeKind.ASSET: "paperclip"}
# How many packs are looked at for pages of theirs.
SEARCHED = 30


def page_hits(text: str) -> list[Hit]:
    """The pages whose name holds the text."""
    rooms = [room for room in RAIL + OTHER_PAGES if text in room.label.lower()]
    hits = [Hit(room.label, address(room.url_name), room.icon) for room in rooms]
    return [hit for hit in hits if hit.url]


def pack_hits(user: Any, text: str) -> list[Hit]:
    found = Pack.objects.visible_to(user).filter(Q(slug__icontains=text) | Q(title__icontains=text))
    rows = found.select_related("team").order_by("-updated_at")[:LIMIT]
    return [Hit(str(row), address("packs:overview", row.team.slug, row.slug), "package", row.slug) for row in rows]


def pack_page_hits(user: Any, text: str) -> list[Hit]:
    """Pages of packs: some words name the page, the others the pack; without others it is one of the newest packs."""
    words = text.split()
    packs = Pack.objects.visible_to(user).select_related("team").order_by("-updated_at")
    packs = packs.annotate(first_set=first_set(OuterRef("pk")))
    hits: list[Hit] = []
    for pack in packs[:SEARCHED] if words else ():
        name = f"{pack.slug} {pack.title}".lower()
        for page in pages_of(pack, pack.first_set):
            label = page.label.lower()
            rest = [word for word in words if word not in label]
            if len(rest) < len(words) and all(word in name for word in rest):
                hits.append(Hit(page.label, page.url, page.icon, pack.slug))
        if len(hits) >= LIMIT:
            break
    return hits[:LIMIT]


def node_hits(user: Any, text: str) -> list[Hit]:
    """Challenges, cases and files of drafts that hold every word, in their keys or anywhere in their documents."""
    words = text.split()
    found: list[Hit] = []
    for kind, icon in NODE_ICONS.items() if words else ():
        rows = MODELS[kind].objects.filter(pack__in=Pack.objects.visible_to(user))
        for word in words:
            rows = rows.filter(Q(key__icontains=word) | Q(document__icontains=as_stored(word)))
        for row in (
            rows.select_related("pack__team").defer("document", "findings").order_by("-pk")[: LIMIT - len(found)]
        ):
            found.append(Hit(row.key or KIND_NAMES[kind], workbench_url(row.pack, row), icon, row.pack.slug))
    return found


def agent_hits(user: Any, text: str) -> list[Hit]:
    rows = Agent.objects.visible_to(user).filter(name__icontains=text).order_by("-pk")[:LIMIT] if text else ()
    return [Hit(row.name, address("runs:agent", row.pk), "bot", row.kind) for row in rows]


def run_hits(user: Any, text: str) -> list[Hit]:
    wanted = Q(name__icontains=text) | Q(version__pack__slug__icontains=text)
    if text.removeprefix("#").isdecimal():
        wanted |= Q(pk=int(text.removeprefix("#")[:18]))
    rows = Run.objects.visible_to(user).filter(wanted).select_related("version__pack").order_by("-id")[:LIMIT]
    return [
        Hit(run_title(row), address("runs:show", row.pk), "circle-play", f"#{row.pk} · {row.version}") for row in rows
    ]


@login_required
@require_GET
def search(request: HttpRequest) -> HttpResponse:
    """Acts, packs, their nodes, runs, agents and pages that match `q`; the newest ones when it is empty."""
    text = request.GET.get("q", "").strip().lower()
    groups = [
        ("Do", act_hits(request.user, text)),
        ("Packs", pack_hits(request.user, text)),
        ("Pages of packs", pack_page_hits(request.user, text)),
        ("In drafts", node_hits(request.user, text)),
        ("Runs", run_hits(request.user, text)),
        ("Agents", agent_hits(request.user, text)),
        ("Pages", page_hits(text)),
    ]
    context = {"q": text, "groups": [group for group in groups if group[1]]}
    return render_page(request, "studio/search.html", "studio/_hits.html", context)
