"""Tables of promptfoo, whose cells state a check where other tables have an answer."""

import re

from packs.formats.tables.table import Table

_COLUMN = re.compile(r"__expected\d*")
# The grammar of a cell: [not-]type[(threshold)][:value]; without a type it is the answer itself, such as an address.
_ASSERTION = re.compile(
    r"(?:not-)?(?:[a-z]+(?:-[a-z0-9]+)*(?:\(\d*\.?\d+\))?:(?!//)|(?:is|contains)-(?:json|html|sql|xml)$)|file://"
)
NOTE = (
    "The column {name!r} states assertions of promptfoo, first {text!r} in line {line}, and they are taken as answers "
    "as they stand. Leave only the answer in each cell, and choose how it is checked."
)
_SHOWN = 60


def note_on_assertions(table: Table) -> str:
    """What people should know about the first cell that states an assertion; empty where there is none."""
    columns = [at for at, name in enumerate(table.names) if _COLUMN.fullmatch(name)]
    for line, record in table.records if columns else ():
        for at in columns:
            text = record[at].strip() if isinstance(record[at], str) else ""
            if _ASSERTION.match(text):
                return NOTE.format(name=table.names[at], text=text[:_SHOWN], line=line)
    return ""
