"""The few pointer edits that turn one document into another: how the YAML lens and imports become edits."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any

from packs.editing.pointers import same
from packs.editing.values import ABSENT

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


def single_steps(old: Any, new: Any, steps: tuple[str, ...] = ()) -> Iterator[Difference]:
    """The same edits however many there are."""
    if same(old, new):
        return
    if isinstance(old, dict) and isinstance(new, dict):
        yield from _of_mappings(old, new, steps)
    elif isinstance(old, list) and isinstance(new, list):
        yield from _of_lists(old, new, steps)
    else:
        yield Difference(steps, new)


def _of_mappings(old: dict[str, Any], new: dict[str, Any], steps: tuple[str, ...]) -> Iterator[Difference]:
    if [key for key in old if key in new] != [key for key in new if key in old]:
        yield Difference(steps, new)
        return
    for key in old:
        if key not in new:
            yield Difference((*steps, key), ABSENT)
    for index, (key, value) in enumerate(new.items()):
        if key in old:
            yield from single_steps(old[key], value, (*steps, key))
        else:
            yield Difference((*steps, key), value, index=index)


def _of_lists(old: list[Any], new: list[Any], steps: tuple[str, ...]) -> Iterator[Difference]:
    start, old_end, new_end = 0, len(old), len(new)
    while start < min(old_end, new_end) and same(old[start], new[start]):
        start += 1
    while min(old_end, new_end) > start and same(old[old_end - 1], new[new_end - 1]):
        old_end, new_end = old_end - 1, new_end - 1
    both = min(old_end, new_end)
    for index in range(start, both):
        yield from single_steps(old[index], new[index], (*steps, str(index)))
    for index in range(old_end - 1, both - 1, -1):
        yield Difference((*steps, str(index)), ABSENT)
    for index in range(both, new_end):
        yield Difference((*steps, str(index)), new[index], insert=True)
