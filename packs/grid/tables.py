"""Tables that become cases: of spreadsheets, tab- or comma-separated, or JSON Lines; and cases as a table."""

import csv
import io
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from packs.formats.findings import to_pointer
from packs.grid.cells import plain, shown
from packs.grid.columns import Column, value_in
from packs.grid.formulas import harmless, original
from packs.grid.lines import is_lines, read_lines
from packs.models import Case

MAX_FIELD = 8 * 1024 * 1024
csv.field_size_limit(MAX_FIELD)


@dataclass(frozen=True, slots=True)
class Trouble:
    """A line that cannot become a case or change one, or that would bring an error."""

    line: int
    reason: str


@dataclass(frozen=True, slots=True)
class Table:
    """Names, and records with the number of the line at which each begins, with a cell for every name.

    Cells are texts. Those of JSON Lines are JSON values (ABSENT for none), and `pointers` are the places in a record
    that the names stand for. `troubles` are the lines that could not be read.
    """

    names: tuple[str, ...]
    records: tuple[tuple[int, tuple[Any, ...]], ...]
    troubles: tuple[Trouble, ...] = ()
    pointers: tuple[str, ...] = ()


def read_table(text: str, *, has_names: bool = True) -> Table:
    """The table of a text: JSON Lines where it begins with an object, else CSV. Never raises.

    Tabs in its first line make a text tab-separated, else semicolons or commas. Columns without a name are called by
    their number from 1, and each further one of the same name by both.
    """
    text = text.removeprefix("\ufeff")
    if is_lines(text):
        lines = read_lines(text)
        troubles = tuple(Trouble(line, reason) for line, reason in lines.errors)
        return Table(tuple(lines.names), lines.records, troubles, tuple(map(to_pointer, lines.places)))
    return _read_csv(text, has_names)


def _read_csv(text: str, has_names: bool) -> Table:
    first = text.partition("\n")[0]
    delimiter = "\t" if "\t" in first else ";" if first.count(";") > first.count(",") else ","
    reader, troubles = csv.reader(io.StringIO(plain(text)), delimiter=delimiter), list[Trouble]()
    found = list(_records(reader, troubles))
    if not found:
        return Table((), (), tuple(troubles))
    width = max(len(record) for _, record in found)
    names = found.pop(0)[1] if has_names else []
    names = list(_distinguished([*(original(name.strip()) for name in names), *[""] * (width - len(names))]))
    records = tuple((line, (*map(original, record), *[""] * (width - len(record)))) for line, record in found)
    return Table(tuple(names), records, tuple(troubles))


def _distinguished(names: list[str]) -> Iterator[str]:
    seen: set[str] = set()
    for number, name in enumerate(names, 1):
        reported = name or str(number)
        while reported in seen:
            reported = f"{reported} ({number})"
        seen.add(reported)
        yield reported


def _records(reader: Any, troubles: list[Trouble]) -> Iterator[tuple[int, list[str]]]:
    line = 1
    while True:
        try:
            record = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            troubles.append(Trouble(line, f"This line is not valid CSV: {error}."))
            record = []
        if any(cell.strip() for cell in record):
            yield line, record
        line = reader.line_num + 1


class _Echo:
    """A file that gives back what is written to it."""

    def write(self, text: str) -> str:
        return text


def csv_lines(columns: Sequence[Column], cases: Iterable[Case]) -> Iterator[bytes]:
    """Cases as the lines of a CSV file, UTF-8, with the columns' names first. No cell is one that spreadsheets run."""
    write = csv.writer(_Echo(), lineterminator="\r\n").writerow
    yield b"\xef\xbb\xbf" + str(write([harmless(column.name) for column in columns])).encode()
    for case in cases:
        texts = [harmless(shown(value_in(case.document, column.pointer))) for column in columns]
        yield str(write(texts)).encode("utf-8", "replace")
