"""Edit distance and longest common subsequence, a whole row of the table at a time.

A row is held as the bits of one integer, so that two texts of 100,000 characters take about a second. Distance: Myers
1999 in the form of Hyyro 2003; subsequence: Hyyro 2004.
"""

from collections.abc import Hashable, Sequence

# Symbols that occur more often than this keep their bit row; rows of rare ones are made anew when needed.
_KEPT_FROM = 16


class _Rows:
    """For each symbol of a pattern the bits of the positions at which it stands."""

    def __init__(self, pattern: Sequence[Hashable]) -> None:
        self._positions: dict[Hashable, list[int]] = {}
        for position, symbol in enumerate(pattern):
            self._positions.setdefault(symbol, []).append(position)
        self._kept: dict[Hashable, int] = {}

    def of(self, symbol: Hashable) -> int:
        row = self._kept.get(symbol)
        if row is not None:
            return row
        positions = self._positions.get(symbol)
        if positions is None:
            return 0
        if len(positions) <= _KEPT_FROM:
            return sum(1 << position for position in positions)
        cells = bytearray(positions[-1] // 8 + 1)
        for position in positions:
            cells[position // 8] |= 1 << position % 8
        row = self._kept[symbol] = int.from_bytes(cells, "little")
        return row


def edit_distance(left: Sequence[Hashable], right: Sequence[Hashable]) -> int:
    """How many insertions, removals and substitutions turn one sequence into the other."""
    left, right = _without_common_ends(left, right)
    if len(left) < len(right):
        left, right = right, left
    if not right:
        return len(left)
    rows = _Rows(left)
    full = (1 << len(left)) - 1
    last = 1 << (len(left) - 1)
    grows, shrinks, distance = full, 0, len(left)
    for symbol in right:
        row = rows.of(symbol)
        diagonal = ((((row & grows) + grows) ^ grows) | row | shrinks) & full
        up = shrinks | (full & ~(diagonal | grows))
        down = grows & diagonal
        distance += bool(up & last) - bool(down & last)
        up = (up << 1 | 1) & full
        grows = (down << 1 & full) | (full & ~(diagonal | up))
        shrinks = up & diagonal
    return distance


def common_length(left: Sequence[Hashable], right: Sequence[Hashable]) -> int:
    """The length of the longest common subsequence."""
    if len(left) < len(right):
        left, right = right, left
    rows = _Rows(left)
    full = (1 << len(left)) - 1
    free = full
    for symbol in right:
        matched = free & rows.of(symbol)
        free = ((free + matched) | (free - matched)) & full
    return len(left) - free.bit_count()


def common_places(left: Sequence[Hashable], right: Sequence[Hashable]) -> list[tuple[int, int]]:
    """Where a longest common subsequence stands in both, in their order. Every row is kept: for short sequences."""
    rows = _Rows(left)
    full = (1 << len(left)) - 1
    kept = [full]
    for symbol in right:
        free = kept[-1]
        matched = free & rows.of(symbol)
        kept.append(((free + matched) | (free - matched)) & full)
    places = []
    column, row = len(left), len(right)
    # A bit that is not set says that the subsequence grows with that symbol of the left sequence.
    while column and row:
        if kept[row] >> (column - 1) & 1:
            column -= 1
        elif kept[row - 1] >> (column - 1) & 1:
            column, row = column - 1, row - 1
            places.append((column, row))
        else:
            row -= 1
    return places[::-1]


def _without_common_ends(
    left: Sequence[Hashable], right: Sequence[Hashable]
) -> tuple[Sequence[Hashable], Sequence[Hashable]]:
    shortest = min(len(left), len(right))
    start = 0
    while start < shortest and left[start] == right[start]:
        start += 1
    end = 0
    while end < shortest - start and left[-1 - end] == right[-1 - end]:
        end += 1
    return left[start : len(left) - end], right[start : len(right) - end]
