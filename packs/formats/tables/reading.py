"""From the bytes of a table, whatever they are, to names and records."""

from typing import IO, Any

from packs.formats.tables.columnar import MARK, read_parquet
from packs.formats.tables.objects import is_array, is_lines, read_array, read_lines
from packs.formats.tables.separated import read_separated
from packs.formats.tables.table import Table
from packs.formats.tables.texts import decoded

# Records that stand for the others where only the beginning of a table is read.
FIRST = 200


def read_table(data: bytes | str, *, has_names: bool = True) -> Table:
    """The table of a file or a text: Parquet by its first bytes, JSON where it begins with an object or with a list of
    objects, else CSV. `has_names` says whether the first line of CSV holds names. Never raises."""
    if isinstance(data, bytes) and data.startswith(MARK):
        return read_parquet(data).table()
    return _of_text(data if isinstance(data, str) else decoded(data), has_names=has_names)


def read_beginning(stream: IO[Any], size: int, *, has_names: bool = True) -> Table:
    """The table that the first bytes of a file hold, up to the end of a line. Parquet is read whole: its end says what
    stands where."""
    data = stream.read(size)
    if data.startswith(MARK):
        return read_parquet(data + stream.read(), FIRST).table()
    text = decoded(data, is_beginning=True)
    if len(data) == size and "\n" in text:
        text = text[: text.rindex("\n")]
    return _of_text(text, has_names=has_names, is_beginning=len(data) == size)


def _of_text(text: str, *, has_names: bool, is_beginning: bool = False) -> Table:
    text = text.removeprefix("\ufeff")
    if is_array(text):
        return read_array(text, is_beginning=is_beginning).table()
    return read_lines(text).table() if is_lines(text) else read_separated(text, has_names=has_names)
