"""A free mapping as rows of a key and a typed value, for people who do not want to write JSON.

A row that is sent back as it was shown keeps its value exactly, whatever its text could also mean.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any
from urllib.parse import quote, unquote

from packs.formats import yamlio
from packs.formats.document import Document
from packs.forms.conversions import WORDS
from packs.forms.encoding import is_plain, json_text, read_number

DIALECT = replace(yamlio.CORE_12, name="rows", text_keys=True)
# Rows that are read of one form at most.
MAX_ROWS = 500


class RowKind(StrEnum):
    """The types of a row's value; YAML says all that the others cannot."""

    TEXT = "text"
    NUMBER = "number"
    YES_NO = "yes_no"
    LIST = "list"
    YAML = "yaml"


LABELS = {
    RowKind.TEXT: "Text",
    RowKind.NUMBER: "Number",
    RowKind.YES_NO: "Yes or no",
    RowKind.LIST: "List, one a line",
    RowKind.YAML: "Nested, as YAML",
}


@dataclass(frozen=True, slots=True)
class MetadataRow:
    """A key with its value as text. `was` is the key under which the value stands; empty for a new row.

    `trouble` is what is wrong with the row: a code of `TROUBLES`.
    """

    key: str
    kind: RowKind
    text: str
    was: str = ""
    is_new: bool = False
    trouble: str = ""

    @property
    def height(self) -> int:
        """The lines that a text area for the value needs, at most 16."""
        return min(16, self.text.count("\n") + 1 + len(self.text) // 90)

    @property
    def origin(self) -> str:
        """The key under which the value stands, as no browser rewrites it."""
        return quote(self.was, safe="", errors="surrogatepass")

    @property
    def is_lines(self) -> bool:
        """Whether the value needs a field of several lines."""
        return self.kind in (RowKind.LIST, RowKind.YAML) or "\n" in self.text or len(self.text) > 120

    @property
    def message(self) -> str:
        return TROUBLES.get(self.trouble, "")


TROUBLES = {
    "no_key": "Give the value a key, or clear it.",
    "taken": "Another row has this key already.",
    "no_number": "This is not a number. Write it as 3 or 0.25, or choose another type.",
    "no_answer": "Write yes or no, or choose another type.",
    "no_yaml": "This cannot be read as YAML. Put texts with colons or brackets into quotes.",
}


def row_of(key: str, value: Any) -> MetadataRow:
    """A value as a row of the type that says it best."""
    if isinstance(value, bool):
        return MetadataRow(key, RowKind.YES_NO, "yes" if value else "no", key)
    if isinstance(value, int | float):
        return MetadataRow(key, RowKind.NUMBER, json_text(value), key)
    if isinstance(value, str) and is_plain(value):
        return MetadataRow(key, RowKind.TEXT, value, key)
    if isinstance(value, list) and all(isinstance(item, str) and _is_line(item) for item in value):
        return MetadataRow(key, RowKind.LIST, "\n".join(value), key)
    return MetadataRow(key, RowKind.YAML, _yaml(value), key)


def _is_line(text: str) -> bool:
    return is_plain(text) and bool(text.strip()) and text == text.strip() and "\n" not in text


def _yaml(value: Any) -> str:
    try:
        return yamlio.write(value, dialect=DIALECT).rstrip("\n")
    except yamlio.UnwritableError:
        return json_text(value)


def rows_of(mapping: Document) -> list[MetadataRow]:
    return [row_of(key, value) for key, value in mapping.items()]


def read_rows(data: Mapping[str, Any]) -> list[MetadataRow]:
    """The rows that a form sends as `key-0`, `kind-0`, `text-0` and `was-0` (not for new rows), counted on.

    Rows with `drop-0`, and new ones that were left empty, are none.
    """
    found = []
    for at in range(MAX_ROWS):
        if f"key-{at}" not in data:
            break
        key, text = str(data[f"key-{at}"]).strip(), _lines(str(data.get(f"text-{at}", "")))
        is_new = f"was-{at}" not in data
        if f"drop-{at}" in data or (is_new and not key and not text.strip()):
            continue
        kind = data.get(f"kind-{at}", "")
        kind = RowKind(kind) if kind in list(RowKind) else RowKind.TEXT
        was = unquote(str(data.get(f"was-{at}", "")), errors="surrogatepass")
        found.append(MetadataRow(key, kind, text, was, is_new))
    return found


def _lines(text: str) -> str:
    """A text with the ends of lines that documents have; browsers send two characters."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


def mapping_of(rows: list[MetadataRow], seen: Document) -> tuple[Document, list[MetadataRow]]:
    """The mapping that rows say, and the rows with what is wrong with them; `seen` is what the form was drawn from."""
    found: Document = {}
    reported = []
    for row in rows:
        trouble, value = "", None
        shown = row_of(row.was, seen[row.was]) if row.was in seen and not row.is_new else None
        if shown and (shown.kind, shown.text) == (row.kind, row.text):
            value = seen[row.was]
        else:
            value, trouble = _READERS[row.kind](row.text)
        # A key may be blank, or hold what no field of one line can, where the author did not touch it.
        key = row.was if shown and row.key == _lines(row.was).replace("\n", "").strip() else row.key
        if not key and not shown:
            trouble = "no_key"
        elif key in found:
            trouble = "taken"
        if not trouble:
            found[key] = value
        reported.append(replace(row, trouble=trouble))
    return found, reported


def _number(text: str) -> tuple[Any, str]:
    found = read_number(text)
    return found, "no_number" if isinstance(found, str) else ""


def _yes_no(text: str) -> tuple[Any, str]:
    found = WORDS.get(text.strip().lower()) if text.strip() else None
    return found, "no_answer" if found is None else ""


def _read_yaml(text: str) -> tuple[Any, str]:
    found, findings = yamlio.read(text, dialect=DIALECT)
    return found, "no_yaml" if findings else ""


_READERS = {
    RowKind.TEXT: lambda text: (text, ""),
    RowKind.NUMBER: _number,
    RowKind.YES_NO: _yes_no,
    RowKind.LIST: lambda text: ([line.strip() for line in text.split("\n") if line.strip()], ""),
    RowKind.YAML: _read_yaml,
}
