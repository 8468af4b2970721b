"""Cases as a table: the lines of a CSV file. `packs.formats.tables` reads tables."""

import csv
from collections.abc import Iterable, Iterator, Sequence

from packs.formats.tables.formulas import harmless
from packs.grid.cells import shown
from packs.grid.columns import Column, value_in
from packs.models import Case


class _Echo:
    """A file that gives back what is written to it."""

    def write(self, text: str) -> str:
        return text


def csv_lines(columns: Sequence[Column], cases: Iterable[Case]) -> Iterator[bytes]:
    """Cases as the lines of a CSV file, with the columns' names first."""
    rows = ([shown(value_in(case.document, column.pointer)) for column in columns] for case in cases)
    return table_lines([column.name for column in columns], rows)


def table_lines(names: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[bytes]:
    """Rows as the lines of a CSV file, UTF-8, with names first. No cell is one that spreadsheets run."""
    write = csv.writer(_Echo(), lineterminator="\r\n").writerow
    yield b"\xef\xbb\xbf" + str(write([harmless(name) for name in names])).encode()
    for texts in rows:
        yield str(write([harmless(text) for text in texts])).encode("utf-8", "replace")
