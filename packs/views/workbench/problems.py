"""The problems of the whole pack, page by page; each leads to its field."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, cast

from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse

from packs.access import Permission
from packs.editing import recheck_if_stale
from packs.formats.document import NodeKind
from packs.formats.findings import Severity, to_pointer
from packs.jobs import is_large, start_check
from packs.mirror import MODELS, restored
from packs.models import NodeRow, Pack
from packs.views.shared.fragments import render_page
from packs.views.shared.signed_in import signed_in
from packs.views.workbench.addresses import NodeRef, ref_of, workbench_url
from packs.views.workbench.desk import KIND_NAMES, find_subject

PAGE_ROWS = 50
ORDER = (NodeKind.PACK, NodeKind.ASSET, NodeKind.CHALLENGE, NodeKind.INPUT_SET, NodeKind.CASE)


@dataclass(frozen=True, slots=True)
class NodeProblems:
    """A node with problems: what it is called, and its findings with the addresses that fix them."""

    kind: str
    name: str
    ref: NodeRef
    url: str
    findings: list[dict[str, Any]]


@signed_in("GET")
def problems(request: HttpRequest, team: str, slug: str) -> HttpResponse:
    """All findings of a pack by node. Parameters: severity (error, warning), start."""
    subject = find_subject(request, team, slug)
    pack, job = subject.pack, None
    if pack.checked_revision != pack.revision and is_large(pack):
        job = start_check(pack, cast(User, request.user))
    else:
        recheck_if_stale(pack)
    severity, first = asked(request)
    found = [of_row(pack, row, severity) for row in nodes_with_problems(pack, severity, first)]
    context = {
        "pack": pack,
        "job": job,
        "is_checked": job is None,
        "may_edit": Permission.EDIT in subject.may,
        "nodes": found[:PAGE_ROWS],
        "severity": severity,
        "severities": [("", "All"), ("error", "Errors"), ("warning", "Warnings")],
        "before": max(0, first - PAGE_ROWS) if first else None,
        "after": first + PAGE_ROWS if len(found) > PAGE_ROWS else None,
    }
    return render_page(request, "packs/workbench/problems.html", "packs/workbench/_problems.html", context)


def asked(request: HttpRequest) -> tuple[str, int]:
    """Which severity a page lists, and from which node on."""
    start = request.GET.get("start", "")
    return request.GET.get("severity", ""), int(start) if start.isdecimal() and len(start) < 10 else 0


def listed_rows(request: HttpRequest, pack: Pack) -> list[NodeRow]:
    """The rows of the nodes that a page lists."""
    return list(nodes_with_problems(pack, *asked(request)))[:PAGE_ROWS]


def nodes_with_problems(pack: Pack, severity: str, first: int) -> Iterator[NodeRow]:
    """The nodes with problems of a severity from index `first`, in the tree's order; one more than a page holds."""
    left = PAGE_ROWS + 1
    for kind in ORDER:
        rows = rows_with_problems(pack, kind, severity)
        found = rows[first : first + left]
        yield from (pack if kind is NodeKind.PACK else row for row in found)
        left -= len(found)
        first = max(0, first - rows.count()) if first else 0
        if not left:
            return


def rows_with_problems(pack: Pack, kind: NodeKind, severity: str) -> Any:
    """Rows of one kind that have findings of a severity."""
    rows = Pack.objects.filter(pk=pack.pk) if kind is NodeKind.PACK else MODELS[kind].objects.filter(pack=pack)
    if severity == Severity.ERROR:
        rows = rows.filter(error_count__gt=0)
    elif severity == Severity.WARNING:
        rows = rows.filter(warning_count__gt=0)
    else:
        rows = rows.exclude(error_count=0, warning_count=0)
    if kind is NodeKind.CASE:
        return rows.order_by("input_set__position", "position", "pk")
    return rows if kind is NodeKind.PACK else rows.order_by("position", "pk")


def of_row(pack: Pack, row: Any, severity: str) -> NodeProblems:
    found = [restored(item) for item in row.findings]
    listed = [
        {**finding.as_dict(), "url": workbench_url(pack, row, to_pointer(finding.path))}
        for finding in found
        if not severity or finding.severity == severity
    ]
    name = str(pack) if row.kind is NodeKind.PACK else row.key or "(no key)"
    return NodeProblems(KIND_NAMES[row.kind], name, ref_of(row), workbench_url(pack, row), listed)
