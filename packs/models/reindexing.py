"""The index of words as a whole: made, made anew, and compared with the rows."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any

from django.apps import AppConfig, apps
from django.db import connection, transaction

from packs.models import fulltext
from packs.models.searched import BATCH, SearchedRow, SearchEntry, due_rows, write


@dataclass(frozen=True, slots=True)
class Compared:
    """Of the rows of one kind: how many have an entry, lack theirs, have another one, and entries without a row."""

    kind: str
    entries: int
    missing: int
    different: int
    left_over: int

    @property
    def is_right(self) -> bool:
        return not (self.missing or self.different or self.left_over)


def searched_models() -> list[Any]:
    return [model for model in apps.get_models() if issubclass(model, SearchedRow)]


def prepare(app_config: AppConfig) -> None:
    """After migrations: make what is missing of the index for the tables of an application, and fill it once."""
    models = [model for model in app_config.get_models() if issubclass(model, SearchedRow)]
    if not models or SearchEntry._meta.db_table not in connection.introspection.table_names():
        return
    fulltext.install(connection, [(model._meta.db_table, model.searched.kind) for model in models])
    for model in models:
        has_entries = SearchEntry.objects.filter(kind=model.searched.kind).exists()
        if not has_entries and due_rows(model, model.searched).exists():
            remake(model)


def comparisons() -> Iterator[Compared]:
    """Compare every entry with its row."""
    for model in searched_models():
        yield compared(model)


def compared(model: Any) -> Compared:
    kind = model.searched.kind
    missing = different = seen = 0
    for some in portions(model):
        there = {entry.ref: entry for entry in SearchEntry.objects.filter(kind=kind, ref__in=[e.ref for e in some])}
        seen += len(there)
        missing += sum(entry.ref not in there for entry in some)
        different += sum(entry.ref in there and said(entry) != said(there[entry.ref]) for entry in some)
    total = SearchEntry.objects.filter(kind=kind).count()
    return Compared(kind, total, missing, different, total - seen)


def rebuild() -> Iterator[Compared]:
    """Make all entries anew, kind by kind, each in one transaction; gives what is there then."""
    for model in searched_models():
        remake(model)
        yield compared(model)
    fulltext.remake(connection)


def remake(model: Any) -> None:
    with transaction.atomic():
        SearchEntry.objects.filter(kind=model.searched.kind).delete()
        for some in portions(model):
            write(some)


def portions(model: Any) -> Iterator[list[SearchEntry]]:
    """The entries that the rows of a model should have."""
    rows = iter(due_rows(model, model.searched).iterator(chunk_size=BATCH))
    while some := [model.searched.entry(values) for values in islice(rows, BATCH)]:
        yield some


def said(entry: SearchEntry) -> tuple[Any, ...]:
    return (entry.pack_id, entry.team_id, entry.name, entry.words)
