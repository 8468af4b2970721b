"""Which elements of two sequences belong together."""

from bisect import bisect_left
from collections import Counter, defaultdict, deque
from collections.abc import Hashable, Iterator, Sequence
from typing import TYPE_CHECKING

from packs.formats.later import Later

if TYPE_CHECKING:
    import difflib
else:
    difflib = Later("difflib")

Pairs = list[tuple[int, int]]

# Up to here every element is compared with every other; longer sequences are divided first.
DIRECT = 300


def paired(old: Sequence[Hashable], new: Sequence[Hashable]) -> Pairs:
    """The places of equal elements in both sequences, wherever they stand; the first of several with the first."""
    waiting: defaultdict[Hashable, deque[int]] = defaultdict(deque)
    for place, item in enumerate(old):
        waiting[item].append(place)
    return [(waiting[item].popleft(), place) for place, item in enumerate(new) if waiting.get(item)]


def aligned(old: Sequence[Hashable], new: Sequence[Hashable]) -> Pairs:
    """The places of equal elements that have the same order in both sequences: what stays when one becomes the other.

    Not always as many as possible: long sequences are divided at what each of them has once, which takes little time.
    """
    start, old_end, new_end = common_ends(old, new)
    pairs = [(place, place) for place in range(start)]
    inner = _between(old[start:old_end], new[start:new_end])
    pairs.extend((left + start, right + start) for left, right in inner)
    pairs.extend((old_end + more, new_end + more) for more in range(len(old) - old_end))
    return pairs


def stretches(
    old: Sequence[Hashable], new: Sequence[Hashable]
) -> Iterator[tuple[tuple[int, int, int], tuple[int, int, int]]]:
    """What stays and what differs after it, over and over: in each sequence where the first begins, where the second
    begins and where that ends."""
    at, new_at, kept, new_kept = 0, 0, 0, 0
    for left, right in [*aligned(old, new), (len(old), len(new))]:
        if left > at or right > new_at:
            yield (kept, at, left), (new_kept, new_at, right)
            kept, new_kept = left, right
        at, new_at = left + 1, right + 1
    if kept < len(old):
        yield (kept, len(old), len(old)), (new_kept, len(new), len(new))


def common_ends(old: Sequence[Hashable], new: Sequence[Hashable]) -> tuple[int, int, int]:
    """How many elements are equal at the beginning, and where the equal ends begin in both."""
    start, old_end, new_end = 0, len(old), len(new)
    while start < min(old_end, new_end) and old[start] == new[start]:
        start += 1
    while min(old_end, new_end) > start and old[old_end - 1] == new[new_end - 1]:
        old_end, new_end = old_end - 1, new_end - 1
    return start, old_end, new_end


def _between(old: Sequence[Hashable], new: Sequence[Hashable]) -> Iterator[tuple[int, int]]:
    if not old or not new:
        return
    if max(len(old), len(new)) <= DIRECT:
        for block in difflib.SequenceMatcher(None, old, new, autojunk=False).get_matching_blocks():
            yield from ((block.a + more, block.b + more) for more in range(block.size))
        return
    anchors = _anchors(old, new)
    ends = [(-1, -1), *anchors, (len(old), len(new))]
    for (left, right), (next_left, next_right) in zip(ends, ends[1:], strict=False) if anchors else ():
        inner = aligned(old[left + 1 : next_left], new[right + 1 : next_right])
        yield from ((left + 1 + one, right + 1 + other) for one, other in inner)
        if next_left < len(old):
            yield next_left, next_right


def _anchors(old: Sequence[Hashable], new: Sequence[Hashable]) -> Pairs:
    """The elements that both sequences have once, as many of them as have the same order."""
    in_old, in_new = Counter(old), Counter(new)
    places = {item: place for place, item in enumerate(old) if in_old[item] == 1}
    shared = [(places[item], at) for at, item in enumerate(new) if in_new[item] == 1 and item in places]
    return [shared[index] for index in rising([left for left, _ in shared])]


def rising(numbers: Sequence[int]) -> list[int]:
    """The places of a longest rising part of different numbers."""
    ends: list[int] = []
    places: list[int] = []
    before: list[int] = []
    for place, number in enumerate(numbers):
        size = bisect_left(ends, number)
        ends[size : size + 1], places[size : size + 1] = [number], [place]
        before.append(places[size - 1] if size else -1)
    found = []
    place = places[-1] if places else -1
    while place >= 0:
        found.append(place)
        place = before[place]
    return found[::-1]


def moved(pairs: Pairs) -> set[int]:
    """The new places of those that do not keep their order among the others."""
    ordered = sorted(pairs, key=lambda pair: pair[1])
    keeping = set(rising([left for left, _ in ordered]))
    return {right for index, (_, right) in enumerate(ordered) if index not in keeping}
