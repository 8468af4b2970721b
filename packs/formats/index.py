"""The index of a pack that is at hand as a tree; rows answer the same questions in `packs.mirror`."""

from collections.abc import Callable, Iterable, Iterator
from functools import cached_property

from packs.formats.adapter import Node, PackIndex
from packs.formats.document import Address, Document, InputSet, NodeKind, Pack
from packs.formats.findings import Finding, Path

Firsts = dict[tuple[str, str], int]


class TreeIndex:
    """Answers `PackIndex` from a tree. What has to be looked up is prepared on the first question about it."""

    def __init__(self, pack: Pack) -> None:
        self._pack = pack
        self._firsts_of_cases: dict[int, Firsts] = {}
        self._leading_keys: dict[int, str] = {}

    @property
    def pack(self) -> Document:
        return self._pack.document

    def challenge(self, key: str) -> Document | None:
        return self._challenges.get(key)

    def asset(self, key: str) -> Document | None:
        return self._assets.get(key)

    def has_assets_at(self, path: str) -> bool:
        return path in self._assets or path in self._folders

    def input_set(self, position: int) -> Document | None:
        found = self._set_at(position)
        return found.document if found else None

    def set_challenge_key(self, input_set: int) -> str:
        if input_set not in self._leading_keys:
            self._leading_keys[input_set] = _leading_challenge_key(self._set_at(input_set))
        return self._leading_keys[input_set]

    def only_challenge_key(self) -> str:
        keys = [challenge.key.strip() for challenge in self._pack.challenges[:2]]
        return keys[0] if len(keys) == 1 else ""

    def case_count(self, input_set: int) -> int:
        found = self._set_at(input_set)
        return len(found.cases) if found else 0

    def is_repeated(self, node: Node) -> bool:
        first = self._firsts(node).get((node.challenge_key.strip(), node.key.strip()))
        return first is not None and first < node.position

    def _firsts(self, node: Node) -> Firsts:
        if node.kind is not NodeKind.CASE:
            return self._firsts_of_kind[node.kind]
        if node.parent not in self._firsts_of_cases:
            found = self._set_at(node.parent)
            cases = found.cases if found else ()
            self._firsts_of_cases[node.parent] = _firsts((case.challenge_key, case.key) for case in cases)
        return self._firsts_of_cases[node.parent]

    def _set_at(self, position: int) -> InputSet | None:
        sets = self._pack.input_sets
        return sets[position] if 0 <= position < len(sets) else None

    @cached_property
    def _challenges(self) -> dict[str, Document]:
        return {challenge.key.strip(): challenge.document for challenge in reversed(self._pack.challenges)}

    @cached_property
    def _assets(self) -> dict[str, Document]:
        return {asset.key.strip(): asset.document for asset in reversed(self._pack.assets)}

    @cached_property
    def _folders(self) -> frozenset[str]:
        """Every folder that the keys of assets name."""
        steps = [key.split("/") for key in self._assets]
        return frozenset("/".join(part[:end]) for part in steps for end in range(1, len(part)))

    @cached_property
    def _firsts_of_kind(self) -> dict[NodeKind, Firsts]:
        return {
            NodeKind.PACK: {},
            NodeKind.CHALLENGE: _firsts(("", challenge.key) for challenge in self._pack.challenges),
            NodeKind.INPUT_SET: _firsts(("", input_set.key) for input_set in self._pack.input_sets),
            NodeKind.ASSET: _firsts(("", asset.key) for asset in self._pack.assets),
        }


def _firsts(identities: Iterable[tuple[str, str]]) -> Firsts:
    """The position of the first bearer of every identity."""
    found: Firsts = {}
    for position, (challenge_key, key) in enumerate(identities):
        found.setdefault((challenge_key.strip(), key.strip()), position)
    return found


def _leading_challenge_key(input_set: InputSet | None) -> str:
    if input_set is None:
        return ""
    return next((key for case in input_set.cases if (key := case.challenge_key.strip())), "")


def each_node(pack: Pack) -> Iterator[Node]:
    """Every node of a tree as a check sees it, in the order of the tree."""
    yield Node(NodeKind.PACK, pack.document)
    for position, asset in enumerate(pack.assets):
        yield Node(NodeKind.ASSET, asset.document, asset.key, position=position)
    for position, challenge in enumerate(pack.challenges):
        yield Node(NodeKind.CHALLENGE, challenge.document, challenge.key, position=position)
    for parent, input_set in enumerate(pack.input_sets):
        yield Node(NodeKind.INPUT_SET, input_set.document, input_set.key, position=parent)
        for position, case in enumerate(input_set.cases):
            yield Node(NodeKind.CASE, case.document, case.key, case.challenge_key, parent, position)


def check_each(
    pack: Pack,
    check_node: Callable[[PackIndex, Node], Iterator[Finding]],
    path_of: Callable[[Address], Path],
) -> Iterator[Finding]:
    """What the `check_node` of a format finds at all nodes of a pack, with paths from its root: most of `check`."""
    index = TreeIndex(pack)
    for node in each_node(pack):
        yield from (finding.below(path_of(node.address)) for finding in check_node(index, node))
