"""Tables from spreadsheets as cases, and cases as a table: tab- or comma-separated, with names in the first line."""

import csv
import io
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from packs.editing.pointers import replaced, require_json
from packs.editing.values import ABSENT, Change, EditRefused
from packs.formats.document import Document, NodeKind
from packs.formats.findings import Severity, from_pointer, to_pointer
from packs.grid.cells import plain, shown
from packs.grid.changing import CHECKED, Refusal, change_at, findings_at, new_findings, schema_of, typed
from packs.grid.columns import Column, value_in
from packs.mirror import column_text
from packs.models import SPACING, Case, InputSet, Pack

MAX_FIELD = 8 * 1024 * 1024
LISTED = 20
csv.field_size_limit(MAX_FIELD)


@dataclass(frozen=True, slots=True)
class Table:
    """Names, and records with the number of the line at which each begins. Records have as many texts as there are
    names."""

    names: tuple[str, ...]
    records: tuple[tuple[int, tuple[str, ...]], ...]


def read_table(text: str, *, has_names: bool = True) -> Table:
    """The table of a text; tabs in its first line make it tab-separated, else semicolons or commas. Never raises.

    Columns without a name are called by their number from 1, and each further one of the same name by both.
    """
    text = text.removeprefix("\ufeff")
    first = text.partition("\n")[0]
    delimiter = "\t" if "\t" in first else ";" if first.count(";") > first.count(",") else ","
    reader = csv.reader(io.StringIO(plain(text)), delimiter=delimiter)
    found = list(_records(reader))
    if not found:
        return Table((), ())
    width = max(len(record) for _, record in found)
    names = found.pop(0)[1] if has_names else []
    names = list(_told_apart([*(name.strip() for name in names), *[""] * (width - len(names))]))
    return Table(tuple(names), tuple((line, (*record, *[""] * (width - len(record)))) for line, record in found))


def _told_apart(names: list[str]) -> Iterator[str]:
    seen: set[str] = set()
    for number, name in enumerate(names, 1):
        told = name or str(number)
        while told in seen:
            told = f"{told} ({number})"
        seen.add(told)
        yield told


def _records(reader: Any) -> Iterator[tuple[int, list[str]]]:
    line = 1
    while True:
        try:
            record = next(reader)
        except StopIteration:
            return
        except csv.Error:
            record = []
        if any(cell.strip() for cell in record):
            yield line, record
        line = reader.line_num + 1


def guessed(names: Sequence[str], columns: Mapping[str, Column], known: Mapping[str, str]) -> dict[str, str]:
    """The column that each name most likely stands for: as mapped before, by its written name, by its title."""
    by_name = {column.name.lower(): pointer for pointer, column in columns.items()}
    by_title: dict[str, str] = {}
    for pointer, column in columns.items():
        by_title.setdefault(column.title.lower(), pointer)
        by_title.setdefault(column.name.rpartition(".")[2].lower(), pointer)
    found: dict[str, str] = {}
    for name in names:
        remembered = known.get(name)
        word = name.lower()
        pointer = remembered if remembered is not None else by_name.get(word) or by_title.get(word) or ""
        found[name] = "" if pointer in found.values() else pointer
    return found


@dataclass(slots=True)
class Trouble:
    """A record that cannot become a case, or change one."""

    line: int
    reason: str


@dataclass(frozen=True, slots=True)
class Arrival:
    """A record as the document of a case: of one that is there, or of a new one."""

    line: int
    document: Document
    case: Case | None = None


@dataclass(slots=True)
class Merged:
    """What a table would do to a set: cases that come, changes of those that are there, records that cannot.

    `changed` counts cases, `changes` are single values of them. `first` are those that come or change first; `broken`
    tells which of them would have errors that they have not now, once `look_ahead` has checked them.
    """

    added: list[Document] = field(default_factory=list)
    changes: list[Change] = field(default_factory=list)
    changed: int = 0
    unchanged: int = 0
    skipped: int = 0
    refused: int = 0
    troubles: list[Trouble] = field(default_factory=list)
    first: list[Arrival] = field(default_factory=list)
    broken: list[Trouble] = field(default_factory=list)

    def arrive(self, arrival: Arrival) -> None:
        if len(self.first) < CHECKED:
            self.first.append(arrival)

    def refuse(self, line: int, reason: str) -> None:
        self.refused += 1
        if len(self.troubles) < LISTED:
            self.troubles.append(Trouble(line, reason))

    @property
    def is_empty(self) -> bool:
        return not (self.added or self.changes)


@dataclass(frozen=True, slots=True)
class Merge:
    """How a table goes into a set: `mapping` leads from names to pointers, `key` is where cases state their key.

    Records whose key a case of the set has change that case, or with `adds_only` are left out.
    """

    pack: Pack
    input_set: InputSet
    mapping: Mapping[str, str]
    key: str
    adds_only: bool = False

    def of(self, table: Table, tick: Callable[[int], None] = lambda _: None) -> Merged:
        """What the table would do. `tick` is told now and then how many records were looked at."""
        pointers = [self.mapping.get(name, "") for name in table.names]
        present = self._present(table, pointers)
        found = Merged()
        for number, (line, record) in enumerate(table.records):
            if number % 1000 == 0:
                tick(number)
            cells = [(pointer, text) for pointer, text in zip(pointers, record, strict=True) if pointer]
            try:
                self._take(found, present, line, cells)
            except (Refusal, EditRefused) as refusal:
                found.refuse(line, refusal.message)
        return found

    def _present(self, table: Table, pointers: list[str]) -> dict[str, Case]:
        """The cases of the set that the table names by their keys."""
        if not self.key or self.key not in pointers:
            return {}
        at = pointers.index(self.key)
        keys = list(dict.fromkeys(column_text(record[at].strip()) for _, record in table.records))
        found: dict[str, Case] = {}
        for start in range(0, len(keys), 500):
            rows = Case.objects.filter(input_set=self.input_set, key__in=keys[start : start + 500])
            for row in rows.order_by("-position"):
                found[row.key] = row
        found.pop("", None)
        return found

    def _take(self, found: Merged, present: Mapping[str, Case], line: int, cells: list[tuple[str, str]]) -> None:
        key = next((text.strip() for pointer, text in cells if pointer == self.key), "")
        case = present.get(column_text(key)) if key else None
        if case is None:
            document = self._filled({}, cells)
            require_json(document)
            found.added.append(document)
            found.arrive(Arrival(line, document))
        elif self.adds_only:
            found.skipped += 1
        else:
            document = self._filled(case.document, [cell for cell in cells if cell[0] != self.key])
            require_json(document)
            changes = list(_leading(case.pk, case.document, document))
            found.changes += changes
            found.changed += bool(changes)
            if changes:
                found.arrive(Arrival(line, document, case))
            found.unchanged += not changes

    def _filled(self, document: Document, cells: list[tuple[str, str]]) -> Document:
        """A document with the texts of a record. Governing fields come first: the others' schemas follow them."""
        for pointer, text in sorted(cells, key=lambda cell: cell[0].count("/")):
            schema = schema_of(self.pack, document)
            value = typed(schema, document, pointer, text)
            change = change_at(schema, document, pointer, value)
            if change is not None:
                document = replaced(document, from_pointer(change[0]), change[1])
        return document


def look_ahead(merge: Merge, found: Merged) -> None:
    """Check the first cases as they would be, and note the lines of those that would have new errors."""
    parent = merge.input_set.position
    last = Case.objects.filter(input_set=merge.input_set).order_by("-position").values_list("position", flat=True)
    end = (last.first() or 0) + SPACING
    for arrival in found.first:
        if arrival.case is None:
            findings = findings_at(merge.pack, arrival.document, parent, end)
        else:
            arrival.case.input_set = merge.input_set
            findings = new_findings(merge.pack, arrival.case, arrival.document)
        errors = [finding.message for finding in findings if finding.severity is Severity.ERROR]
        if errors:
            found.broken.append(Trouble(arrival.line, errors[0]))


def _leading(node: int, old: Document, new: Document) -> Iterator[Change]:
    """The changes of top fields that lead from one document of a case to another."""
    for name in dict.fromkeys([*old, *new]):
        if old.get(name, ABSENT) is not new.get(name, ABSENT):
            yield Change(NodeKind.CASE, node, to_pointer((name,)), new.get(name, ABSENT))


class _Echo:
    """A file that gives back what is written to it."""

    def write(self, text: str) -> str:
        return text


def csv_lines(columns: Sequence[Column], cases: Iterable[Case]) -> Iterator[bytes]:
    """Cases as the lines of a CSV file, UTF-8, with the columns' names first."""
    write = csv.writer(_Echo(), lineterminator="\r\n").writerow
    yield b"\xef\xbb\xbf" + str(write([column.name for column in columns])).encode()
    for case in cases:
        texts = [shown(value_in(case.document, column.pointer)) for column in columns]
        yield str(write(texts)).encode("utf-8", "replace")
