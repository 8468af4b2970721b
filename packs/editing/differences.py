"""The few pointer edits that turn one document into another: how the YAML lens and imports become edits."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any

from packs.editing.values import ABSENT
from packs.formats.comparing import Delta, Inside, Put, compare

# Each edit copies what is around it: more of them than this are one edit of the whole document.
MANY = 500


@dataclass(frozen=True, slots=True)
class Difference:
    """One step on the way; the fields mean what they mean in `Change`."""

    steps: tuple[str, ...]
    value: Any
    insert: bool = False
    index: int | None = None


def differences(old: Any, new: Any) -> list[Difference]:
    """Edits that, made one after the other, turn `old` into `new` exactly, the order of keys included."""
    found = list(islice(single_steps(old, new), MANY + 1))
    return found if len(found) <= MANY else [Difference((), new)]


def single_steps(old: Any, new: Any) -> Iterator[Difference]:
    """The same edits however many there are."""
    delta = compare(old, new)
    if delta is not None:
        yield from _steps(delta, new, ())


def _steps(delta: Delta, new: Any, steps: tuple[str, ...]) -> Iterator[Difference]:
    """The edits that a difference stands for; `new` is the value that they lead to."""
    if isinstance(delta, Put) or (not delta.in_list and any(part.is_moved for part in delta.parts)):
        yield Difference(steps, new)
    elif delta.in_list:
        yield from _in_list(delta, new, steps)
    else:
        yield from _in_mapping(delta, new, steps)


def _in_mapping(delta: Inside, new: dict[str, Any], steps: tuple[str, ...]) -> Iterator[Difference]:
    for part in delta.parts:
        below = (*steps, part.step)
        if part.after is None:
            yield Difference(below, ABSENT)
        elif part.before is None:
            yield Difference(below, new[part.step], index=part.after)
        elif part.inner is not None:
            yield from _steps(part.inner, new[part.step], below)


def _in_list(delta: Inside, new: list[Any], steps: tuple[str, ...]) -> Iterator[Difference]:
    """First what changes in its place, then what leaves, from the end, then what comes, from the beginning."""
    for part in delta.parts:
        if part.before is not None and part.after is not None and part.inner is not None and not part.is_moved:
            yield from _steps(part.inner, new[part.after], (*steps, str(part.before)))
    leaving = [part.before for part in delta.parts if part.before is not None and (part.is_moved or part.after is None)]
    for place in sorted(leaving, reverse=True):
        yield Difference((*steps, str(place)), ABSENT)
    for part in delta.parts:
        if part.after is not None and (part.is_moved or part.before is None):
            yield Difference((*steps, str(part.after)), new[part.after], insert=True)
