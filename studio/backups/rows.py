"""Rows of all tables as lines of JSON, and lines as rows, for any database that Django knows.

Tables are those of a state of migrations (`tables_at`), so that a database can be saved before it is brought up to
date, and an older backup be taken back as it was.
"""

import base64
from collections.abc import Iterable, Iterator
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from itertools import islice
from typing import Any
from uuid import UUID

from django.db import DEFAULT_DB_ALIAS, connection, models
from django.db.migrations.loader import MigrationLoader
from django.db.models.sql import InsertQuery
from django.utils.duration import duration_string

from packs.columns import decode, encode
from packs.models import SearchEntry
from runs.models import CaseChange, CaseCount, TrialCount

# What the database itself makes of other tables, and makes anew when these are filled.
DERIVED = frozenset(row._meta.db_table for row in (SearchEntry, TrialCount, CaseCount, CaseChange))
# Rows that are read or written at once: a document may have megabytes.
BATCH = 200
Migrations = dict[str, list[str]]
Row = type[models.Model]


def applied_migrations() -> Migrations:
    """What the tables have been through, by application."""
    found: Migrations = {}
    for app, name in sorted(MigrationLoader(connection).applied_migrations):
        found.setdefault(app, []).append(name)
    return found


def newest_of(loader: MigrationLoader, migrations: Migrations) -> list[tuple[str, str]]:
    """Of each application the migrations that no other of these follows."""
    given = {(app, name) for app, names in migrations.items() for name in names}
    nodes = loader.graph.node_map
    return sorted(
        node
        for node in given & nodes.keys()
        if not any(child in given and child[0] == node[0] for child in nodes[node].children)
    )


def tables_at(migrations: Migrations) -> dict[str, Row]:
    """The models behind all tables after these migrations, by table."""
    loader = MigrationLoader(connection)
    state = loader.project_state(newest_of(loader, migrations))
    found = state.apps.get_models(include_auto_created=True)
    return {
        model._meta.db_table: model
        for model in sorted(found, key=lambda model: model._meta.db_table)
        if model._meta.managed and not model._meta.proxy and model._meta.db_table not in DERIVED
    }


def fields_of(model: Row) -> dict[str, Any]:
    """The fields of a table that are written, by column."""
    return {str(field.column): field for field in model._meta.local_concrete_fields if not field.generated}


def lines_of(model: Row) -> Iterator[bytes]:
    """The rows of a table by their primary keys, each a line of JSON."""
    names = [field.attname for field in fields_of(model).values()]
    rows = model._base_manager.order_by("pk").values_list(*names)
    for row in rows.iterator(chunk_size=BATCH):
        yield encode([plain(value) for value in row]).encode() + b"\n"


def plain(value: Any) -> Any:
    """A value of a column as JSON has it."""
    match value:
        case datetime() | date() | time():
            return value.isoformat()
        case timedelta():
            return duration_string(value)
        case Decimal() | UUID():
            return str(value)
        case bytes() | memoryview():
            return base64.b64encode(bytes(value)).decode()
        case _:
            return value


def load(model: Row, columns: list[str], lines: Iterable[bytes]) -> None:
    """Write rows into an empty table as they are: nothing is set anew, as `save` would do with times."""
    by_column = fields_of(model)
    fields = [by_column[column] for column in columns]
    most = max(1, min(BATCH, connection.ops.bulk_batch_size(fields, [None] * BATCH)))
    waiting = iter(lines)
    while some := list(islice(waiting, most)):
        query = InsertQuery(model)
        query.insert_values(fields, [row_of(model, fields, line) for line in some], raw=True)
        query.get_compiler(DEFAULT_DB_ALIAS).execute_sql()


def row_of(model: Row, fields: list[Any], line: bytes) -> models.Model:
    values = zip(fields, decode(line.decode()), strict=True)
    return model(**{field.attname: field.to_python(value) for field, value in values})


def numbered(model: Row) -> str:
    """The column whose values the database counts up; empty where there is none."""
    key = model._meta.pk
    return str(key.column) if isinstance(key, models.AutoField | models.BigAutoField | models.SmallAutoField) else ""


def last_number(model: Row) -> int:
    """The number that the newest row of a table got, be it there or not; ids of rows that are gone never come again."""
    column, table = numbered(model), model._meta.db_table
    if not column:
        return 0
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute("SELECT seq FROM sqlite_sequence WHERE name = %s", [table])
        else:
            cursor.execute("SELECT pg_get_serial_sequence(%s, %s)", [connection.ops.quote_name(table), column])
            cursor.execute(f"SELECT last_value FROM {cursor.fetchone()[0]} WHERE is_called")
        found = cursor.fetchone()
    return int(found[0]) if found else 0


def count_on(model: Row, last: int) -> None:
    """Have the numbers of a table go on behind its rows and behind this number."""
    column, table = numbered(model), model._meta.db_table
    if not column:
        return
    newest = model._base_manager.aggregate(newest=models.Max("pk"))["newest"] or 0
    last = max(last, newest, last_number(model))
    if not last:
        return
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute("DELETE FROM sqlite_sequence WHERE name = %s", [table])
            cursor.execute("INSERT INTO sqlite_sequence (name, seq) VALUES (%s, %s)", [table, last])
        else:
            name = connection.ops.quote_name(table)
            cursor.execute("SELECT setval(pg_get_serial_sequence(%s, %s), %s)", [name, column, last])
