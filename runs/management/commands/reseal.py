"""`manage.py reseal`: encrypt every sealed text with the first of the present encryption keys."""

import sys
from collections.abc import Iterator
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError, models, transaction

from packs.management.answers import say, say_unusable
from runs.models import Connection, Secret
from runs.models.sealing import SealedField, Unsealable, reseal, sealed_columns


class Command(BaseCommand):
    """Once it has succeeded, the older keys can be taken out of PACKWRIGHT_ENCRYPTION_KEY."""

    help = "Encrypt stored keys and secrets anew with the first key of PACKWRIGHT_ENCRYPTION_KEY."

    def handle(self, *args: Any, **options: Any) -> None:
        """Reseal all rows. Raises CommandError, and changes nothing of the row, where a text cannot be opened."""
        try:
            stuck = [name for model, field in sealed_columns() for name in rows(model, field)]
        except DatabaseError as error:
            say_unusable(self, error, options)
            sys.exit(3)
        if stuck:
            raise CommandError(f"These cannot be opened with any present key; set them anew: {', '.join(stuck)}.")
        say(self, "Everything that is stored is encrypted with the first key.")
        for row in (*Connection.objects.select_related("team"), *Secret.objects.select_related("team")):
            for warning in row.warnings:
                say(self, f"{named(row)}: {warning}")


def rows(model: type[models.Model], field: SealedField) -> Iterator[str]:
    """Reseal one column; gives the names of rows that could not be opened."""
    for pk in model._base_manager.exclude(**{field.name: ""}).values_list("pk", flat=True):
        if stuck := resealed(model, field, pk):
            yield stuck


@transaction.atomic
def resealed(model: type[models.Model], field: SealedField, pk: Any) -> str:
    """Reseal a text; the name of its row where that cannot be opened. One that is remade by itself is dropped then."""
    rows = model._base_manager.filter(pk=pk)
    row = rows.select_for_update().first()
    # A worker may drop old replies meanwhile.
    if row is None:
        return ""
    try:
        rows.update(**{field.name: reseal(getattr(row, field.name))})
    except Unsealable:
        if not field.remade:
            return named(row)
        row.delete()
    return ""


def named(row: Any) -> str:
    """A row in words; one without a name by its number, since what it is called by may be secret."""
    return f"{row._meta.verbose_name} {getattr(row, 'name', row.pk)!r} of {owner(row)}"


def owner(row: Any) -> str:
    return f"team {row.team.slug!r}" if hasattr(row, "team") else f"{row.user.username!r}"
