"""A draft as it was at an earlier revision, found by taking its edits back one after the other, in memory."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from operator import itemgetter
from typing import Any
from uuid import UUID

from django.db.models import Q, QuerySet

from packs import blobs
from packs.editing.pointers import replaced, value_at
from packs.editing.sizes import measured
from packs.editing.transitions import Transition, backwards, forwards, source_of
from packs.editing.values import ABSENT, NodeId
from packs.formats import document
from packs.formats.adapter import Adapter
from packs.formats.costs import MAX_BYTES, MAX_VALUES
from packs.formats.document import NodeKind
from packs.formats.findings import from_pointer
from packs.mirror import MODELS, file_digests, format_of
from packs.models import Edit, Pack

# Taking back more edits than this takes longer than half a second.
MANY_EDITS = 10_000


@dataclass
class Point:
    """The nodes of a draft at some revision, as snapshots (see `packs.editing.snapshots`), and its other files."""

    adapter: Adapter
    pack: Pack
    nodes: dict[NodeId, dict[str, Any]]
    files: dict[str, str]
    source: dict[str, Any]
    gone: dict[NodeId, dict[str, Any]] = field(default_factory=dict)

    def tree(self, *, contents: bool = True) -> document.Pack:
        """The pack as it was; without the bytes of assets and other files where `contents` is false."""
        own = self.nodes[NodeKind.PACK, self.pack.pk]["document"]
        cases: dict[int, list[document.Case]] = {}
        for _, kept in self.rows(NodeKind.CASE):
            case = document.Case(*self.adapter.identify(NodeKind.CASE, kept["document"]), kept["document"])
            cases.setdefault(kept["parent"], []).append(case)
        sets = [
            document.InputSet(self.key(NodeKind.INPUT_SET, kept), kept["document"], tuple(cases.get(pk, ())))
            for pk, kept in self.rows(NodeKind.INPUT_SET)
        ]
        return document.Pack(
            format=self.pack.format,
            key=self.adapter.identify(NodeKind.PACK, own)[0],
            document=own,
            challenges=tuple(
                document.Challenge(self.key(NodeKind.CHALLENGE, kept), kept["document"])
                for _, kept in self.rows(NodeKind.CHALLENGE)
            ),
            input_sets=tuple(sets),
            assets=tuple(self.asset(kept, contents) for _, kept in self.rows(NodeKind.ASSET)),
            files=tuple(document.File(path, blobs.read(blob)) for path, blob in sorted(self.files.items()) if contents),
        )

    def rows(self, kind: NodeKind) -> Iterator[tuple[int, dict[str, Any]]]:
        """The nodes of a kind with their ids, in the order of the tree."""
        found = [(kept["position"], pk, kept) for (of_kind, pk), kept in self.nodes.items() if of_kind is kind]
        return ((pk, kept) for _, pk, kept in sorted(found, key=itemgetter(0, 1)))

    def key(self, kind: NodeKind, kept: dict[str, Any]) -> str:
        return self.adapter.identify(kind, kept["document"])[0]

    def asset(self, kept: dict[str, Any], contents: bool) -> document.Asset:
        content = blobs.read(kept["blob"]) if contents and kept["blob"] else None
        own = kept["document"]
        path = document.asset_path(own)
        return document.Asset(self.key(NodeKind.ASSET, kept), path, own, content, bool(kept["blob"]))

    def make(self, transition: Transition) -> None:
        """Let an edit happen or unhappen; nothing can stand in its way, as it did so before."""
        edit, node = transition.edit, (transition.kind, transition.edit.node)
        new: Any = transition.new[0] if transition.new else None
        match edit.action:
            case Edit.Action.SET:
                self.set_value(node, transition)
            case Edit.Action.ADD | Edit.Action.REMOVE if new is None:
                self.remove(node)
            case Edit.Action.ADD | Edit.Action.REMOVE:
                self.add(node, new, edit.place.get("parent"))
            case Edit.Action.MOVE:
                self.nodes[node] = self.nodes[node] | new
            case Edit.Action.CONTENT:
                self.nodes[node] = self.nodes[node] | {"blob": new}
            case Edit.Action.FILES:
                self.files = dict(new or {})
            case Edit.Action.SOURCE:
                self.source = dict(new or {})

    def set_value(self, node: NodeId, transition: Transition) -> None:
        self.nodes[node] = self.nodes[node] | {"document": carried_out(self.nodes[node]["document"], transition)}

    def add(self, node: NodeId, kept: dict[str, Any], parent: int | None) -> None:
        """Bring a node back as it was when it went, a set with its cases."""
        cases = [({"parent": node[1], **case}, (NodeKind.CASE, case["id"])) for case in kept.get("cases", ())]
        for one, key in [({"parent": parent, **kept}, node), *cases]:
            self.nodes[key] = self.gone.pop(key, one)

    def remove(self, node: NodeId) -> None:
        for key in [node, *(self.cases_of(node[1]) if node[0] is NodeKind.INPUT_SET else ())]:
            self.gone[key] = self.nodes.pop(key)

    def cases_of(self, input_set: int) -> list[NodeId]:
        return [key for key, kept in self.nodes.items() if key[0] is NodeKind.CASE and kept["parent"] == input_set]


def carried_out(own: document.Document, transition: Transition) -> document.Document:
    """A document in which a value was set, as a transition does it. Raises EditRefused where that cannot be."""
    steps = from_pointer(transition.edit.pointer)
    new = transition.new[0] if transition.new else ABSENT
    inserts = not transition.old and bool(steps) and isinstance(value_at(own, steps[:-1]), list)
    made: document.Document = replaced(own, steps, new, insert=inserts, index=transition.edit.place.get("index"))
    return made


def point_of(pack_row: Pack) -> Point:
    """The draft as it is."""
    nodes: dict[NodeId, dict[str, Any]] = {(NodeKind.PACK, pack_row.pk): {"document": pack_row.document}}
    for kind, model in MODELS.items():
        if kind is NodeKind.PACK:
            continue
        own = {NodeKind.CASE: ["input_set"], NodeKind.ASSET: ["blob"]}.get(kind, [])
        for row in model.objects.filter(pack=pack_row).order_by().values("pk", "document", "position", *own):
            nodes[kind, row.pop("pk")] = row | ({"parent": row.pop("input_set")} if "input_set" in row else {})
    return Point(format_of(pack_row), pack_row, nodes, file_digests(pack_row), source_of(pack_row))


def point_at(pack_row: Pack, revision: int) -> Point:
    """The draft as it was at a revision: the present one, in which all that was done since is taken back."""
    point = point_of(pack_row)
    for transition in since(pack_row, revision):
        point.make(transition)
    return point


def since(pack_row: Pack, revision: int, **of: Any) -> Iterator[Transition]:
    """What takes a draft back to a revision, the latest first; only edits that `of` selects, where it does."""
    groups: dict[UUID, list[Edit]] = {}
    for edit in touched_since(pack_row, revision).filter(**of).order_by("-id"):
        groups.setdefault(edit.group, []).append(edit)
    done: list[tuple[int, Iterable[Transition]]] = [
        (found[0].revision, map(backwards, found)) for found in groups.values() if found[0].revision > revision
    ]
    for travel in pack_row.travels.filter(revision__gt=revision).order_by("pk"):
        found = groups.get(travel.group, [])
        done.append((travel.revision, map(forwards, reversed(found)) if travel.undone else map(backwards, found)))
    for _, transitions in sorted(done, key=itemgetter(0), reverse=True):
        yield from transitions


def touched_since(pack_row: Pack, revision: int) -> QuerySet[Edit]:
    """What was made, undone or made again since a revision."""
    travels = pack_row.travels.filter(revision__gt=revision).order_by()
    rows: QuerySet[Edit] = pack_row.edits.filter(Q(revision__gt=revision) | Q(group__in=travels.values("group")))
    return rows


def is_far(pack_row: Pack, revision: int) -> bool:
    """Whether it is too much for a request to go back to a revision: more edits are taken back than MANY_EDITS, or
    more comes back or goes than a request may read and check."""
    edits = touched_since(pack_row, revision).order_by()
    if edits[MANY_EDITS : MANY_EDITS + 1].exists():
        return True
    nodes = edits.filter(action__in=(Edit.Action.ADD, Edit.Action.REMOVE))
    kept = [measured(nodes, column) for column in ("old", "new")]
    return any(size > MAX_BYTES or values > MAX_VALUES for size, values in kept)
