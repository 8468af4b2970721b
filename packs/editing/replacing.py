"""A whole new tree for a draft, as edits: what an import of new files, or the YAML lens of a whole pack, changes.

A node is the same node when its kind and key are the same (for a case also its challenge and its input set); its row
and id stay. All edits are one group, so that one undo takes everything back.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from packs import blobs
from packs.editing.differences import differences
from packs.editing.draft import Author, Draft, changing
from packs.editing.rechecking import batched
from packs.editing.snapshots import snapshot
from packs.editing.transitions import set_source, source_of
from packs.editing.values import Applied, EditRefused
from packs.formats.comparing import Merged, paired, same
from packs.formats.document import Asset, NodeKind
from packs.formats.document import Pack as Tree
from packs.mirror import BATCH, MODELS, column_text, file_digests, keep_artifacts, new_rows, ordered, write_files
from packs.models import SPACING, Case, Edit, Pack


@dataclass(slots=True)
class Arrival:
    """A node that the draft does not have yet; a set brings its cases along."""

    kind: NodeKind
    node: Any
    position: int
    parent: Any = None


@dataclass(slots=True)
class Plan:
    """What leads from a draft to a tree; nothing is written while it is made. Where it `is_exact`, assets that come
    without bytes lose those that they have."""

    added: list[Arrival] = field(default_factory=list)
    removed: list[Any] = field(default_factory=list)
    changed: list[tuple[Any, Any]] = field(default_factory=list)
    moved: list[tuple[Any, int]] = field(default_factory=list)
    files: dict[str, bytes] | None = None
    is_exact: bool = False

    @property
    def is_empty(self) -> bool:
        return not (self.added or self.removed or self.changed or self.moved) and self.files is None

    def is_other_content(self, row: Any, node: Any) -> bool:
        """Whether an asset comes with bytes that are not the row's, or has none any more."""
        content = getattr(node, "content", None)
        if content is None:
            return self.is_exact and isinstance(node, Asset) and not node.is_stored and row.blob_id is not None
        return bool(row.blob_id != blobs.digest_of(content))


def plan(pack_row: Pack, tree: Tree, *, is_exact: bool = False) -> Plan:
    """Compare a draft with a tree."""
    found = Plan(is_exact=is_exact)
    if not same(pack_row.document, tree.document):
        found.changed.append((pack_row, tree))
    match(found, ordered(pack_row.assets), tree.assets)
    match(found, ordered(pack_row.challenges), tree.challenges)
    sets = match(found, ordered(pack_row.input_sets), tree.input_sets)
    cases = defaultdict(list)
    for case in ordered(Case.objects.filter(pack=pack_row)).select_related("input_set"):
        cases[case.input_set_id].append(case)
    for row, input_set in sets:
        match(found, cases[row.pk], input_set.cases, row)
    files = {file.path: file.content for file in tree.files}
    if file_digests(pack_row) != {path: blobs.digest_of(content) for path, content in files.items()}:
        found.files = files
    return found


def match(found: Plan, rows: Iterable[Any], nodes: Sequence[Any], parent: Any = None) -> list[tuple[Any, Any]]:
    """Pair rows with nodes of one list, and note what comes, goes, changes and moves. Gives the pairs."""
    rows = list(rows)
    sources = {
        new: old
        for old, new in paired(
            [(row.key, getattr(row, "challenge_key", "")) for row in rows],
            [(column_text(node.key), column_text(getattr(node, "challenge_key", ""))) for node in nodes],
        )
    }
    partners = [rows[sources[place]] if place in sources else None for place in range(len(nodes))]
    stay = set(sources.values())
    found.removed.extend(row for place, row in enumerate(rows) if place not in stay)
    places = positions([row.position if row is not None else None for row in partners])
    pairs = []
    for row, node, place in zip(partners, nodes, places, strict=True):
        if row is None:
            found.added.append(Arrival(kind_of(node), node, place, parent))
            continue
        pairs.append((row, node))
        if not same(row.document, node.document) or found.is_other_content(row, node):
            found.changed.append((row, node))
        if row.position != place:
            found.moved.append((row, place))
    return pairs


def kind_of(node: Any) -> NodeKind:
    return NodeKind({"InputSet": "input_set"}.get(type(node).__name__, type(node).__name__.lower()))


def positions(present: Sequence[int | None]) -> list[int]:
    """Positions for a list of rows (their present ones) and newcomers (None), changing as few as possible."""
    known = [place for place in present if place is not None]
    if all(left < right for left, right in zip(known, known[1:], strict=False)):
        filled = list(fill(present))
        if all(left < right for left, right in zip(filled, filled[1:], strict=False)):
            return filled
    return [index * SPACING for index in range(len(present))]


def fill(present: Sequence[int | None]) -> Iterator[int]:
    """Put newcomers between their neighbours; they may collide where there is no room."""
    index, left = 0, None
    while index < len(present):
        place = present[index]
        if place is not None:
            yield place
            left, index = place, index + 1
            continue
        end = next((i for i in range(index, len(present)) if present[i] is not None), len(present))
        yield from between(left, present[end] if end < len(present) else None, end - index)
        index = end
        left = None if end == len(present) else left


def between(left: int | None, right: int | None, count: int) -> Iterator[int]:
    """`count` positions after `left` and before `right`."""
    if left is None:
        start = 0 if right is None else right - count * SPACING
        yield from (start + index * SPACING for index in range(count))
    elif right is None:
        yield from (left + (index + 1) * SPACING for index in range(count))
    else:
        yield from (left + (right - left) * (index + 1) // (count + 1) for index in range(count))


def replace_tree(
    pack_row: Pack,
    tree: Tree,
    author: Author,
    *,
    source: dict[str, Any] | None = None,
    label: str = "",
    is_exact: bool = False,
) -> Applied:
    """Make a draft equal to a tree; one group of edits. `source` is what was imported, as `Edit` keeps it."""
    with changing(pack_row, author, label) as draft:
        steps = plan(draft.pack, tree, is_exact=is_exact)
        draft.effects.everything = True
        if source is not None and source != source_of(draft.pack):
            draft.record(draft.pack, Edit.Action.SOURCE, old=[source_of(draft.pack)], new=[source])
            set_source(draft.pack, source)
        remove_all(draft, steps.removed)
        for row, node in steps.changed:
            change(draft, row, node, steps.is_other_content(row, node))
        for row, place in steps.moved:
            move(draft, row, place)
        add_all(draft, steps.added)
        if steps.files is not None:
            digests = {path: blobs.put(content).digest for path, content in steps.files.items()}
            draft.record(draft.pack, Edit.Action.FILES, old=[file_digests(draft.pack)], new=[digests])
            write_files(draft.pack, digests)
        return draft.finish()


def take_merged(
    pack_row: Pack,
    merged: Merged,
    seen: Collection[str],
    author: Author,
    *,
    source: dict[str, Any] | None = None,
    label: str = "",
) -> Applied:
    """Make a draft equal to what a merge gave. `seen` are the conflicts that somebody has looked at.

    Raises EditRefused (unseen_conflicts) where there are others; then nothing is changed.
    """
    unseen = [conflict.name for conflict in merged.conflicts if conflict.name not in seen]
    if unseen:
        raise EditRefused("unseen_conflicts", f"There are conflicts to decide first: {', '.join(unseen[:5])}.")
    return replace_tree(pack_row, merged.pack, author, source=source, label=label, is_exact=True)


def remove_all(draft: Draft, rows: Iterable[Any]) -> None:
    gone: dict[NodeKind, list[int]] = defaultdict(list)
    for row in rows:
        parent = getattr(row, "input_set_id", None)
        draft.record(row, Edit.Action.REMOVE, old=[snapshot(row)], place={"parent": parent})
        gone[row.kind].append(row.pk)
    for kind, pks in gone.items():
        for some in batched(pks):
            MODELS[kind].objects.filter(pk__in=some).delete()


def change(draft: Draft, row: Any, node: Any, has_other_content: bool) -> None:
    draft.rewrite(row, differences(row.document, node.document))
    if has_other_content:
        digest = blobs.put(node.content).digest if node.content is not None else None
        draft.record(row, Edit.Action.CONTENT, old=[row.blob_id], new=[digest])
        row.blob_id = digest
        draft.changed[row.kind, row.pk] = row
        if digest:
            keep_artifacts(draft.pack, row.document, digest)


def move(draft: Draft, row: Any, place: int) -> None:
    parent = getattr(row, "input_set_id", None)
    before, after = ({"position": position, "parent": parent} for position in (row.position, place))
    draft.record(row, Edit.Action.MOVE, old=[before], new=[after])
    row.position = place
    draft.changed[row.kind, row.pk] = row


def add_all(draft: Draft, arrivals: Iterable[Arrival]) -> None:
    waiting: dict[tuple[NodeKind, int | None], list[Arrival]] = defaultdict(list)
    for arrival in arrivals:
        waiting[arrival.kind, arrival.parent.pk if arrival.parent else None].append(arrival)
    for (kind, _), group in waiting.items():
        owner = {"pack": draft.pack} | ({"input_set": group[0].parent} if kind is NodeKind.CASE else {})
        rows = new_rows(draft.adapter, MODELS[kind], [arrival.node for arrival in group], **owner)
        for row, arrival in zip(rows, group, strict=True):
            row.position = arrival.position
            if kind is NodeKind.ASSET and arrival.node.content is not None:
                row.blob = blobs.put(arrival.node.content)
                keep_artifacts(draft.pack, arrival.node.document, row.blob_id)
        MODELS[kind].objects.bulk_create(rows, BATCH)
        for row, arrival in zip(rows, group, strict=True):
            if kind is NodeKind.INPUT_SET:
                cases = new_rows(draft.adapter, Case, arrival.node.cases, pack=draft.pack, input_set=row)
                Case.objects.bulk_create(cases, BATCH)
            draft.record(
                row, Edit.Action.ADD, new=[snapshot(row)], place={"parent": getattr(row, "input_set_id", None)}
            )
