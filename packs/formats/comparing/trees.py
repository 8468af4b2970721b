"""The difference of two packs of one format: nodes that came, went, moved or changed, and what changed in them."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, islice
from typing import Any

from packs.formats.adapter import Adapter
from packs.formats.comparing.alignment import Pairs, moved, paired
from packs.formats.comparing.values import Act, Delta, FieldChange, apply, compare, fields, inverse, renamed
from packs.formats.document import Case, File, InputSet, NodeKind, Pack
from packs.formats.findings import from_pointer

FILE = "file"
# The kinds below the pack that have no parent, with the names of their lists in the tree; files are no nodes.
LISTS: Mapping[str, str] = {
    NodeKind.CHALLENGE: "challenges",
    NodeKind.INPUT_SET: "input_sets",
    NodeKind.ASSET: "assets",
    FILE: "files",
}


class OtherFormatError(ValueError):
    """The two packs have different formats."""


@dataclass(frozen=True, slots=True)
class Position:
    """Where a node stands: among its siblings, and for a case in which input set."""

    index: int
    parent: int = 0


@dataclass(frozen=True, slots=True)
class NodeChange:
    """A node that is not as it was, or a file that no asset declares (kind `file`).

    `before` and `after` are None where the node came or went. `old` and `new` are the nodes; of input sets
    without their cases, which have changes of their own. `set_key` names the input set of a case, which may have had
    another. `delta` is what is different in the document.
    """

    kind: str
    before: Position | None
    after: Position | None
    old: Any
    new: Any
    is_moved: bool = False
    has_other_set: bool = False
    set_key: str = ""
    delta: Delta | None = None

    @property
    def acts(self) -> tuple[Act, ...]:
        """What happened to the node, at least one thing."""
        if self.old is None or self.new is None:
            return (Act.ADDED,) if self.old is None else (Act.REMOVED,)
        is_renamed = self.key != self.old_key
        found = [Act.RENAMED] if is_renamed and self.kind != NodeKind.PACK else []
        found += [Act.MOVED] if self.is_moved else []
        others = len(list(islice(self.fields, 2))) > is_renamed or self.has_other_bytes
        return (*found, Act.CHANGED) if others or not found else tuple(found)

    @property
    def fields(self) -> Iterator[FieldChange]:
        return fields(self.delta)

    @property
    def key(self) -> str:
        """What the node is called now, or was called last."""
        return key_of(self.new if self.new is not None else self.old)

    @property
    def old_key(self) -> str:
        return key_of(self.old if self.old is not None else self.new)

    @property
    def has_other_bytes(self) -> bool:
        old, new = (getattr(node, "content", None) for node in (self.old, self.new))
        return old != new


@dataclass(frozen=True, slots=True)
class Difference:
    """What makes one pack another, in the order of the tree. `sets` pairs the input sets of both by their places."""

    nodes: tuple[NodeChange, ...] = ()
    sets: Pairs = field(default_factory=list)


def inverted(difference: Difference) -> Difference:
    """What makes the old pack of the new one; its nodes have the same places in it."""
    nodes = (
        replace(
            change,
            before=change.after,
            after=change.before,
            old=change.new,
            new=change.old,
            delta=inverse(change.delta),
        )
        for change in difference.nodes
    )
    return Difference(tuple(nodes), [(right, left) for left, right in difference.sets])


def key_of(node: Any) -> str:
    return str(node.path if isinstance(node, File) else node.key)


def compare_packs(adapter: Adapter, old: Pack, new: Pack) -> Difference:
    """What is different between two packs of one format. Raises OtherFormatError where they have two."""
    if old.format != new.format:
        raise OtherFormatError(f"{old.format} and {new.format} cannot be compared")
    lists = {kind: list_pairs(adapter, kind, old, new) for kind in LISTS}
    sets = lists[NodeKind.INPUT_SET]
    changes = chain(
        between(NodeKind.PACK, [bare(old)], [bare(new)], [(0, 0)]),
        *(between(kind, getattr(old, LISTS[kind]), getattr(new, LISTS[kind]), lists[kind]) for kind in LISTS_FIRST),
        cases(adapter, old, new, sets, lists[NodeKind.CHALLENGE]),
        *(between(kind, getattr(old, LISTS[kind]), getattr(new, LISTS[kind]), lists[kind]) for kind in LISTS_LAST),
    )
    return Difference(tuple(changes), sets)


LISTS_FIRST = (NodeKind.CHALLENGE, NodeKind.INPUT_SET)
LISTS_LAST = (NodeKind.ASSET, FILE)


def bare(pack: Pack) -> Pack:
    """A pack without its nodes."""
    return replace(pack, challenges=(), input_sets=(), assets=(), files=(), withheld=frozenset())


def list_pairs(adapter: Adapter, kind: str, old: Pack, new: Pack) -> Pairs:
    """Which siblings of a kind are the same ones: by key, else because they say the same."""
    left, right = getattr(old, LISTS[kind]), getattr(new, LISTS[kind])
    pairs = paired([key_of(node) for node in left], [key_of(node) for node in right])
    if kind == FILE:
        return pairs
    return [*pairs, *renamed(documents(left), documents(right), pairs, key_field(adapter, kind))]


def documents(nodes: Sequence[Any]) -> list[dict[str, Any]]:
    """What nodes say; of an input set also the keys of its cases, without which two of them are hard to tell apart."""
    return [node.document | {f"/{case.key}": case.key for case in getattr(node, "cases", ())} for node in nodes]


def key_field(adapter: Adapter, kind: str) -> str:
    """The field of a node's document that holds its key; empty where no field does."""
    pointer = adapter.KEY_POINTERS.get(NodeKind(kind), "")
    return from_pointer(pointer)[0] if pointer else ""


def between(
    kind: str, old: Sequence[Any], new: Sequence[Any], pairs: Pairs, jumping: set[int] | None = None
) -> Iterator[NodeChange]:
    """The changes among siblings, those that went first at the place where they stood."""
    going = moved(pairs) if jumping is None else jumping
    stay, present = {left for left, _ in pairs}, {right: left for left, right in pairs}
    yield from (
        NodeChange(kind, Position(at), None, without_cases(node), None) for at, node in enumerate(old) if at not in stay
    )
    for at, node in enumerate(new):
        if at not in present:
            yield NodeChange(kind, None, Position(at), None, without_cases(node))
        elif (change := change_of(kind, old[present[at]], node, at in going)) is not None:
            yield replace(change, before=Position(present[at]), after=Position(at))


def without_cases(node: Any) -> Any:
    return replace(node, cases=()) if isinstance(node, InputSet) else node


def change_of(kind: str, old: Any, new: Any, is_moved: bool) -> NodeChange | None:
    """What is different in a node that stands on both sides."""
    left, right = without_cases(old), without_cases(new)
    delta = None if kind == FILE else compare(left.document, right.document)
    if delta is None and not is_moved and left == right:
        return None
    return NodeChange(kind, None, None, left, right, is_moved, delta=delta)


def cases(adapter: Adapter, old: Pack, new: Pack, sets: Pairs, challenges: Pairs) -> Iterator[NodeChange]:
    """The changes of cases: in the sets that both packs have, and from one set to another."""
    left, right = all_cases(old), all_cases(new)
    pairs = case_pairs(adapter, left, right, sets, renamings(old, new, challenges))
    set_of = dict(sets)
    inner: dict[int, Pairs] = {}
    for one, other in pairs:
        if set_of.get(left[one][0]) == right[other][0]:
            inner.setdefault(right[other][0], []).append((one, other))
    crossing = {other for one, other in pairs if set_of.get(left[one][0]) != right[other][0]}
    jumping = crossing.union(*(moved(some) for some in inner.values()))
    found = between(NodeKind.CASE, [item[2] for item in left], [item[2] for item in right], pairs, jumping)
    for change in found:
        before = left[change.before.index] if change.before else None
        after = right[change.after.index] if change.after else None
        owner = new.input_sets[after[0]] if after else old.input_sets[before[0]] if before else None
        yield replace(
            change,
            before=Position(before[1], before[0]) if before else None,
            after=Position(after[1], after[0]) if after else None,
            set_key=owner.key if owner else "",
            has_other_set=bool(before and after and set_of.get(before[0]) != after[0]),
        )


# The place of its set, its own place in it, and a case.
Standing = tuple[int, int, Case]


def all_cases(pack: Pack) -> list[Standing]:
    return [(at, place, case) for at, found in enumerate(pack.input_sets) for place, case in enumerate(found.cases)]


def renamings(old: Pack, new: Pack, pairs: Pairs) -> dict[str, str]:
    return {old.challenges[left].key: new.challenges[right].key for left, right in pairs}


def case_pairs(
    adapter: Adapter, left: list[Standing], right: list[Standing], sets: Pairs, names: Mapping[str, str]
) -> Pairs:
    """Which cases are the same ones: by set, challenge and key, then in any set, then because they say the same."""
    set_of = dict(sets)
    wanted = [(set_of.get(at, -1), names.get(case.challenge_key, case.challenge_key), case.key) for at, _, case in left]
    given = [(at, case.challenge_key, case.key) for at, _, case in right]
    pairs = paired(wanted, given)
    pairs += rest(pairs, [item[1:] for item in wanted], [item[1:] for item in given])
    left_texts, right_texts = ([own_words(item[2]) for item in side] for side in (left, right))
    pairs += renamed(left_texts, right_texts, pairs, key_field(adapter, NodeKind.CASE))
    return sorted(pairs, key=lambda pair: pair[1])


def own_words(case: Case) -> dict[str, Any]:
    """What a case says without the challenge that it names, as all others of the challenge do."""
    return {key: value for key, value in case.document.items() if value != case.challenge_key}


def rest(pairs: Pairs, old: Sequence[Any], new: Sequence[Any]) -> Pairs:
    """Pairs among those that have no partner yet."""
    taken, given = {left for left, _ in pairs}, {right for _, right in pairs}
    left, right = ([at for at in range(len(side)) if at not in used] for side, used in ((old, taken), (new, given)))
    return [(left[one], right[other]) for one, other in paired([old[at] for at in left], [new[at] for at in right])]


def apply_to_pack(difference: Difference, pack: Pack) -> Pack:
    """The new pack, made of the old one."""
    of_kind: dict[str, list[NodeChange]] = {}
    for change in difference.nodes:
        of_kind.setdefault(change.kind, []).append(change)
    own = of_kind.get(NodeKind.PACK, [])
    lists = {name: rebuilt([getattr(pack, name)], of_kind.get(kind, [])) for kind, name in LISTS.items()}
    sources = {right: left for left, right in difference.sets}
    old = [input_set.cases for input_set in pack.input_sets]
    sets = [
        replace(input_set, cases=rebuilt(old, of_kind.get(NodeKind.CASE, []), sources.get(place), place))
        for place, input_set in enumerate(lists["input_sets"])
    ]
    return replace(made(own[0], pack) if own else pack, **{**lists, "input_sets": tuple(sets)})


def rebuilt(
    groups: Sequence[Sequence[Any]], changes: Sequence[NodeChange], source: int | None = 0, parent: int = 0
) -> tuple[Any, ...]:
    """The new siblings below `parent`: what stays of the group `source`, and what comes to it."""
    by_place = {(change.before.parent, change.before.index): change for change in changes if change.before}
    kept = []
    for place, node in enumerate(groups[source]) if source is not None else ():
        change = by_place.get((source or 0, place))
        if change is None:
            kept.append(node)
        elif change.after is not None and not change.is_moved:
            kept.append(made(change, node))
    coming = [(change.after, change) for change in changes if change.after and (change.is_moved or not change.before)]
    for after, change in sorted(coming, key=lambda item: item[0].index):
        if after.parent == parent:
            before = change.before
            kept.insert(after.index, made(change, groups[before.parent][before.index] if before else None))
    return tuple(kept)


def made(change: NodeChange, node: Any) -> Any:
    """The new node, made of the old one where there is one."""
    if node is None or change.kind == FILE:
        return change.new
    return replace(change.new, document=apply(change.delta, node.document))
