"""A three-way merge of packs: what two sides made of one pack, in one. Nodes are the same as in their differences."""

from collections.abc import Container, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from packs.formats.adapter import Adapter
from packs.formats.comparing.alignment import Pairs
from packs.formats.comparing.merging import ABSENT, Conflict, Id, Merging, Three, identified, merged_order
from packs.formats.comparing.trees import (
    FILE,
    LISTS,
    OtherFormatError,
    Standing,
    all_cases,
    bare,
    case_pairs,
    key_of,
    list_pairs,
    renamings,
    without_cases,
)
from packs.formats.comparing.values import same
from packs.formats.document import Document, File, NodeKind, Pack, asset_path
from packs.formats.findings import to_pointer

CONTENT = "content"


@dataclass(frozen=True, slots=True)
class NodeConflict:
    """A conflict in a node, or about the whole of it, where one side removed what the other changed.

    `name` is the same as long as both sides say the same; `set_key` is the input set of a case. The values of
    `conflict` are those of a field, or whole nodes where it has no label.
    """

    name: str
    kind: str
    key: str
    set_key: str
    conflict: Conflict


@dataclass(frozen=True, slots=True)
class Merged:
    """The merged pack, which says at each conflict what the own side says, or the other one where it was chosen."""

    pack: Pack
    conflicts: tuple[NodeConflict, ...]


def merge_packs(adapter: Adapter, base: Pack, ours: Pack, theirs: Pack, chosen: Container[str] = ()) -> Merged:
    """Merge two packs that were made of `base`. `chosen` are the names of conflicts in which the other side wins.

    Raises OtherFormatError where they have different formats.
    """
    three = Three(base, ours, theirs)
    if len({pack.format for pack in three}) > 1:
        raise OtherFormatError("Packs of different formats cannot be merged")
    merge = _PackMerge(adapter, three, chosen)
    return Merged(merge.pack(), tuple(merge.conflicts))


@dataclass(slots=True)
class _PackMerge:
    adapter: Adapter
    three: Three
    chosen: Container[str]
    conflicts: list[NodeConflict] = field(default_factory=list)

    def pack(self) -> Pack:
        own: Pack = self.node(NodeKind.PACK, self.three.map(bare))
        lists: dict[str, Any] = {
            name: self.sets() if kind == NodeKind.INPUT_SET else self.siblings(kind) for kind, name in LISTS.items()
        }
        return replace(own, **lists)

    def siblings(self, kind: str) -> tuple[Any, ...]:
        nodes = self.three.map(lambda pack: getattr(pack, LISTS[kind]))
        found = (self.node(kind, three) for _, three in _together(self.ids(kind), nodes))
        return tuple(node for node in found if node is not ABSENT)

    def ids(self, kind: str) -> Three:
        """What the siblings of a kind are, in all three packs."""
        base, ours, theirs = self.three
        pairs = (list_pairs(self.adapter, kind, base, side) for side in (ours, theirs))
        return identified(self.three.map(lambda pack: [key_of(node) for node in getattr(pack, LISTS[kind])]), *pairs)

    def sets(self) -> tuple[Any, ...]:
        """The input sets with their cases. A set that one side removed stays where a case of it does."""
        ids = self.ids(NodeKind.INPUT_SET)
        cases = self.cases(ids)
        found = []
        for name, three in _together(ids, self.three.map(lambda pack: list(map(without_cases, pack.input_sets)))):
            node = self.node(NodeKind.INPUT_SET, three)
            if node is ABSENT and cases.get(name):
                node = three.ours if three.ours is not ABSENT else three.theirs
            if node is not ABSENT:
                found.append(replace(node, cases=tuple(cases.get(name, ()))))
        return tuple(found)

    def cases(self, sets: Three) -> dict[Id, list[Any]]:
        """The merged cases by their input sets."""
        standing = self.three.map(all_cases)
        ids = self.case_ids(sets, standing)
        owners = Three(
            *(
                {name: of[each[0]] for name, each in zip(names, some, strict=True)}
                for names, some, of in zip(ids, standing, sets, strict=True)
            )
        )
        found: dict[Id, list[Any]] = {}
        for name, three in _together(ids, standing.map(lambda some: [case for _, _, case in some])):
            owner = _owner(owners.under(name))
            case = self.node(NodeKind.CASE, three, self.key_of_set(owner, sets))
            if case is not ABSENT:
                found.setdefault(owner, []).append(case)
        return found

    def case_ids(self, sets: Three, standing: Three) -> Three:
        """What the cases of all sets are, in all three packs."""
        names = Three(
            *(
                [(of[at], case.challenge_key, case.key) for at, _, case in some]
                for some, of in zip(standing, sets, strict=True)
            )
        )
        pairs = (
            self.case_pairs(standing.base, side, some, names)
            for side, some, names in zip(self.three, standing, sets, strict=True)
        )
        _, ours, theirs = pairs
        return identified(names, ours, theirs)

    def case_pairs(self, base: list[Standing], side: Pack, standing: list[Standing], sets: list[Id]) -> Pairs:
        """Which cases of a side stood in the beginning; `sets` says what its input sets are."""
        challenges = list_pairs(self.adapter, NodeKind.CHALLENGE, self.three.base, side)
        kept = [(name, place) for place, name in enumerate(sets) if isinstance(name, int)]
        return case_pairs(self.adapter, base, standing, kept, renamings(self.three.base, side, challenges))

    def key_of_set(self, owner: Id, sets: Three) -> str:
        for pack, names in zip((self.three.ours, self.three.theirs), (sets.ours, sets.theirs), strict=True):
            if owner in names:
                return str(pack.input_sets[names.index(owner)].key)
        return ""

    def node(self, kind: str, three: Three, set_key: str = "") -> Any:
        """The merged node, ABSENT where it went."""
        base, ours, theirs = three
        if _same(ours, theirs) or _same(base, theirs):
            return ours
        if _same(base, ours):
            return theirs
        key = key_of(ours if ours is not ABSENT else theirs)
        if ours is ABSENT or theirs is ABSENT:
            return self.merging(kind, key, set_key).choose(Conflict((), "", three))
        merging = self.merging(kind, key, set_key)
        content = {CONTENT: merging.merge(three.map(_content), (), CONTENT)} if hasattr(ours, CONTENT) else {}
        if kind == FILE:
            return replace(ours, **content)
        document = merging.merge(three.map(lambda node: node.document if node is not ABSENT else ABSENT))
        return replace(ours, document=document, **self.stated(NodeKind(kind), document), **content)

    def stated(self, kind: NodeKind, document: Document) -> dict[str, str]:
        """What a node is beside its document, as that states it."""
        key, challenge_key = self.adapter.identify(kind, document)
        more = {NodeKind.CASE: {"challenge_key": challenge_key}, NodeKind.ASSET: {"path": asset_path(document)}}
        return {"key": key, **more.get(kind, {})}

    def merging(self, kind: str, key: str, set_key: str) -> Merging:
        """A merge of one node, which notes its conflicts here."""

        def is_theirs(conflict: Conflict) -> bool:
            name = "/".join(filter(None, (kind, set_key, key))) + (
                to_pointer(conflict.path) or f" {conflict.label}".rstrip()
            )
            self.conflicts.append(NodeConflict(name, kind, key, set_key, conflict))
            return name in self.chosen

        return Merging(is_theirs)


def _owner(owners: Three) -> Any:
    """The set in which a case stands; where both sides moved it, it is the own side's."""
    base, ours, theirs = owners
    if ours is ABSENT or (ours == base and theirs is not ABSENT):
        return theirs
    return ours


def _same(left: Any, right: Any) -> bool:
    """Whether two nodes are equal in every respect, the order of keys included."""
    return left == right and (
        left is ABSENT
        or isinstance(left, File)
        or (left.document is right.document or same(left.document, right.document))
    )


def _content(node: Any) -> Any:
    return getattr(node, CONTENT, ABSENT)


def _together(ids: Three, nodes: Three) -> Iterator[tuple[Id, Three]]:
    """Every node of both sides with what it was and is, in the merged order."""
    known = Three(*(dict(zip(names, some, strict=True)) for names, some in zip(ids, nodes, strict=True)))
    return ((name, known.under(name)) for name in merged_order(ids))
