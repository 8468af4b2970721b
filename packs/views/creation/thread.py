"""The thread from a new pack to its first version: five steps, each as the draft stands, and which comes next."""

from dataclasses import dataclass
from typing import Any

from django.db.models import Exists, OuterRef, Subquery
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from packs.companion import companion
from packs.editing import ABSENT
from packs.editing.pointers import value_at
from packs.editing.sizes import short
from packs.formats.document import NodeKind
from packs.formats.findings import from_pointer
from packs.mirror import format_of
from packs.models import Case, InputSet, Pack, PackVersion, Proposal
from packs.views.shared.lookup import find_pack
from packs.views.shared.signed_in import signed_in
from packs.views.workbench.addresses import PACK, NodeRef, node_url, url_of


@dataclass(frozen=True, slots=True)
class Step:
    """A step and where it is done; `is_next` marks the first one that is not done."""

    label: str
    url: str
    is_done: bool
    is_next: bool = False


def thread_of(pack: Pack) -> list[Step]:
    """The steps of a pack that was never published; none of any other, and of the draft of a proposal. One query."""
    facts = facts_of(pack)
    if facts["is_published"] or facts["is_proposal"]:
        return []
    case = None if facts["case"] is None else NodeRef(NodeKind.CASE, facts["case"])
    first = NodeRef(NodeKind.INPUT_SET, facts["input_set"]) if facts["input_set"] else PACK
    is_checked, checks_url = checks_of(pack, case, facts)
    steps = [
        ("Cases", node_url(pack, case or first), case is not None),
        ("Checks", checks_url, is_checked),
        ("Try", node_url(pack, case or first, lens="try" if case else ""), facts["is_tried"]),
        ("Problems", url_of(pack, "edit-problems"), not pack.problem_errors and pack.checked_revision == pack.revision),
        ("Publish", url_of(pack, "publish"), False),
    ]
    coming = next(label for label, _, is_done in steps if not is_done)
    return [Step(label, url, is_done, label == coming) for label, url, is_done in steps]


def facts_of(pack: Pack) -> dict[str, Any]:
    """Whether a pack was published, is a proposal and was tried; and its first case and input set that are short."""
    sets = InputSet.objects.filter(pack=OuterRef("pk")).order_by("position", "pk")
    # The first case is looked for in the first set that has one: sorting all cases would read all of them.
    filled = InputSet.objects.filter(
        Exists(Case.objects.filter(input_set=OuterRef("pk"))), pack=OuterRef(OuterRef("pk"))
    )
    first = Subquery(filled.order_by("position", "pk").values("pk")[:1])
    cases = short(Case.objects.filter(input_set=first)).order_by("position", "pk")
    facts = {
        "is_published": Exists(PackVersion.objects.filter(pack=OuterRef("pk"))),
        "is_proposal": Exists(Proposal.objects.filter(draft=OuterRef("pk"))),
        "is_tried": companion().is_tried(),
        "case": Subquery(cases.values("pk")[:1]),
        "case_document": Subquery(cases.values("document")[:1]),
        "input_set": Subquery(sets.values("pk")[:1]),
        "set_document": Subquery(short(sets).values("document")[:1]),
    }
    return dict(Pack.objects.filter(pk=pack.pk).order_by().values(**facts)[0])


def checks_of(pack: Pack, case: NodeRef | None, facts: dict[str, Any]) -> tuple[bool, str]:
    """Whether a check is stated for the first case, and the address of the field where checks are stated."""
    nodes = {
        NodeKind.PACK: (PACK, pack.document),
        NodeKind.INPUT_SET: (NodeRef(NodeKind.INPUT_SET, facts["input_set"] or 0), facts["set_document"]),
        NodeKind.CASE: (case, facts["case_document"]),
    }
    places = [
        (nodes[kind], pointer)
        for kind, pointers in format_of(pack).CHECKS_AT.items()
        for pointer in pointers
        if nodes[kind][1] is not None
    ]
    stated = [
        value_at(document, from_pointer(pointer)) not in (ABSENT, None, "", [], {}) for (_, document), pointer in places
    ]
    at = stated.index(True) if True in stated else 0
    url = next((node_url(pack, ref, pointer) for (ref, _), pointer in places[at:] if ref), node_url(pack, PACK))
    return any(stated), url


@signed_in("GET")
def thread(request: HttpRequest, team: str, slug: str) -> HttpResponse:
    """The thread as it is now, for pages that show it while the draft changes."""
    pack = find_pack(request.user, team, slug).pack
    return render(request, "packs/_thread.html", {"pack": pack, "thread": thread_of(pack)})
