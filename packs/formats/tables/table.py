"""What a table is, whatever it was read from."""

from dataclasses import dataclass
from typing import Any

from packs.formats.findings import Rule

BAD_ROW = Rule("table.E001", "{reason}", hint="Fix this line of the table and take the table again.")
BAD_TABLE = Rule("table.E003", "{reason}")
BROKEN_NODE = Rule("table.E002", "With this table {name!r} would have an error: {reason}")


@dataclass(frozen=True, slots=True)
class Trouble:
    """A line that cannot become a case or change one, or that would bring an error; 0 stands for the whole table."""

    line: int
    reason: str


@dataclass(frozen=True, slots=True)
class Table:
    """Names, and records with the number of the line at which each begins, with a cell for every name.

    Cells are texts. Those of JSON and Parquet are JSON values (ABSENT for none), and `pointers` are the places in a
    record that the names stand for. `troubles` are the lines that could not be read, `note` is what people should know
    about how the others were.
    """

    names: tuple[str, ...]
    records: tuple[tuple[int, tuple[Any, ...]], ...]
    troubles: tuple[Trouble, ...] = ()
    pointers: tuple[str, ...] = ()
    note: str = ""
