"""`manage.py reseal`: encrypt every stored key and secret with the first of the present encryption keys."""

import sys
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError, transaction

from packs.management.answers import say, say_unusable
from runs.models import Connection, Secret
from runs.models.sealing import Unsealable, reseal


class Command(BaseCommand):
    """Once it has succeeded, the older keys can be taken out of PACKWRIGHT_ENCRYPTION_KEY."""

    help = "Encrypt stored keys and secrets anew with the first key of PACKWRIGHT_ENCRYPTION_KEY."

    def handle(self, *args: Any, **options: Any) -> None:
        """Reseal all rows. Raises CommandError, and changes nothing of the row, where a text cannot be opened."""
        try:
            stuck = [*self.rows(Connection, "sealed_key"), *self.rows(Secret, "sealed_value")]
        except DatabaseError as error:
            say_unusable(self, error, options)
            sys.exit(3)
        if stuck:
            raise CommandError(f"These cannot be opened with any present key; set them anew: {', '.join(stuck)}.")
        say(self, "Everything that is stored is encrypted with the first key.")
        for row in (*Connection.objects.select_related("team"), *Secret.objects.select_related("team")):
            for warning in row.warnings:
                say(self, f"{named(row)}: {warning}")

    def rows(self, model: type[Connection] | type[Secret], column: str) -> list[str]:
        """Reseal one column; gives the names of rows that could not be opened."""
        stuck = []
        for pk in model.objects.exclude(**{column: ""}).values_list("pk", flat=True):
            with transaction.atomic():
                row = model.objects.select_for_update().select_related("team").get(pk=pk)
                try:
                    model.objects.filter(pk=pk).update(**{column: reseal(getattr(row, column))})
                except Unsealable:
                    stuck.append(named(row))
        return stuck


def named(row: Connection | Secret) -> str:
    """A row in words."""
    return f"{type(row).__name__.lower()} {row.name!r} of team {row.team.slug!r}"
