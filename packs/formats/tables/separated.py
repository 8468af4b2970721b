"""CSV and its relatives: cells between tabs, commas or semicolons."""

import csv
import io
import re
from collections.abc import Iterator
from typing import Any

from packs.formats.tables.formulas import original
from packs.formats.tables.table import Table, Trouble
from packs.formats.tables.texts import plain

MAX_FIELD = 8 * 1024 * 1024
csv.field_size_limit(MAX_FIELD)

# Lines that say what separates the cells.
MAX_LOOKED = 20
_QUOTED = re.compile(r'"[^"]*"')
# Spreadsheets may say in a line of its own what separates the cells.
_STATED = re.compile(r'"?sep=([,;\t|])"?\n', re.IGNORECASE)
UNCLOSED = "A quotation mark opens a cell here and nothing closes it."


def read_separated(text: str, *, has_names: bool) -> Table:
    """The table of a text. Columns without a name are called by their number from 1, and each further one of the same
    name by both; those that have neither a name nor a cell are left out. Never raises."""
    text = plain(text)
    stated = _STATED.match(text)
    delimiter = stated.group(1) if stated else _delimiter(text)
    body, first = (text[stated.end() :], 2) if stated else (text, 1)
    troubles: list[Trouble] = []
    found = list(_records(body, delimiter, first, troubles))
    if not found:
        return Table((), (), tuple(troubles))
    troubles += _unclosed(body, delimiter, first, found)
    width = max(len(record) for _, record in found)
    names = [original(name.strip()) for name in found.pop(0)[1]] if has_names else []
    names += [""] * (width - len(names))
    records = [(line, [*map(original, record), *[""] * (width - len(record))]) for line, record in found]
    kept = [at for at, name in enumerate(names) if name or any(record[at] for _, record in records)]
    told_apart = list(_distinguished(names))
    rows = tuple((line, tuple(record[at] for at in kept)) for line, record in records)
    return Table(tuple(told_apart[at] for at in kept), rows, tuple(troubles))


def _delimiter(text: str) -> str:
    """Tabs in the first line make a text tab-separated, else what there is more of outside of quotation marks. Where
    it has nothing of the kind, what all further lines have as often; else the text is one column, commas and all."""
    first, *further = [_QUOTED.sub("", line) for line in text.lstrip("\n").split("\n", MAX_LOOKED)[:MAX_LOOKED]]
    if "\t" in first:
        return "\t"
    if marks := [mark for mark in ",;|" if mark in first]:
        return max(marks, key=first.count)
    for mark in "\t;,|":
        counts = {line.count(mark) for line in further if line.strip()}
        if len(counts) == 1 and counts != {0}:
            return mark
    return "\t"


def _distinguished(names: list[str]) -> Iterator[str]:
    seen: set[str] = set()
    for number, name in enumerate(names, 1):
        reported = name or str(number)
        while reported in seen:
            reported = f"{reported} ({number})"
        seen.add(reported)
        yield reported


def _records(text: str, delimiter: str, first: int, troubles: list[Trouble]) -> Iterator[tuple[int, list[str]]]:
    """The records that hold a text, with the numbers of their lines, of which the text begins with `first`."""
    reader: Any = csv.reader(io.StringIO(text), delimiter=delimiter)
    line = first
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
        line = reader.line_num + first


def _unclosed(text: str, delimiter: str, first: int, found: list[tuple[int, list[str]]]) -> Iterator[Trouble]:
    """The last record, where a quotation mark in it took in all lines that follow."""
    line = found[-1][0]
    rest = text.split("\n", line - first)[-1]
    try:
        for _ in csv.reader(io.StringIO(rest), delimiter=delimiter, strict=True):
            pass
    except csv.Error as error:
        if "unexpected end" in str(error):
            yield Trouble(line, UNCLOSED)
