"""Lines of a rows file: to documents and back, quickly (benchmark-pack 3.1 and 13).

A line that is no row stays in the draft as `{"$line": text}`, so that nothing is lost and it can be fixed.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

import orjson

from packs.formats import jsonio
from packs.formats.benchmark_pack.schema import SCHEMA
from packs.formats.benchmark_pack.schema.families import EVAL, INPUT
from packs.formats.document import Document, NodeKind
from packs.formats.findings import Finding, Rule
from packs.formats.yamlio import MAX_DEPTH

KEY_REPEATED = Rule(
    "benchmark_pack.W002",
    "The key {key!r} stands twice in one object of this row; the last value is kept.",
    hint="Keep one of the two.",
)

LINE = "$line"
# Empty ones say no more than their absence.
SECTIONS: Mapping[str, Any] = {"input": {}, "assets": [], "eval": {}, "environment": {}, "metadata": {}}
ROW_KEYS = tuple(SCHEMA[NodeKind.CASE]["properties"])
_KEYS: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "input": {family: tuple(schema["properties"]) for family, schema in INPUT.items()},
    "eval": {family: tuple(schema["properties"]) for family, schema in EVAL.items()},
}


def lines_of(data: bytes) -> Iterator[tuple[int, bytes]]:
    """The lines that say something, stripped, with their numbers from 1; only line feeds end a line."""
    for number, start, end in spans_of(data):
        yield number, data[start:end].strip()


def spans_of(data: bytes) -> Iterator[tuple[int, int, int]]:
    """Where the lines are that say something: their numbers from 1, their first byte and the one behind their last."""
    start, number, size = 0, 0, len(data)
    while start < size:
        end = data.find(b"\n", start)
        end = size if end < 0 else end
        number += 1
        if not data[start:end].isspace() and end > start:
            yield number, start, end
        start = end + 1


def read_line(line: bytes) -> tuple[Document, list[Finding]]:
    """The document of one line, and what of the line it does not say: of equal keys the last counts.

    Raises UnicodeDecodeError.
    """
    if line.count(b"{") + line.count(b"[") <= MAX_DEPTH:
        try:
            value = orjson.loads(line)
        except orjson.JSONDecodeError:
            return raw(line), []
        if type(value) is dict and (orjson.dumps(value) == line or not read_closely(line)[1]):
            return (raw(line) if LINE in value else tidy(value)), []
    value, findings = read_closely(line)
    repeats = any(map(_repeats, findings))
    is_broken = any(finding.is_error and not _repeats(finding) for finding in findings)
    if type(value) is not dict or LINE in value or is_broken:
        return raw(line), []
    return tidy(orjson.loads(line) if repeats else value), [_described(finding) for finding in findings]


def _described(finding: Finding) -> Finding:
    if not _repeats(finding):
        return finding
    key = str(finding.path[-1])[:80] if finding.path else "?"
    return replace(KEY_REPEATED.at(finding.path, key=key), column=finding.column)


def read_closely(line: bytes) -> tuple[Any, list[Finding]]:
    """The value of a line and everything that is wrong with it as JSON."""
    row = next(jsonio.read_lines([line]), None)
    return (row.value, row.findings) if row else (None, [])


def _repeats(finding: Finding) -> bool:
    return finding.code == jsonio.DUPLICATE_KEY.code


def too_long_for(size: int) -> Finding | None:
    """What is said of a line with more bytes than any reader of rows takes."""
    return jsonio.TOO_LARGE.at((), size=size, limit=jsonio.MAX_LINE_BYTES) if size > jsonio.MAX_LINE_BYTES else None


def size_of(row: Document) -> int:
    """How many bytes a row has as JSON, also one that no line can say."""
    try:
        return len(orjson.dumps(row))
    except TypeError:
        return len(json.dumps(row))


def raw(line: bytes) -> Document:
    """A line that is no row, as a document. Raises UnicodeDecodeError."""
    return {LINE: line.decode()}


def tidy(row: Document) -> Document:
    """A row without the parts that say no more than their absence; the row itself where there are none."""
    for name, empty in SECTIONS.items():
        if name in row and (row[name] is None or (not row[name] and type(row[name]) is type(empty))):
            return _tidied(row)
    return _tidied(row) if "family" in row and row["family"] is None else row


def _tidied(row: Document) -> Document:
    return {
        name: part
        for name, part in row.items()
        if not (part is None and (name in SECTIONS or name == "family"))
        and not (name in SECTIONS and not part and type(part) is type(SECTIONS[name]))
    }


def ordered(row: Document, family: str) -> Document:
    """A row in canonical order: its own keys, and those of `input` and `eval` where the family has an order."""
    found = in_order(row, ROW_KEYS)
    for name, orders in _KEYS.items():
        part = found.get(name)
        if type(part) is dict and family in orders:
            found[name] = in_order(part, orders[family])
    return found


def in_order(document: Document, keys: Iterable[str]) -> Document:
    """A mapping with the given keys first, in their order; the others follow in their own."""
    return {**{key: document[key] for key in keys if key in document}, **document}


def write_row(row: Document, family: str) -> bytes:
    """The canonical line of a row, with a line feed; a line that is no row as it was."""
    text = row.get(LINE)
    if isinstance(text, str) and len(row) == 1:
        return b" ".join(text.encode().split(b"\n")) + b"\n"
    return jsonio.write(ordered(tidy(row), family))
