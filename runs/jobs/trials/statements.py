"""Writes many rows by one prepared statement.

The ORM builds an object and compiles an expression for every single value, which costs several times what the database
itself takes. Rows are given as tuples of what the fields of the model hold in Python; on PostgreSQL plain inserts go by
COPY, which takes a fifth of the time of inserts.
"""

from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from typing import Any

from django.db import connection
from django.db.models import DateTimeField, Field, Model

from packs.columns import DocumentField

Row = Sequence[Any]


class Statements:
    """Statements about these columns of a model: names as in `attname`, values in the same order."""

    def __init__(self, model: type[Model], *names: str) -> None:
        self.model = model
        self.names = names

    def insert(self, rows: Iterable[Row]) -> None:
        """New rows."""
        prepared = self._prepared(rows)
        if connection.vendor == "postgresql" and prepared:
            with connection.cursor() as cursor, cursor.copy(f"COPY {self._table} ({self._columns}) FROM STDIN") as copy:
                for row in prepared:
                    copy.write_row(row)
        else:
            self._execute(self._insertion, prepared)

    def put(self, rows: Iterable[Row]) -> None:
        """New rows, in place of those that have the same first column, which is unique."""
        first, *others = (quoted(field) for field in self._fields)
        changes = ", ".join(f"{column} = excluded.{column}" for column in others)
        self._execute(f"{self._insertion} ON CONFLICT ({first}) DO UPDATE SET {changes}", self._prepared(rows))

    def update(self, rows: Iterable[Row]) -> None:
        """Other values for rows that exist; the last column is the one that tells them apart."""
        *changed, key = (f"{quoted(field)} = %s" for field in self._fields)
        self._execute(f"UPDATE {self._table} SET {', '.join(changed)} WHERE {key}", self._prepared(rows))

    @cached_property
    def _fields(self) -> "list[Field[Any, Any]]":
        fields = {field.attname: field for field in self.model._meta.concrete_fields}
        return [fields[name] for name in self.names]

    @property
    def _table(self) -> str:
        return connection.ops.quote_name(self.model._meta.db_table)

    @property
    def _columns(self) -> str:
        return ", ".join(map(quoted, self._fields))

    @property
    def _insertion(self) -> str:
        marks = ", ".join(["%s"] * len(self.names))
        return f"INSERT INTO {self._table} ({self._columns}) VALUES ({marks})"

    def _prepared(self, rows: Iterable[Row]) -> list[list[Any]]:
        """The rows as the database takes them: texts and numbers as they are."""
        ways = [way_of(field) for field in self._fields]
        return [[way(value) if way else value for way, value in zip(ways, row, strict=True)] for row in rows]

    def _execute(self, statement: str, rows: list[list[Any]]) -> None:
        if rows:
            with connection.cursor() as cursor:
                cursor.executemany(statement, rows)


def way_of(field: "Field[Any, Any]") -> Callable[[Any], Any] | None:
    """How the database takes values of a column; None for texts and numbers. Times are those of a time zone."""
    if isinstance(field, DocumentField):
        return field.get_prep_value
    return connection.ops.adapt_datetimefield_value if isinstance(field, DateTimeField) else None


def quoted(field: "Field[Any, Any]") -> str:
    return connection.ops.quote_name(str(field.column))
