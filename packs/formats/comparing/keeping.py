"""A difference as bytes of which a page reads the part that it shows: what a job found, kept for later."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from itertools import accumulate
from typing import IO, Any

from packs.formats import jsonio
from packs.formats.comparing.trees import FILE, Difference, NodeChange, Position
from packs.formats.comparing.values import Act, compare
from packs.formats.document import Asset, Case, Challenge, File, InputSet, NodeKind, Pack

# Bytes of more than this are kept as ones of the same length that are other bytes for another content.
SHORT = 64
MADE: Mapping[str, type] = {
    NodeKind.PACK: Pack,
    NodeKind.CHALLENGE: Challenge,
    NodeKind.INPUT_SET: InputSet,
    NodeKind.CASE: Case,
    NodeKind.ASSET: Asset,
    FILE: File,
}
NAMES = ("format", "key", "challenge_key", "path", "document")


@dataclass(frozen=True, slots=True)
class Head:
    """What lists and counts need to know of a node that is different."""

    kind: str
    acts: tuple[Act, ...]


class Kept(Sequence[NodeChange]):
    """The nodes of a difference that was written; each is read when it is asked for. `more` came with it."""

    def __init__(self, opened: Callable[[], IO[bytes]]) -> None:
        with opened() as file:
            head, _ = jsonio.read(first := file.readline())
        self._opened = opened
        self._starts = list(accumulate((size for _, _, size in head["nodes"]), initial=len(first)))
        self.heads = [Head(kind, tuple(map(Act, acts))) for kind, acts, _ in head["nodes"]]
        self.more: dict[str, Any] = head["more"]

    def __len__(self) -> int:
        return len(self.heads)

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return self.at(range(*index.indices(len(self))))
        return self.at([index])[0]

    def at(self, places: Iterable[int]) -> list[NodeChange]:
        with self._opened() as file:
            return [read(self._line(file, place)) for place in places]

    def _line(self, file: IO[bytes], place: int) -> dict[str, Any]:
        file.seek(self._starts[range(len(self))[place]])
        line: dict[str, Any] = jsonio.read(file.readline())[0]
        return line


def write(difference: Difference, more: Mapping[str, Any]) -> Iterator[bytes]:
    """A line that says what follows, then one for each node."""
    lines = [jsonio.write(written(change)) for change in difference.nodes]
    nodes = [(change.kind, change.acts, len(line)) for change, line in zip(difference.nodes, lines, strict=True)]
    yield jsonio.write({"nodes": nodes, "more": more})
    yield from lines


def written(change: NodeChange) -> dict[str, Any]:
    sides = {name: node and side(node) for name, node in (("old", change.old), ("new", change.new))}
    both = (("before", change.before), ("after", change.after))
    places = {name: place and [place.index, place.parent] for name, place in both}
    kept = {name: getattr(change, name) for name in ("kind", "is_moved", "has_other_set", "set_key")}
    return {**kept, **places, **sides}


def side(node: Any) -> dict[str, Any]:
    """A node without those below it, and without the bytes that are only compared."""
    content = getattr(node, "content", None)
    own = {name: getattr(node, name) for name in NAMES if hasattr(node, name)}
    if content is None:
        return own
    mark = content if len(content) <= SHORT else sha256(content).digest()
    return own | {"content": [mark.hex(), len(content)]}


def read(kept: dict[str, Any]) -> NodeChange:
    kind = kept["kind"] if kept["kind"] == FILE else NodeKind(kept["kind"])
    old, new = (node_of(kind, kept[name]) for name in ("old", "new"))
    before, after = (Position(*kept[name]) if kept[name] else None for name in ("before", "after"))
    change = NodeChange(kind, before, after, old, new, kept["is_moved"], kept["has_other_set"], kept["set_key"])
    if kind == FILE or old is None or new is None:
        return change
    return replace(change, delta=compare(old.document, new.document))


def node_of(kind: str, kept: dict[str, Any] | None) -> Any:
    if kept is None:
        return None
    mark, size = kept.get("content", (None, 0))
    content = {} if mark is None else {"content": bytes.fromhex(mark).ljust(size, b"\0")}
    return MADE[kind](**{**kept, **content})
