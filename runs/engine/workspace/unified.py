"""Changes of a text line by line, in the unified form of `diff -u`, in a time that no text makes long."""

from collections import Counter
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from itertools import groupby
from operator import eq
from typing import Literal

CONTEXT = 3
# Pairs of lines that are alike. Where there are more between the first and the last change, nothing is sought there:
# texts of one length are compared line beside line, all else is shown as one change.
MAX_PAIRS = 500_000

Step = tuple[Literal["replace", "delete", "insert", "equal"], int, int, int, int]


class KnownSteps(SequenceMatcher[str]):
    """Groups steps that are known."""

    def __init__(self, known: list[Step]) -> None:
        super().__init__()
        self.known = known

    def get_opcodes(self) -> list[Step]:
        return self.known


def unified(one: Sequence[str], other: Sequence[str], names: tuple[str, str]) -> Iterator[str]:
    """The lines that say how one text becomes the other; none where they are alike."""
    head = [f"--- {names[0]}\n", f"+++ {names[1]}\n"]
    for group in KnownSteps(list(steps(one, other))).get_grouped_opcodes(CONTEXT):
        yield from head
        head = []
        yield f"@@ -{_span(group[0][1], group[-1][2])} +{_span(group[0][3], group[-1][4])} @@\n"
        for tag, old_from, old_to, new_from, new_to in group:
            if tag == "equal":
                yield from (f" {line}" for line in one[old_from:old_to])
                continue
            yield from (f"-{line}" for line in one[old_from:old_to])
            yield from (f"+{line}" for line in other[new_from:new_to])


def steps(one: Sequence[str], other: Sequence[str]) -> Iterator[Step]:
    """The way from one text to the other, as difflib tells it; it is sought between what is alike at both ends."""
    shortest = min(len(one), len(other))
    start = next((place for place in range(shortest) if one[place] != other[place]), shortest)
    room = range(1, shortest - start + 1)
    end = next((place - 1 for place in room if one[-place] != other[-place]), len(room))
    old, new = one[start : len(one) - end], other[start : len(other) - end]
    if start:
        yield "equal", 0, start, 0, start
    for tag, old_from, old_to, new_from, new_to in _between(old, new):
        yield tag, start + old_from, start + old_to, start + new_from, start + new_to
    if end:
        yield "equal", len(one) - end, len(one), len(other) - end, len(other)


def _between(old: Sequence[str], new: Sequence[str]) -> Sequence[Step]:
    counts = Counter(new)
    # As difflib does, which leaves lines out that occur more often than this.
    often = len(new) // 100 + 1 if len(new) >= 200 else len(new)
    if sum(counts[line] for line in old if counts[line] <= often) <= MAX_PAIRS:
        return SequenceMatcher(None, old, new).get_opcodes()
    return list(_in_place(old, new)) if len(old) == len(new) else [("replace", 0, len(old), 0, len(new))]


def _in_place(old: Sequence[str], new: Sequence[str]) -> Iterator[Step]:
    """Two texts of one length, line beside line."""
    start = 0
    for is_alike, lines in groupby(map(eq, old, new)):
        stop = start + len(list(lines))
        yield "equal" if is_alike else "replace", start, stop, start, stop
        start = stop


def _span(start: int, stop: int) -> str:
    """Lines of a text as the head of a hunk names them: the first one from 1, and how many."""
    size = stop - start
    return str(start + 1) if size == 1 else f"{start + 1 if size else start},{size}"
