"""The outline: sections, challenges, input sets with pages of cases, assets; a dot where there are problems."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import islice
from typing import Any

from django.db.models import Count, Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from packs.access import Permission
from packs.editing.comments import open_counts
from packs.formats.document import NodeKind
from packs.formats.findings import Severity, to_pointer
from packs.formats.structure.model import schema_at
from packs.forms.sections import sections_of
from packs.mirror import format_of, ordered
from packs.models import Case, InputSet, Pack
from packs.views.shared.pages import pages_of
from packs.views.shared.signed_in import signed_in
from packs.views.workbench.addresses import NodeRef, node_url, url_of
from packs.views.workbench.desk import LISTED, Desk, Listed, find_row, find_subject
from packs.views.workbench.rename_links import rename_node_url

PAGE_CASES = 50
# The pages about all nodes of a draft at once.
ACROSS = frozenset({"comments", "grid", "metadata", "origins", "arrangement", "files"})
MAX_ENTRIES = 300
MAX_UNFOLDED = 8
# As many cases are in sight without a filter.
MAX_UNFILTERED = 10
# How many comments of each node, by kind and id, are not done.
Talk = Counter[tuple[str, int]]


@dataclass(frozen=True, slots=True)
class Entry:
    """A line of the outline; `rename_url` is for those who may edit."""

    label: str
    url: str
    dot_id: str
    errors: int = 0
    warnings: int = 0
    is_current: bool = False
    depth: int = 0
    node: int = 0
    comments: int = 0
    rename_url: str = ""


@dataclass(frozen=True, slots=True)
class CasePage:
    """A page of an input set's cases; `start` and `end` count from 1. `nodes` are the ids of its cases, and of the one
    on each side."""

    entries: tuple[Entry, ...]
    start: int
    total: int
    q: str
    only_problems: bool
    url: str
    node: int
    table_url: str
    nodes: tuple[int, ...]

    @property
    def is_filtered(self) -> bool:
        """Whether a filter is shown: where not all cases are in sight."""
        return bool(self.q) or self.total > MAX_UNFILTERED

    @property
    def end(self) -> int:
        return self.start + len(self.entries) - 1

    @property
    def before(self) -> int | None:
        return max(0, self.start - 1 - PAGE_CASES) if self.start > 1 else None

    @property
    def after(self) -> int | None:
        return self.end if self.end < self.total else None


@dataclass(frozen=True, slots=True)
class SetEntry:
    """An input set of the outline, with its cases where it is open."""

    entry: Entry
    case_count: int
    cases_url: str
    cases: CasePage | None


@dataclass(frozen=True, slots=True)
class Settings:
    """The sections of the pack's own document; many of them are folded away while a node is edited."""

    entries: tuple[Entry, ...]

    @property
    def is_open(self) -> bool:
        return len(self.entries) <= MAX_UNFOLDED or any(entry.is_current for entry in self.entries)

    @property
    def errors(self) -> int:
        return sum(entry.errors for entry in self.entries)

    @property
    def warnings(self) -> int:
        return sum(entry.warnings for entry in self.entries)


def dot_id(ref: NodeRef, section: str = "") -> str:
    """The page's name for the dot of a node, or of a section of the pack's document."""
    return f"dot-{ref.path.replace('/', '-')}{f'-{section}' if section else ''}".replace(".", "_")


def outline(desk: Desk) -> dict[str, Any]:
    """The whole outline around the node on the desk."""
    talk = open_counts(desk.pack)
    sets = tuple(set_entries(desk, talk))
    return {
        "pages": [page for page in pages_of(desk.pack, sets[0].entry.node if sets else None) if page.key in ACROSS],
        "has_challenges": NodeKind.CHALLENGE in desk.adapter.SCHEMA,
        "takes_challenges": _takes_more(desk, NodeKind.CHALLENGE, len(desk.challenges)),
        "takes_sets": _takes_more(desk, NodeKind.INPUT_SET, len(sets)),
        "has_assets": NodeKind.ASSET in desk.adapter.SCHEMA,
        "settings": Settings(tuple(section_entries(desk))),
        "challenges": entries(desk, NodeKind.CHALLENGE, desk.challenges, talk),
        "sets": sets,
        "comments": talk[desk.kind.value, desk.row.pk],
        "assets": entries(desk, NodeKind.ASSET, desk.assets, talk),
    }


def _takes_more(desk: Desk, kind: NodeKind, count: int) -> bool:
    """Whether another node of a kind can have a name: false once all names of a closed list are taken."""
    adapter = desk.adapter
    names = kind in adapter.SCHEMA and schema_at(adapter.SCHEMA[kind], {}, adapter.KEY_POINTERS[kind]).get("enum")
    return not names or count < len(names)


def section_entries(desk: Desk) -> Iterable[Entry]:
    """The sections of the pack's document; an absent optional one has no problems and stays in the list."""
    pack = desk.pack
    sections = sections_of(format_of(pack).SCHEMA[NodeKind.PACK])
    found = [(to_pointer(tuple(item["path"])), item["severity"]) for item in pack.findings]
    for section in sections:
        inside = [severity for pointer, severity in found if section.holds(pointer)]
        yield Entry(
            section.title,
            url_of(pack, "edit-node", NodeRef(NodeKind.PACK), section=section.key),
            dot_id(NodeRef(NodeKind.PACK), section.key),
            errors=inside.count(Severity.ERROR),
            warnings=inside.count(Severity.WARNING),
            is_current=desk.kind is NodeKind.PACK and section.key == desk.section.key,
            depth=section.depth,
        )


def entries(desk: Desk, kind: NodeKind, nodes: Iterable[Listed], talk: Talk) -> tuple[Entry, ...]:
    return tuple(entry_of(desk.pack, kind, node, desk.ref, talk) for node in islice(nodes, MAX_ENTRIES))


def entry_of(pack: Pack, kind: NodeKind, node: Listed | InputSet, current: NodeRef, talk: Talk) -> Entry:
    ref = NodeRef(kind, node.pk)
    counts = node.error_count, node.warning_count
    url, said = node_url(pack, ref), talk[kind.value, node.pk]
    renames = rename_node_url(pack, ref, node.key, current.path)
    is_current = ref == current
    return Entry(
        node.key or "(no key)", url, dot_id(ref), *counts, is_current, node=ref.id, comments=said, rename_url=renames
    )


def set_entries(desk: Desk, talk: Talk) -> Iterable[SetEntry]:
    pack = desk.pack
    before = Q(cases__position__lt=desk.row.position) if desk.is_case else Q(cases=None)
    counts = {"case_count": Count("cases"), "before": Count("cases", filter=before)}
    rows = pack.input_sets.annotate(**counts).order_by("position", "pk").defer("document", "findings")
    opened = desk.row.input_set_id if desk.is_case else desk.row.pk if desk.kind is NodeKind.INPUT_SET else None
    for row in rows[:MAX_ENTRIES]:
        ref = NodeRef(NodeKind.INPUT_SET, row.pk)
        is_open = row.pk == opened
        entry = entry_of(pack, NodeKind.INPUT_SET, row, desk.ref, talk)
        # The page that shows the case on the desk.
        start, total = row.before - row.before % PAGE_CASES, row.case_count
        cases = case_page(pack, row.pk, start=start, current=desk.ref, known=(total, talk)) if is_open else None
        yield SetEntry(entry, row.case_count, url_of(pack, "edit-cases", ref), cases)


def case_page(
    pack: Pack,
    set_id: int,
    *,
    start: int = 0,
    q: str = "",
    only_problems: bool = False,
    current: NodeRef,
    known: tuple[int, Talk] | None = None,
) -> CasePage:
    """Some cases of an input set from index `start`, or the last ones; `q` must occur in their keys.

    `known` is how many there are, and how many comments the nodes of the pack have, where that is known.
    """
    rows = Case.objects.filter(input_set=set_id)
    if q:
        rows = rows.filter(key__icontains=q)
    if only_problems:
        rows = rows.exclude(error_count=0, warning_count=0)
    total, talk = known or (rows.count(), open_counts(pack))
    if start >= total:
        # Cases went away since the page was asked for: the last one that there is.
        start = max(0, (total - 1) // PAGE_CASES * PAGE_CASES)
    first = max(0, start - 1)
    found = [Listed(*row) for row in ordered(rows).values_list(*LISTED)[first : start + PAGE_CASES + 1]]
    lines = tuple(entry_of(pack, NodeKind.CASE, row, current, talk) for row in found[start - first :][:PAGE_CASES])
    ref = NodeRef(NodeKind.INPUT_SET, set_id)
    url, table_url = url_of(pack, "edit-cases", ref), url_of(pack, "edit-rows", ref)
    nodes = tuple(row.pk for row in found)
    return CasePage(lines, start + 1, total, q, only_problems, url, set_id, table_url, nodes)


@signed_in("GET")
def cases(request: HttpRequest, team: str, slug: str, ref: NodeRef) -> HttpResponse:
    """A page of an input set's cases. Parameters: start, q, problems."""
    subject = find_subject(request, team, slug)
    pack = subject.pack
    row = find_row(pack, ref)
    start = request.GET.get("start", "")
    page = case_page(
        pack,
        row.pk,
        start=int(start) if start.isdecimal() and len(start) < 10 else 0,
        q=request.GET.get("q", ""),
        only_problems="problems" in request.GET,
        current=ref,
    )
    # Opened just now: the link that did it is gone, so the keyboard goes on from the cases.
    context = {"page": page, "is_opened": not request.GET, "desk": {"may_edit": Permission.EDIT in subject.may}}
    return render(request, "packs/workbench/_cases.html", context)
