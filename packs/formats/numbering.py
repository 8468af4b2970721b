"""Numbers behind names, so that nothing else is called so."""

from collections.abc import Callable
from sys import maxsize

from packs.formats.adapter import Node, PackIndex
from packs.formats.document import NodeKind


def free_number(is_taken: Callable[[int], bool], first: int = 1) -> int:
    """A number of at least `first` that is free, behind a taken one where `first` is taken.

    Asks about 2 log2(n) times where n follow each other: of ten thousand each would cost a query.
    """
    taken, free, step = first - 1, first, 1
    while is_taken(free):
        taken, free, step = free, free + step, step * 2
    while free - taken > 1:
        middle = (taken + free) // 2
        taken, free = (middle, free) if is_taken(middle) else (taken, middle)
    return free


def free_key(
    index: PackIndex | None, kind: NodeKind, name: Callable[[int], str], parent: int = 0, challenge_key: str = ""
) -> str:
    """A name with the number that makes it a key which no node of a kind has, as `Adapter.new_document` needs it."""

    def is_taken(number: int) -> bool:
        return index is not None and index.is_repeated(Node(kind, {}, name(number), challenge_key, parent, maxsize))

    return name(free_number(is_taken))
