"""Fixes of a draft's findings, as ordinary edits that undo takes back."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from packs.editing.changes import apply, as_changes
from packs.editing.draft import Author
from packs.editing.problems import READING_ORDER
from packs.editing.values import Applied, Change
from packs.formats.costs import is_heavy
from packs.formats.document import Document, NodeKind
from packs.formats.findings import Finding, to_pointer
from packs.formats.fixing import Fix, Fixer, names_in
from packs.mirror import MODELS, RowIndex, format_of, node_of, restored
from packs.models import NodeRow, Pack

# How many keys of a kind are looked at as names that may have been meant.
MAX_NAMES = 1000
# A fix may show another finding of its kind in the same document, each time at another place.
MAX_FIXES = 100
# Each fix that is offered was tried; more at once take too long.
MAX_OFFERED = 40


@dataclass(frozen=True, slots=True)
class Offer:
    """A finding with its fix; `pointer` is where the finding stands in the node's document."""

    finding: Finding
    fix: Fix
    pointer: str


@dataclass(frozen=True, slots=True)
class FixedNodes:
    """What fixing all findings of a code did: how many nodes changed, and the edit."""

    count: int
    applied: Applied


def fixer_for(pack_row: Pack) -> Fixer:
    """The fixer of a draft; good for as long as the draft is not edited."""
    kinds = (NodeKind.CHALLENGE, NodeKind.ASSET, NodeKind.INPUT_SET)
    rows = (MODELS[kind].objects.filter(pack=pack_row).order_by("position") for kind in kinds)
    keys = [key for some in rows for key in some.values_list("key", flat=True)[:MAX_NAMES]]
    names = tuple(dict.fromkeys([*keys, *names_in([pack_row.document])]))
    files = tuple(MODELS[NodeKind.ASSET].objects.filter(pack=pack_row).values_list("key", flat=True)[:MAX_NAMES])
    return Fixer(format_of(pack_row), RowIndex(pack_row), names, files)


def is_too_much(pack_row: Pack, row: NodeRow) -> bool:
    """Whether trying fixes of a row takes too long for a request; a job can fix all findings of a kind."""
    return is_heavy(pack_row.document) or is_heavy(row.document)


def offered_by(pack_row: Pack, rows: Iterable[NodeRow], code: str = "") -> list[tuple[NodeRow, list[Offer]]]:
    """The rows whose findings, all or those of a code, have fixes, with these.

    The fixes of the first 40 findings are tried; what is too large for a request is left out.
    """
    fixer, left, found = None, MAX_OFFERED, []
    for row in rows:
        if left <= 0:
            break
        if is_too_much(pack_row, row):
            continue
        fixer = fixer or fixer_for(pack_row)
        kept = [item for item in row.findings if not code or item["code"] == code][:left]
        left -= len(kept)
        if some := _offers(fixer, row, kept):
            found.append((row, some))
    return found


def _offers(fixer: Fixer, row: NodeRow, kept: list[dict[str, Any]]) -> list[Offer]:
    """The fixes of findings of a row, one for each of them that has one; the same edit stands once."""
    found: dict[str, Offer] = {}
    for finding in map(restored, kept):
        fix = fixer.fix_of(node_of(row), finding)
        if fix is not None:
            found.setdefault(f"{fix.label} {fix.path}", Offer(finding, fix, to_pointer(finding.path)))
    return list(found.values())


def fix_at(fixer: Fixer, row: NodeRow, code: str, pointer: str) -> Fix | None:
    """The fix of the stored finding at a JSON Pointer in a row; None where there is no such finding, or no fix."""
    known = (restored(item) for item in row.findings)
    finding = next((each for each in known if (each.code, to_pointer(each.path)) == (code, pointer)), None)
    return fixer.fix_of(node_of(row), finding) if finding else None


def fix_all(pack_row: Pack, code: str, author: Author, tick: Callable[[int], None] = lambda _: None) -> FixedNodes:
    """Fix every stored finding of a code for which a fix is known, in one edit. `tick` gets how many were looked at."""
    fixer, changes, count = fixer_for(pack_row), list[Change](), 0
    for number, row in enumerate(rows_with(pack_row, code)):
        tick(number)
        document = _fixed(fixer, row, code)
        if document is not None:
            changes += changes_of(row, document)
            count += 1
    return FixedNodes(count, apply(pack_row, changes, author, label=f"Fix {code} in {count} places"))


def rows_with(pack_row: Pack, code: str = "") -> Iterator[NodeRow]:
    """The rows that have a finding of a code, or any finding, in the order of the tree."""
    for kind in READING_ORDER:
        rows: Any = MODELS[kind].objects.filter(
            **({"pk": pack_row.pk} if kind is NodeKind.PACK else {"pack": pack_row})
        )
        if kind is NodeKind.CASE:
            rows = rows.select_related("input_set").order_by("input_set__position", "position", "pk")
        for row in rows.exclude(error_count=0, warning_count=0).iterator():
            if not code or any(item["code"] == code for item in row.findings):
                yield row


def _fixed(fixer: Fixer, row: NodeRow, code: str) -> Document | None:
    """The document of a row with all findings of a code fixed that can be; None where none can."""
    node = node_of(row)
    for _ in range(MAX_FIXES):
        found = [finding for finding in fixer.adapter.check_node(fixer.index, node) if finding.code == code]
        fix = next((fix for finding in found if (fix := fixer.fix_of(node, finding))), None)
        if fix is None:
            break
        node = replace(node, document=fix.document)
    return node.document if node.document is not row.document else None


def changes_of(row: NodeRow, document: Document) -> list[Change]:
    """The changes that make a document of a fix that of its row."""
    return as_changes(row.kind, row.pk, row.document, document)
