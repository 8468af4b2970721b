"""The search behind the command palette, and the same as a page."""

from typing import Any

from django.db.models import OuterRef
from django.http import HttpRequest, HttpResponse

from packs.models import Pack
from packs.views.shared.fragments import render_page
from packs.views.shared.pages import first_set, pages_of
from packs.views.shared.signed_in import signed_in
from studio.rooms import OTHER_PAGES, RAIL, address
from studio.views.acts import act_hits
from studio.views.matches import LIMIT, Hit, Question, agent_hits, node_hits, pack_hits, run_hits, trial_hits
from studio.views.whereabouts import whereabouts

# How many packs are looked at for pages of theirs.
SEARCHED = 30


def page_hits(text: str) -> list[Hit]:
    """The pages whose name holds the text."""
    rooms = [room for room in RAIL + OTHER_PAGES if text in room.label.lower()]
    hits = [Hit(room.label, address(room.url_name), room.icon) for room in rooms]
    return [hit for hit in hits if hit.url]


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


@signed_in("GET")
def search(request: HttpRequest) -> HttpResponse:
    """Acts, and what matches the words of `q`: packs, their nodes, runs, trials, agents and pages."""
    text = request.GET.get("q", "").strip().lower()
    question = Question(request.user, text)
    groups = [
        ("Do", act_hits(request.user, text, whereabouts(request))),
        ("Packs", pack_hits(question)),
        ("Pages of packs", pack_page_hits(request.user, text)),
        ("In drafts", node_hits(question)),
        ("Runs", run_hits(question)),
        ("Trials", trial_hits(question)),
        ("Agents", agent_hits(question)),
        ("Pages", page_hits(text)),
    ]
    context = {"q": text, "groups": [group for group in groups if group[1]]}
    return render_page(request, "studio/search.html", "studio/_hits.html", context)
