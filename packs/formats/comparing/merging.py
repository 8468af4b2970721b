"""Three-way merges of JSON values and of texts: what two sides made of the same beginning, in one.

What only one side changed is taken from it. What both changed in the same way is taken once. The rest is a conflict, at
the smallest part that has one; the merged value says there what the own side says, or the other one if that is chosen.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from packs.formats.comparing.alignment import Pairs, aligned, moved, paired
from packs.formats.comparing.values import list_pairs, naming, same
from packs.formats.findings import Path


class Absent(Enum):
    """Nothing, where null is something."""

    ABSENT = "absent"


ABSENT = Absent.ABSENT
# What an element is, in all three sequences: see `identified`.
Id = Any


@dataclass(frozen=True, slots=True)
class Three:
    """One thing at the beginning, on the own side, and on the other one."""

    base: Any
    ours: Any
    theirs: Any

    def map(self, of: Callable[[Any], Any]) -> "Three":
        return Three(of(self.base), of(self.ours), of(self.theirs))

    def under(self, name: Id) -> "Three":
        """What three mappings hold under a name, ABSENT where one of them has nothing."""
        return self.map(lambda side: side.get(name, ABSENT))

    def places(self) -> "Three":
        """Where the elements of three sequences stand in them."""
        return self.map(lambda side: {name: place for place, name in enumerate(side)})

    def __iter__(self) -> Iterator[Any]:
        yield from (self.base, self.ours, self.theirs)


@dataclass(frozen=True, slots=True)
class Conflict:
    """A part that both sides changed, each in its own way. `path` leads there in the merged document; `label` says the
    same with names in place of numbers. Where a side has nothing, its value is ABSENT."""

    path: Path
    label: str
    values: Three


@dataclass(slots=True)
class Merging:
    """A merge of values. `conflicts` grows while it goes on; `is_theirs` says where the other side wins."""

    is_theirs: Callable[[Conflict], bool]
    conflicts: list[Conflict] = field(default_factory=list)

    def merge(self, three: Three, path: Path = (), label: str = "") -> Any:
        """The merged value, ABSENT where it went."""
        base, ours, theirs = three
        if same(ours, theirs) or same(base, theirs):
            return ours
        if same(base, ours):
            return theirs
        if isinstance(ours, dict) and isinstance(theirs, dict):
            return self._mapping(Three(base if isinstance(base, dict) else {}, ours, theirs), path, label)
        if all(isinstance(side, list) for side in three):
            return self._list(three, path, label)
        if all(isinstance(side, str) for side in three):
            merged = merge_text(three)
            if merged is not None:
                return merged
        return self.choose(Conflict(path, label, three))

    def choose(self, conflict: Conflict) -> Any:
        """Note a conflict, and give the value of the side that wins."""
        self.conflicts.append(conflict)
        return conflict.values.theirs if self.is_theirs(conflict) else conflict.values.ours

    def _mapping(self, three: Three, path: Path, label: str) -> dict[str, Any]:
        found = {}
        for key in merged_order(three.map(list)):
            value = self.merge(three.under(key), (*path, key), f"{label}.{key}" if label else key)
            if value is not ABSENT:
                found[key] = value
        return found

    def _list(self, three: Three, path: Path, label: str) -> list[Any]:
        name = naming(*three)
        ids = identified(
            three.map(lambda side: [item[name] if name else repr(item) for item in side]),
            *(list_pairs(three.base, side, name) for side in (three.ours, three.theirs)),
        )
        items = Three(*(dict(zip(names, side, strict=True)) for names, side in zip(ids, three, strict=True)))
        found: list[Any] = []
        for each in merged_order(ids):
            value = self.merge(items.under(each), (*path, len(found)), f"{label}[{len(found)}]")
            if value is not ABSENT:
                found.append(value)
        return found


def identified(names: Three, our_pairs: Pairs, their_pairs: Pairs) -> Three:
    """What the elements of three sequences are, so that the same thing is the same in all: its place at the beginning,
    and for what was added a side and a place. The pairs lead from the beginning to both sides; what both of them added
    under one of the `names` is one thing."""
    ours, theirs = _known(names.ours, "ours", our_pairs), _known(names.theirs, "theirs", their_pairs)
    left, right = ([place for place, name in enumerate(side) if isinstance(name, tuple)] for side in (ours, theirs))
    for one, other in paired([names.ours[place] for place in left], [names.theirs[place] for place in right]):
        theirs[right[other]] = ours[left[one]]
    return Three(list(range(len(names.base))), ours, theirs)


def _known(side: Sequence[Any], word: str, pairs: Pairs) -> list[Id]:
    known = {right: left for left, right in pairs}
    return [known.get(place, (word, place)) for place in range(len(side))]


def merged_order(ids: Three) -> list[Id]:
    """All names of both sides in one order: that of the side which changed it, with what only the other has put after
    what stands before it there."""
    places = ids.places()
    is_kept = not moved([(places.base[name], place) for name, place in places.ours.items() if name in places.base])
    first, second = (ids.theirs, ids.ours) if is_kept else (ids.ours, ids.theirs)
    known, last = set(first), None
    after: dict[Id | None, list[Id]] = {}
    for name in second:
        if name in known:
            last = name
        else:
            after.setdefault(last, []).append(name)
    found = list(after.get(None, ()))
    for name in first:
        found.extend((name, *after.get(name, ())))
    return found


def merge_text(three: Three) -> str | None:
    """A text of several lines in which both sides changed different ones; None where they touch."""
    lines = three.map(lambda text: text.splitlines(keepends=True))
    if len(lines.base) < 2:
        return None
    left, right = list(_hunks(lines.base, lines.ours)), list(_hunks(lines.base, lines.theirs))
    found, at = [], 0
    hunks = sorted({*left, *right})
    for hunk, following in zip(hunks, [*hunks[1:], None], strict=True):
        if following is not None and following[0] <= hunk[1]:
            return None
        found += [*lines.base[at : hunk[0]], *hunk[2]]
        at = hunk[1]
    return "".join([*found, *lines.base[at:]])


def _hunks(base: Sequence[str], side: Sequence[str]) -> Iterator[tuple[int, int, tuple[str, ...]]]:
    """The lines from where to where that became others."""
    at, new_at = 0, 0
    for left, right in [*aligned(base, side), (len(base), len(side))]:
        if left > at or right > new_at:
            yield at, left, tuple(side[new_at:right])
        at, new_at = left + 1, right + 1
