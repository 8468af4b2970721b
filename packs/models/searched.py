"""What can be found by its words: an entry for every such row, written with the row.

`SearchedRow` and `SearchedRows` are what saving, creating and updating go through, so every door that writes rows keeps
the index; only statements of one's own (`runs.jobs.trials.saving`) call `keep`. The database itself removes the entries
of rows that are deleted (`packs.models.fulltext`).
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from operator import attrgetter
from typing import TYPE_CHECKING, Any, ClassVar, Self, cast

from django.apps import apps
from django.db import connection, models, transaction
from django.db.models import Q

from packs.access import (
    AnyUser,
    InPackQuerySet,
    InRunQuerySet,
    PackQuerySet,
    RunQuerySet,
    TeamScopedQuerySet,
)
from packs.formats.later import Later
from packs.models import fulltext

if TYPE_CHECKING:
    from packs import words
else:
    words = Later("packs.words")

BATCH = 500


@dataclass(frozen=True)
class Searched:
    """What the entry of a row says: columns, or look-ups that lead to them.

    `owner` leads to the pack that the row belongs to, or to its team where it `is_of_team`. Only rows that fit `due`
    have an entry. It is written anew when one of the columns `name` and `text` is.
    """

    kind: str
    owner: str
    name: tuple[str, ...]
    text: tuple[str, ...] = ()
    is_of_team: bool = False
    due: Q | None = None

    @property
    def lookups(self) -> tuple[str, ...]:
        return ("pk", self.owner, *self.name, *self.text)

    @cached_property
    def columns(self) -> frozenset[str]:
        return frozenset((*self.name, *self.text))

    def values_of(self, row: Any) -> tuple[Any, ...]:
        return tuple(attrgetter(lookup.replace("__", "."))(row) for lookup in self.lookups)

    def entry(self, values: Sequence[Any]) -> "SearchEntry":
        """The entry of a row with these values of its `lookups`."""
        pk, owner, rest = values[0], values[1], values[2:]
        names = words.words_of(text for value in rest[: len(self.name)] for text in words.texts_in(value))
        known = set(names)
        others = words.words_of(text for value in rest[len(self.name) :] for text in words.texts_in(value))
        return SearchEntry(
            kind=self.kind,
            ref=pk,
            pack_id=None if self.is_of_team else owner,
            team_id=owner if self.is_of_team else None,
            name=" ".join((fulltext.mark(self.kind), *names)),
            words=" ".join(word for word in others if word not in known),
        )


class SearchEntryQuerySet(models.QuerySet[Any]):
    """Entries, found by words."""

    def visible_to(self, user: AnyUser) -> Self:
        """The entries of what belongs to packs and teams that a user may see."""
        packs, teams = (apps.get_model("packs", name)._default_manager.all() for name in ("Pack", "Team"))
        return self.filter(Q(pack__in=packs.visible_to(user)) | Q(team__in=teams.visible_to(user)))

    def having(self, words: Iterable[str], kinds: Iterable[str]) -> Self:
        """The entries of these kinds that have every word, or one that it begins; the best first, then the newest."""
        found = fulltext.match(connection, words, kinds)
        rows = self.extra(select={"rank": found.rank}, select_params=found.rank_params)
        rows = rows.extra(tables=found.tables, where=found.where, params=found.params)
        return cast("Self", rows.order_by("rank", "-ref"))


class SearchEntry(models.Model):
    """The words of one row: those of its name, with the mark of its kind, and all others.

    `kind` and `ref` say which row that is.
    """

    kind = models.CharField(max_length=20)
    ref = models.BigIntegerField()
    pack = models.ForeignKey("packs.Pack", models.CASCADE, null=True, related_name="+")
    team = models.ForeignKey("packs.Team", models.CASCADE, null=True, related_name="+")
    name = models.TextField()
    words = models.TextField()

    objects = SearchEntryQuerySet.as_manager()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["kind", "ref"], name="one_entry_per_row")]

    def __str__(self) -> str:
        return f"{self.kind} {self.ref}"


class SearchedRows(models.QuerySet[Any]):
    """Rows that can be found by their words, whichever way many of them are written."""

    def bulk_create(self, objs: Iterable[Any], *args: Any, **options: Any) -> list[Any]:
        with transaction.atomic(savepoint=False):
            rows = super().bulk_create(objs, *args, **options)
            keep_rows(self.model, rows)
        return rows

    def update(self, **values: Any) -> int:
        if self.model.searched.columns.isdisjoint(values):
            return super().update(**values)
        with transaction.atomic(savepoint=False):
            keys = list(self.order_by().values_list("pk", flat=True))
            changed = super().update(**values)
            keep(self.model, self.model.searched, keys)
        return changed


# The type checker makes `as_manager` of each class anew, and finds the two that are inherited at odds.
class SearchedInTeam(SearchedRows, TeamScopedQuerySet):  # type: ignore[override]
    """Such rows of a team, which can be put into the bin by themselves."""

    bin_path = "deleted_at"


class SearchedPacks(SearchedRows, PackQuerySet):  # type: ignore[override]
    """Packs."""


class SearchedInPack(SearchedRows, InPackQuerySet):  # type: ignore[override]
    """Such rows below a pack."""


class SearchedRuns(SearchedRows, RunQuerySet):  # type: ignore[override]
    """Runs."""


class SearchedInRun(SearchedRows, InRunQuerySet):  # type: ignore[override]
    """Such rows below a run."""


class SearchedRow(models.Model):
    """A row that can be found by its words."""

    searched: ClassVar[Searched]

    class Meta:
        abstract = True

    def save(self, *args: Any, **options: Any) -> None:
        names = options.get("update_fields")
        if names is not None and self.searched.columns.isdisjoint(names):
            super().save(*args, **options)
            return
        with transaction.atomic(savepoint=False):
            super().save(*args, **options)
            keep_rows(type(self), [self])


def keep_rows(model: Any, rows: Iterable[Any]) -> None:
    """Write the entries of rows that were just saved."""
    searched: Searched = model.searched
    if searched.due is not None:
        keep(model, searched, [row.pk for row in rows])
        return
    write(searched.entry(searched.values_of(row)) for row in rows)


def keep(model: Any, searched: Searched, keys: Sequence[int]) -> None:
    """Write the entries of rows as they are now, and drop those of rows that are not due."""
    for start in range(0, len(keys), BATCH):
        some = keys[start : start + BATCH]
        found = [searched.entry(values) for values in due_rows(model, searched).filter(pk__in=some)]
        write(found)
        if gone := set(some) - {entry.ref for entry in found}:
            SearchEntry.objects.filter(kind=searched.kind, ref__in=gone).delete()


def due_rows(model: Any, searched: Searched) -> Any:
    """The values of all rows that have an entry."""
    rows = model._default_manager.all()
    if searched.due is not None:
        rows = rows.filter(searched.due)
    return rows.order_by().values_list(*searched.lookups)


def write(entries: Iterable[SearchEntry]) -> None:
    """Write entries, over those that are there."""
    waiting: Iterator[SearchEntry] = iter(entries)
    while some := list(islice(waiting, BATCH)):
        SearchEntry.objects.bulk_create(
            some, update_conflicts=True, unique_fields=["kind", "ref"], update_fields=["pack", "team", "name", "words"]
        )
