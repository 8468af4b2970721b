"""Two replays beside each other: which steps of the one belong to which of the other, and where they part.

Steps at both ends that did the same are matched first. Between them a longest common subsequence of what was done
(Hyyro 2004, see `runs.replay.bitrows`) gives the steps that both have; in the gaps that it leaves, a longest common
subsequence of names pairs calls of one tool with other arguments, and turns of a model with other words.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby

from runs.replay.bitrows import common_places
from runs.replay.marks import Marks

# Of the part between the equal ends, so many steps of each side are aligned: the table of that takes 50 MB at most.
MOST_ALIGNED = 20_000

SAME, CHANGED, ONLY_A, ONLY_B = "same", "changed", "only_a", "only_b"

Pair = tuple[int, int]


@dataclass(frozen=True, slots=True)
class AlignedSteps:
    """A step of one replay, of the other, or of both; `a` and `b` are positions of steps (from 0) or None."""

    state: str
    a: int | None
    b: int | None


@dataclass(frozen=True, slots=True)
class Alignment:
    """Every step of both replays in exactly one row, in their order.

    `differences` are the first rows of stretches that are not the same, each with the first row after it; `unaligned`
    counts the steps of both sides that stood beyond what is aligned, and therefore in rows of one side only.
    """

    rows: Sequence[AlignedSteps] = ()
    unaligned: int = 0
    differences: Sequence[Pair] = field(default_factory=list)

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def first_difference(self) -> int | None:
        """The first row in which the replays part; None when they are alike."""
        return self.differences[0][0] if self.differences else None

    def next_difference(self, row: int) -> int | None:
        """The beginning of the first difference after a row (-1 to search from the start)."""
        found = bisect_right(self.differences, row, key=lambda pair: pair[0])
        return self.differences[found][0] if found < len(self.differences) else None

    def previous_difference(self, row: int) -> int | None:
        """The beginning of the last difference that begins before a row."""
        found = bisect_left(self.differences, row, key=lambda pair: pair[0])
        return self.differences[found - 1][0] if found else None

    def counts(self) -> dict[str, int]:
        """How many rows there are of each state."""
        counts = dict.fromkeys((SAME, CHANGED, ONLY_A, ONLY_B), 0)
        for row in self.rows:
            counts[row.state] += 1
        return counts


def align(a: Marks, b: Marks, most: int = MOST_ALIGNED) -> Alignment:
    """The rows of two replays. `most` limits the steps of each side that are aligned between the equal ends.

    Takes memory of `most` squared bits and time of about `most` squared / 1e9 seconds, besides what the marks take.
    """
    start = common_start(a.deeds, b.deeds)
    end = common_start(a.deeds[start:][::-1], b.deeds[start:][::-1])
    a_end, b_end = len(a) - end, len(b) - end
    a_stop, b_stop = min(a_end, start + most), min(b_end, start + most)
    pairs = [(place, place) for place in range(start)]
    pairs += inner_pairs(a, b, (start, start), (a_stop, b_stop))
    pairs += zip(range(a_end, len(a)), range(b_end, len(b)), strict=True)
    rows = list(rows_of(pairs, a, b))
    return Alignment(rows, a_end - a_stop + b_end - b_stop, stretches(rows))


def common_start(a: Sequence[bytes], b: Sequence[bytes]) -> int:
    """How many marks both begin with."""
    shortest = min(len(a), len(b))
    return next((place for place in range(shortest) if a[place] != b[place]), shortest)


def inner_pairs(a: Marks, b: Marks, start: Pair, stop: Pair) -> Iterator[Pair]:
    """The pairs between two places: equal deeds, and equal names in the gaps that those leave."""
    before = start
    for pair in [*shared(a.deeds, b.deeds, start, stop), stop]:
        yield from shared(a.names, b.names, before, pair)
        if pair != stop:
            yield pair
        before = (pair[0] + 1, pair[1] + 1)


def shared(a: Sequence[bytes], b: Sequence[bytes], start: Pair, stop: Pair) -> list[Pair]:
    """Where a longest common subsequence of the marks between two places stands in both."""
    left, right = a[start[0] : stop[0]], b[start[1] : stop[1]]
    if not left or not right:
        return []
    return [(start[0] + place, start[1] + other) for place, other in common_places(left, right)]


def rows_of(pairs: Sequence[Pair], a: Marks, b: Marks) -> Iterator[AlignedSteps]:
    """The pairs as rows, with the steps of one side only between them: those of A first."""
    next_a = next_b = 0
    for place, other in [*pairs, (len(a), len(b))]:
        yield from (AlignedSteps(ONLY_A, step, None) for step in range(next_a, place))
        yield from (AlignedSteps(ONLY_B, None, step) for step in range(next_b, other))
        if place < len(a):
            yield AlignedSteps(SAME if a.wholes[place] == b.wholes[other] else CHANGED, place, other)
        next_a, next_b = place + 1, other + 1


def stretches(rows: Sequence[AlignedSteps]) -> list[Pair]:
    """The stretches of rows that are not the same, each as its first row and the first one after it."""
    found = []
    for is_same, members in groupby(enumerate(rows), key=lambda item: item[1].state == SAME):
        places = [place for place, _ in members]
        if not is_same:
            found.append((places[0], places[-1] + 1))
    return found
