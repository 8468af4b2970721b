"""The full text index in the database: FTS5 of SQLite, a `tsvector` of PostgreSQL, both over `packs_searchentry`.

The database itself keeps it equal to that table, and drops the entry of a row with the row. `install` can be repeated:
SQLite loses triggers when a migration makes a table anew.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.db import DatabaseError
from django.db.backends.base.base import BaseDatabaseWrapper

TABLE = "packs_searchentry"
WORDS = "packs_searchwords"
# How much more a word says of a row in its name than elsewhere.
NAME_WEIGHT = 10

# The words are made by `packs.words`: the tokenizer `ascii` takes them as they are, whatever their script.
SQLITE = (
    f"CREATE VIRTUAL TABLE IF NOT EXISTS {WORDS} USING fts5(name, words, content='{TABLE}', content_rowid='id', "
    "tokenize='ascii', detail='column')",
    f"CREATE TRIGGER IF NOT EXISTS {TABLE}_added AFTER INSERT ON {TABLE} BEGIN "
    f"INSERT INTO {WORDS}(rowid, name, words) VALUES (new.id, new.name, new.words); END",
    f"CREATE TRIGGER IF NOT EXISTS {TABLE}_removed AFTER DELETE ON {TABLE} BEGIN "
    f"INSERT INTO {WORDS}({WORDS}, rowid, name, words) VALUES ('delete', old.id, old.name, old.words); END",
    f"CREATE TRIGGER IF NOT EXISTS {TABLE}_changed AFTER UPDATE OF name, words ON {TABLE} "
    "WHEN old.name IS NOT new.name OR old.words IS NOT new.words BEGIN "
    f"INSERT INTO {WORDS}({WORDS}, rowid, name, words) VALUES ('delete', old.id, old.name, old.words); "
    f"INSERT INTO {WORDS}(rowid, name, words) VALUES (new.id, new.name, new.words); END",
)
SQLITE_REMOVAL = (
    "CREATE TRIGGER IF NOT EXISTS {table}_unsearched AFTER DELETE ON {table} BEGIN "
    f"DELETE FROM {TABLE} WHERE kind = '{{kind}}' AND ref = old.id; END"
)


def _vector(text: str) -> str:
    return f"array_to_tsvector(array_remove(string_to_array({text}, ' '), ''))"


NAME_AND_WORDS = "name || ' ' || words"
POSTGRESQL = (
    f"ALTER TABLE {TABLE} ADD COLUMN IF NOT EXISTS vector tsvector "
    f"GENERATED ALWAYS AS ({_vector(NAME_AND_WORDS)}) STORED",
    f"CREATE INDEX IF NOT EXISTS {TABLE}_vector ON {TABLE} USING gin (vector)",
    f"CREATE OR REPLACE FUNCTION {TABLE}_forget() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN "
    f"DELETE FROM {TABLE} WHERE kind = TG_ARGV[0] AND ref = OLD.id; RETURN NULL; END $$",
)
POSTGRESQL_REMOVAL = (
    "DROP TRIGGER IF EXISTS {table}_unsearched ON {table}",
    "CREATE TRIGGER {table}_unsearched AFTER DELETE ON {table} FOR EACH ROW "
    f"EXECUTE FUNCTION {TABLE}_forget('{{kind}}')",
)


def install(connection: BaseDatabaseWrapper, tables: Iterable[tuple[str, str]]) -> None:
    """Make what is missing of the index, and have it forget deleted rows of these tables; each comes with its kind."""
    with connection.cursor() as cursor:
        for statement in _statements(connection.vendor, tables):
            cursor.execute(statement)


def _statements(vendor: str, tables: Iterable[tuple[str, str]]) -> list[str]:
    if vendor == "sqlite":
        return [*SQLITE, *(SQLITE_REMOVAL.format(table=table, kind=kind) for table, kind in tables)]
    removals = [text.format(table=table, kind=kind) for table, kind in tables for text in POSTGRESQL_REMOVAL]
    return [*POSTGRESQL, *removals]


def mark(kind: str) -> str:
    """The word that every entry of a kind has and no text: so few rows are found among many of other kinds at once."""
    return f"§{kind.replace('_', '')}"


@dataclass(frozen=True, slots=True)
class Match:
    """A condition on `packs_searchentry` and an order, the best first, as `QuerySet.extra` takes them."""

    tables: list[str]
    where: list[str]
    params: list[Any]
    rank: str
    rank_params: list[Any]


def match(connection: BaseDatabaseWrapper, words: Iterable[str], kinds: Iterable[str]) -> Match:
    """The rows of these kinds that have every word, or a word that it begins; whole words count twice."""
    if connection.vendor == "sqlite":
        marks = " OR ".join(f'"{mark(kind)}"' for kind in kinds)
        query = " AND ".join((f"({marks})", *(f'("{word}" OR "{word}"*)' for word in words)))
        joined = [f"{WORDS}.rowid = {TABLE}.id", f"{WORDS} MATCH %s"]
        return Match([WORDS], joined, [query], f"bm25({WORDS}, {NAME_WEIGHT}, 1)", [])
    marks = " | ".join(f"'{mark(kind)}'" for kind in kinds)
    query = " & ".join((f"({marks})", *(f"('{word}' | '{word}':*)" for word in words)))
    # 1 divides by the logarithm of the length: of two rows with the word the shorter one says more of it.
    rank = f"-(ts_rank(vector, %s::tsquery, 1) + {NAME_WEIGHT} * ts_rank({_vector(TABLE + '.name')}, %s::tsquery, 1))"
    return Match([], ["vector @@ %s::tsquery"], [query], rank, [query, query])


def is_whole(connection: BaseDatabaseWrapper) -> bool:
    """Whether the index says what its table does; PostgreSQL makes it of the table and cannot differ."""
    if connection.vendor != "sqlite":
        return True
    with connection.cursor() as cursor:
        try:
            cursor.execute(f"INSERT INTO {WORDS}({WORDS}, rank) VALUES ('integrity-check', 1)")
        except DatabaseError:
            return False
    return True


def remake(connection: BaseDatabaseWrapper) -> None:
    """Make the index of SQLite anew from its table."""
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            cursor.execute(f"INSERT INTO {WORDS}({WORDS}) VALUES ('rebuild')")
