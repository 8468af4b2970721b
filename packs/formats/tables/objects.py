"""JSON as a table: each object is a record, and the values inside of it stand in columns of their own."""

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from packs.formats import jsonio
from packs.formats.comparing.merging import ABSENT
from packs.formats.document import Document
from packs.formats.findings import Finding, to_pointer
from packs.formats.tables.table import Table, Trouble

_BEGINS = re.compile(r'\s*\{\s*["}]')
_LISTS = re.compile(r"\s*\[\s*[{\]]")
_BLANK = re.compile(r"[ \t\n\r]*")
_OTHER_LISTS = re.compile(r'\s*\[\s*["\[\d]')
# How lists of rows are called in an object that is a cover around them.
_ROWS = {
    "cases",
    "data",
    "entries",
    "examples",
    "instances",
    "items",
    "questions",
    "records",
    "rows",
    "samples",
    "tests",
}
_COVERED = re.compile(rf'"(?:{"|".join(sorted(_ROWS))})"\s*:\s*(\[)\s*\{{', re.IGNORECASE)
_COVERS = re.compile(rf"\s*\{{\s*{_COVERED.pattern}", re.IGNORECASE)
# How far into a text a cover is looked for.
MAX_COVER = 2_000
NO_OBJECT = "This line is not a JSON object."
NO_OBJECTS = 'The elements of this JSON list are not objects. Write each row as {"question": "...", "answer": "..."}.'
Steps = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Objects:
    """The objects of a text by the number of their line; `places` are all at which one of them has a value."""

    places: tuple[Steps, ...]
    records: tuple[tuple[int, tuple[Any, ...]], ...]
    errors: tuple[tuple[int, str], ...] = ()

    @property
    def names(self) -> Iterator[str]:
        """The places as people write them; where two would read the same, as JSON Pointers."""
        count = Counter(map(".".join, self.places))
        return (name if name and count[name] == 1 else to_pointer(place) for place, name in self._named())

    def _named(self) -> Iterator[tuple[Steps, str]]:
        return ((place, ".".join(place)) for place in self.places)

    def table(self) -> Table:
        troubles = tuple(Trouble(line, reason) for line, reason in self.errors)
        return Table(tuple(self.names), self.records, troubles, tuple(map(to_pointer, self.places)))


def is_lines(text: str) -> bool:
    """Whether a text begins as JSON Lines do: with an object."""
    return _BEGINS.match(text) is not None


def is_array(text: str) -> bool:
    """Whether a text begins as a JSON array of objects does."""
    return _LISTS.match(text) is not None


def other_list(text: str) -> str:
    """Why a text that is a JSON array cannot be a table: its elements are no objects. Empty for every other text."""
    if not _OTHER_LISTS.match(text):
        return ""
    value, _ = jsonio.read(text)
    return NO_OBJECTS if isinstance(value, list) else ""


def read_one(text: str) -> Objects | None:
    """What stands in one object of several lines: its rows where it is a cover around them, such as
    `{"data": [...]}`, else itself. None where a line of the text is an object of its own. Never raises."""
    if _is_object(text.lstrip().partition("\n")[0]) and not _COVERS.match(text):
        return None
    value, findings = jsonio.read(text)
    if not isinstance(value, dict) or any(finding.is_error for finding in findings):
        return None
    rows = next((rows for name, rows in value.items() if name.lower() in _ROWS and _are_objects(rows)), [value])
    return gathered((number, row, []) for number, row in enumerate(rows, 1))


def covered(text: str) -> str:
    """The rows in the beginning of an object that is a cover around them, from their bracket on; else nothing."""
    found = None if _is_object(text.lstrip().partition("\n")[0]) else _COVERED.search(text[:MAX_COVER])
    return text[found.start(1) :] if found else ""


def _is_object(line: str) -> bool:
    value, findings = jsonio.read(line)
    return isinstance(value, dict) and not any(finding.is_error for finding in findings)


def _are_objects(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(item, dict) for item in value)


def read_lines(text: str) -> Objects:
    """What stands in JSON Lines; a record has ABSENT where its object has no value. Never raises."""
    lines = (line.encode("utf-8", "surrogatepass") for line in text.split("\n"))
    return gathered((row.line, row.value, row.findings) for row in jsonio.read_lines(lines))


def read_array(text: str, *, is_beginning: bool = False) -> Objects:
    """What stands in a JSON array, as of JSON Lines.

    Its elements have the numbers of the lines at which they begin, or, where two begin in one line, their own. A
    beginning may end anywhere; what is cut is left out. Never raises.
    """
    errors: list[tuple[int, str]] = []
    lines: list[int] = []
    found = gathered(_numbered(text, errors, lines))
    if len(set(lines)) == len(lines):
        found = replace(
            found,
            records=tuple((lines[number - 1], record) for number, record in found.records),
            errors=tuple((lines[number - 1], reason) for number, reason in found.errors),
        )
    else:
        errors = [(len(lines) + 1, reason) for _, reason in errors]
    if is_beginning:
        return found
    # An element that breaks the array has the reason of its own.
    every = dict(errors) | dict(found.errors)
    return replace(found, errors=tuple(sorted(every.items())))


def _numbered(text: str, errors: list[tuple[int, str]], lines: list[int]) -> Iterator[tuple[int, Any, list[Finding]]]:
    """The elements of an array by their own numbers; `lines` takes those of the lines at which they begin."""
    for line, part in _elements(text, errors):
        lines.append(line)
        yield len(lines), *jsonio.read(part)


def gathered(rows: Iterable[tuple[int, Any, list[Finding]]]) -> Objects:
    """The objects among values with their lines and with what reading them found."""
    found, errors = [], []
    for line, value, findings in rows:
        trouble = next((finding.message for finding in findings if finding.is_error), "")
        if isinstance(value, dict) and not trouble:
            found.append((line, dict(_leaves(value, ()))))
        else:
            errors.append((line, trouble or NO_OBJECT))
    places = tuple(dict.fromkeys(place for _, leaves in found for place in leaves))
    records = tuple((line, tuple(leaves.get(place, ABSENT) for place in places)) for line, leaves in found)
    return Objects(places, records, tuple(errors))


def _leaves(value: Document, steps: Steps) -> Iterator[tuple[Steps, Any]]:
    """The values of an object, and of the objects in it, with the names that lead there."""
    for name, item in value.items():
        if isinstance(item, dict) and item:
            yield from _leaves(item, (*steps, name))
        else:
            yield (*steps, name), item


def _elements(text: str, errors: list[tuple[int, str]]) -> Iterator[tuple[int, str]]:
    """The elements of an array as texts with the lines at which they begin; what follows a break is not reached."""
    decode = json.JSONDecoder().raw_decode
    at, counted, line = _after(text, text.index("[") + 1), 0, 1
    while text[at : at + 1] != "]":
        line, counted = line + text.count("\n", counted, at), at
        try:
            _, end = decode(text, at)
        except json.JSONDecodeError as error:
            errors.append((error.lineno, f"This is not valid JSON: {error.msg[:1].lower()}{error.msg[1:]}."))
            return
        except (RecursionError, ValueError):
            # Numbers of thousands of digits, and nesting without end: reading the element alone says which.
            end = len(text)
        yield line, text[at:end]
        at = _after(text, end)
        if text[at : at + 1] == ",":
            at = _after(text, at + 1)
        elif text[at : at + 1] != "]":
            errors.append((text.count("\n", 0, at) + 1, "This is not valid JSON: a comma or ] is missing."))
            return
    if text[at + 1 :].strip():
        errors.append((text.count("\n", 0, at) + 1, "This is not valid JSON: there is more after the array."))


def _after(text: str, at: int) -> int:
    """The next place that is not blank."""
    found = _BLANK.match(text, at)
    return found.end() if found else at
