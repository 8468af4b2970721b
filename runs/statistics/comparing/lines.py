"""Two texts line against line."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Literal

# Lines of each side that are compared, and characters of a line that are shown.
MAX_LINES = 400
MAX_LINE = 1000
CONTEXT = 3
Kind = Literal["same", "removed", "added", "skipped"]


@dataclass(frozen=True, slots=True)
class Line:
    """A line with what became of it; of a skipped one `text` says how many lines are left out."""

    kind: Kind
    text: str


@dataclass(frozen=True, slots=True)
class Difference:
    """`is_cut` where a side is longer than what was compared."""

    lines: Sequence[Line]
    is_cut: bool


def difference(before: str, after: str) -> Difference:
    """What is removed from and added to the first text, with the lines around; no lines where both are equal."""
    one, other = before.splitlines(), after.splitlines()
    is_cut = max(len(one), len(other)) > MAX_LINES or any(len(line) > MAX_LINE for line in (*one, *other))
    sides = [[line[:MAX_LINE] for line in side[:MAX_LINES]] for side in (one, other)]
    return Difference(list(_lines(*sides)), is_cut)


def _lines(one: Sequence[str], other: Sequence[str]) -> Iterator[Line]:
    shown = 0
    for group in SequenceMatcher(None, one, other).get_grouped_opcodes(CONTEXT):
        if group[0][1] > shown:
            yield _skipped(group[0][1] - shown)
        for tag, start, end, other_start, other_end in group:
            if tag == "equal":
                yield from (Line("same", line) for line in one[start:end])
                continue
            yield from (Line("removed", line) for line in one[start:end])
            yield from (Line("added", line) for line in other[other_start:other_end])
        shown = group[-1][2]
    if 0 < shown < len(one):
        yield _skipped(len(one) - shown)


def _skipped(count: int) -> Line:
    return Line("skipped", str(count))
