"""The audit log as a file."""

import json
from collections.abc import Iterable, Iterator
from typing import Any

from packs.grid.tables import table_lines
from packs.models import AuditEvent

COLUMNS = ("id", "at", "kind", "team", "person", "key", "address", "subject", "changes")
CHUNK = 500


def as_jsonl(rows: Iterable[AuditEvent]) -> Iterator[bytes]:
    """One JSON object a line."""
    for row in rows:
        yield json.dumps(row.as_dict(), ensure_ascii=False).encode() + b"\n"


def as_csv(rows: Iterable[AuditEvent]) -> Iterator[bytes]:
    """A table for spreadsheets, none of whose cells they run."""
    said = (row.as_dict() for row in rows)
    return table_lines(COLUMNS, ([_cell(each[name]) for name in COLUMNS] for each in said))


def _cell(value: Any) -> str:
    if isinstance(value, dict):
        return json.dumps(value, ensure_ascii=False) if value else ""
    return "" if value is None else str(value)
