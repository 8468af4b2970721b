"""From the bytes of a table, whatever they are, to names and records."""

from dataclasses import replace
from typing import IO, Any

from packs.formats.looks import is_signed
from packs.formats.tables.assertions import note_on_assertions
from packs.formats.tables.columnar import MARK, read_parquet
from packs.formats.tables.objects import covered, is_array, is_lines, other_list, read_array, read_lines, read_one
from packs.formats.tables.separated import read_separated
from packs.formats.tables.table import Table, Trouble
from packs.formats.tables.texts import Text, decoded

# Records that stand for the others where only the beginning of a table is read.
FIRST = 200
# What workbooks begin with, and how many null characters among the first few hundred no text has.
_WORKBOOKS = (b"PK\x03\x04", b"\xd0\xcf\x11\xe0")
MANY_NULLS = 4
WORKBOOK = "This is a workbook or an archive, not a table. Save the sheet as CSV and import that."
NO_TEXT = "This is not a text file. Save the table as CSV, JSON or Parquet and import that."


def read_table(data: bytes | str, *, has_names: bool = True) -> Table:
    """The table of a file or a text: Parquet by its first bytes, JSON where it begins with an object or with a list of
    objects, else CSV. `has_names` says whether the first line of CSV holds names. Never raises."""
    if isinstance(data, str):
        return _of_text(Text(data), has_names=has_names)
    if data.startswith(MARK):
        return read_parquet(data).table()
    text = decoded(data)
    return _refused(data, text) or _of_text(text, has_names=has_names)


def read_beginning(stream: IO[Any], size: int, *, has_names: bool = True) -> Table:
    """The table that the first bytes of a file hold, up to the end of a line. Parquet is read whole: its end says what
    stands where."""
    data = stream.read(size)
    if data.startswith(MARK):
        return read_parquet(data + stream.read(), FIRST).table()
    text, note = decoded(data, is_beginning=True)
    if len(data) == size and "\n" in text:
        text = text[: text.rindex("\n")]
    found = Text(text, note)
    return _refused(data, found) or _of_text(found, has_names=has_names, is_beginning=len(data) == size)


def _refused(data: bytes, found: Text) -> Table | None:
    """What is said instead of a table of a file that is of another kind; None where it may be one."""
    is_other = is_signed(data) or found.text.count("\0", 0, FIRST) >= MANY_NULLS
    reason = WORKBOOK if data.startswith(_WORKBOOKS) else NO_TEXT if is_other else ""
    return Table((), (), (Trouble(0, reason),)) if reason else None


def _of_text(given: Text, *, has_names: bool, is_beginning: bool = False) -> Table:
    text = given.text.removeprefix("\ufeff")
    if is_array(text):
        found = read_array(text, is_beginning=is_beginning).table()
    elif is_beginning and (rows := covered(text)):
        found = read_array(rows, is_beginning=True).table()
    elif is_lines(text):
        found = (read_one(text) or read_lines(text)).table()
    elif reason := other_list(text):
        found = Table((), (), (Trouble(0, reason),))
    else:
        found = read_separated(text, has_names=has_names)
    return replace(found, note=" ".join(filter(None, (given.note, note_on_assertions(found)))))
