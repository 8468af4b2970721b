"""JSON Lines as a table: each object is a record, and the values inside of it stand in columns of their own."""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from packs.editing.values import ABSENT
from packs.formats import jsonio
from packs.formats.document import Document
from packs.formats.findings import to_pointer

_BEGINS = re.compile(r'\s*\{\s*["}]')
Steps = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Lines:
    """The objects of JSON Lines by the number of their line; `places` are all at which one of them has a value."""

    places: tuple[Steps, ...]
    records: tuple[tuple[int, tuple[Any, ...]], ...]
    errors: tuple[tuple[int, str], ...]

    @property
    def names(self) -> Iterator[str]:
        """The places as people write them; where two would read the same, as JSON Pointers."""
        count = Counter(map(".".join, self.places))
        return (name if name and count[name] == 1 else to_pointer(place) for place, name in self._named())

    def _named(self) -> Iterator[tuple[Steps, str]]:
        return ((place, ".".join(place)) for place in self.places)


def is_lines(text: str) -> bool:
    """Whether a text begins as JSON Lines do: with an object."""
    return _BEGINS.match(text) is not None


def read_lines(text: str) -> Lines:
    """What stands in JSON Lines; a record has ABSENT where its object has no value. Never raises."""
    found, errors = [], []
    for row in jsonio.read_lines(line.encode("utf-8", "surrogatepass") for line in text.split("\n")):
        trouble = next((finding.message for finding in row.findings if finding.is_error), "")
        if isinstance(row.value, dict) and not trouble:
            found.append((row.line, dict(_leaves(row.value, ()))))
        else:
            errors.append((row.line, trouble or "This line is not a JSON object."))
    places = tuple(dict.fromkeys(place for _, leaves in found for place in leaves))
    records = tuple((line, tuple(leaves.get(place, ABSENT) for place in places)) for line, leaves in found)
    return Lines(places, records, tuple(errors))


def _leaves(value: Document, steps: Steps) -> Iterator[tuple[Steps, Any]]:
    """The values of an object, and of the objects in it, with the names that lead there."""
    for name, item in value.items():
        if isinstance(item, dict) and item:
            yield from _leaves(item, (*steps, name))
        else:
            yield (*steps, name), item
