"""The difference of two JSON values: which of their parts came, went, moved or changed."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from packs.formats.comparing.alignment import Pairs, aligned, moved, paired
from packs.formats.findings import Path

# What names an element of a list, the first that all of its elements have.
NAMES = ("key", "id", "name", "path")
# How much of two things with different names must be the same, measured in text, to take them for one that was renamed.
ALIKE = 0.6
# Above so many comparisons, only what is entirely the same but for its name is taken for renamed.
MANY_COMPARISONS = 10_000


class Act(StrEnum):
    """What can happen to a part."""

    ADDED = "added"
    REMOVED = "removed"
    RENAMED = "renamed"
    MOVED = "moved"
    CHANGED = "changed"


@dataclass(frozen=True, slots=True)
class Put:
    """One value instead of another."""

    old: Any
    new: Any


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a mapping or a list that is not as it was.

    `before` and `after` are its places among its siblings, None where it came or went; `step` is its key in a mapping,
    or what its element of a list is called. `inner` says what is different in it; None where it only moved. A part
    that `is_moved` does not keep its order among those that stay.
    """

    step: str
    before: int | None
    after: int | None
    inner: "Put | Inside | None" = None
    is_moved: bool = False


@dataclass(frozen=True, slots=True)
class Inside:
    """What is different inside of a mapping or a list."""

    parts: tuple[Part, ...]
    in_list: bool


Delta = Put | Inside


@dataclass(frozen=True, slots=True)
class FieldChange:
    """One thing that is different, as a reader sees it. `path` leads there in the new value, of removed parts in the
    old one; `label` says the same with names of elements instead of their numbers."""

    act: Act
    path: Path
    label: str
    old: Any = None
    new: Any = None


def same(left: Any, right: Any) -> bool:
    """Whether two JSON values are equal in every respect: 1, 1.0 and true differ, and so does the order of keys."""
    if left is right:
        return True
    if type(left) is not type(right):
        return False
    if isinstance(left, dict):
        return list(left) == list(right) and all(same(value, right[key]) for key, value in left.items())
    if isinstance(left, list):
        return len(left) == len(right) and all(map(same, left, right))
    return bool(left == right)


def compare(old: Any, new: Any) -> Delta | None:
    """What is different; None where nothing is."""
    if same(old, new):
        return None
    if isinstance(old, dict) and isinstance(new, dict):
        keys = list(new)
        places = {key: place for place, key in enumerate(old)}
        pairs = [(places[key], place) for place, key in enumerate(keys) if key in places]
        return _inside(list(old), list(old.values()), keys, list(new.values()), pairs, in_list=False)
    if isinstance(old, list) and isinstance(new, list):
        names, new_names, pairs = _list_pairs(old, new)
        return _inside(names, old, new_names, new, pairs, in_list=True)
    return Put(old, new)


def apply(delta: Delta | None, value: Any) -> Any:
    """The new value, made of the old one."""
    if delta is None:
        return value
    if isinstance(delta, Put):
        return delta.new
    items: list[Any] = value if delta.in_list else list(value.items())
    parts = {part.before: part for part in delta.parts if part.before is not None}
    kept = [_applied(parts.get(place), item) for place, item in enumerate(items) if _stays(parts.get(place))]
    for part in sorted((part for part in delta.parts if part.is_moved or part.before is None), key=_after):
        item = items[part.before] if part.before is not None else (part.step, None)
        if part.before is None and delta.in_list:
            item = None
        kept.insert(_after(part), _applied(part, item))
    return kept if delta.in_list else dict(kept)


def inverse(delta: Delta | None) -> Delta | None:
    """What makes the old value of the new one."""
    if delta is None:
        return None
    if isinstance(delta, Put):
        return Put(delta.new, delta.old)
    parts = (Part(each.step, each.after, each.before, inverse(each.inner), each.is_moved) for each in delta.parts)
    return Inside(tuple(parts), delta.in_list)


def _after(part: Part) -> int:
    return part.after if part.after is not None else -1  # What went comes first.


def _stays(part: Part | None) -> bool:
    return part is None or not (part.is_moved or part.after is None)


def _applied(part: Part | None, item: Any) -> Any:
    """An element of a list, or a key with its value, with what is different in it."""
    if part is None or part.inner is None:
        return item
    return (item[0], apply(part.inner, item[1])) if isinstance(item, tuple) else apply(part.inner, item)


def _inside(
    old_names: Sequence[str], old: list[Any], new_names: Sequence[str], new: list[Any], pairs: Pairs, *, in_list: bool
) -> Inside:
    jumping, stay, present = moved(pairs), {left for left, _ in pairs}, {right for _, right in pairs}
    parts = [Part(old_names[at], at, None, Put(old[at], None)) for at in range(len(old)) if at not in stay]
    parts.extend(Part(new_names[at], None, at, Put(None, new[at])) for at in range(len(new)) if at not in present)
    for left, right in pairs:
        inner = compare(old[left], new[right])
        if inner is not None or right in jumping:
            parts.append(Part(new_names[right], left, right, inner, right in jumping))
    return Inside(tuple(sorted(parts, key=lambda part: (_after(part), part.before or 0))), in_list)


def _list_pairs(old: list[Any], new: list[Any]) -> tuple[list[str], list[str], Pairs]:
    """What the elements of two lists are called, and which of them belong together."""
    field = naming(old, new)
    pairs = list_pairs(old, new, field)
    if field is not None:
        return [item[field] for item in old], [item[field] for item in new], pairs
    return [str(at) for at in range(len(old))], [str(at) for at in range(len(new))], pairs


def naming(*lists: list[Any]) -> str | None:
    """The key under which every element of these lists has a name of its own; None where there is none."""
    return next((name for name in NAMES if all(_names(items, name) for items in lists)), None)


def list_pairs(old: list[Any], new: list[Any], field: str | None) -> Pairs:
    """Which elements of two lists belong together: by their names under `field`, else by what they say and where."""
    if field is not None:
        pairs = paired([item[field] for item in old], [item[field] for item in new])
        return [*pairs, *renamed(old, new, pairs, field)]
    return _filled(aligned([repr(item) for item in old], [repr(item) for item in new]), len(old), len(new))


def _names(items: list[Any], field: str) -> bool:
    """Whether every element has a name of its own there."""
    names = [item.get(field) if isinstance(item, dict) else None for item in items]
    return all(isinstance(name, str) and name for name in names) and len(set(names)) == len(names)


def _filled(pairs: Pairs, old: int, new: int) -> Pairs:
    """What lies between equal elements on both sides belongs together in its order."""
    found, ends = list(pairs), [(-1, -1), *pairs, (old, new)]
    for (left, right), (next_left, next_right) in zip(ends, ends[1:], strict=False):
        both = min(next_left - left, next_right - right)
        found.extend((left + more, right + more) for more in range(1, both))
    return found


def renamed(old: Sequence[Any], new: Sequence[Any], pairs: Pairs, field: str) -> Iterator[tuple[int, int]]:
    """Pairs among the mappings that have no partner yet: those that say the same, or most of it, under another name."""
    taken_old, taken_new = {left for left, _ in pairs}, {right for _, right in pairs}
    left = {at: _texts(item, field) for at, item in enumerate(old) if at not in taken_old}
    right = {at: _texts(item, field) for at, item in enumerate(new) if at not in taken_new}
    wholes = [tuple(sorted(texts.items())) for texts in left.values()]
    places, new_places = list(left), list(right)
    for one, other in paired(wholes, [tuple(sorted(texts.items())) for texts in right.values()]):
        if left[places[one]]:
            del left[places[one]], right[new_places[other]]
            yield places[one], new_places[other]
    if len(left) * len(right) <= MANY_COMPARISONS:
        for at, texts in left.items():
            best = max(right, key=lambda other: likeness(texts, right[other]), default=None)
            if best is not None and likeness(texts, right[best]) >= ALIKE:
                del right[best]
                yield at, best


def _texts(document: dict[str, Any], field: str) -> dict[str, str]:
    return {key: repr(value) for key, value in document.items() if key != field}


def likeness(left: dict[str, str], right: dict[str, str]) -> float:
    """Which part of two documents is the same, 0 to 1, measured in text."""
    total = sum(map(len, left.values())) + sum(map(len, right.values()))
    return 2 * sum(len(text) for key, text in left.items() if right.get(key) == text) / total if total else 0.0


def fields(delta: Delta | None, path: Path = (), label: str = "") -> Iterator[FieldChange]:
    """What is different, one field after the other, as deep as names lead."""
    if delta is None:
        return
    if isinstance(delta, Put):
        yield FieldChange(Act.CHANGED, path, label, delta.old, delta.new)
        return
    for part in delta.parts:
        yield from _of_part(part, delta.in_list, path, label)


def _of_part(part: Part, in_list: bool, path: Path, label: str) -> Iterator[FieldChange]:
    place = part.after if part.after is not None else part.before
    below: Path = (*path, place if in_list and place is not None else part.step)
    name = f"{label}[{part.step}]" if in_list else f"{label}.{part.step}" if label else part.step
    if part.after is None and isinstance(part.inner, Put):
        yield FieldChange(Act.REMOVED, below, name, old=part.inner.old)
    elif part.before is None and isinstance(part.inner, Put):
        yield FieldChange(Act.ADDED, below, name, new=part.inner.new)
    else:
        if part.is_moved:
            yield FieldChange(Act.MOVED, below, name, part.before, part.after)
        yield from fields(part.inner, below, name)
