"""`manage.py migrate` as Django has it, except that a database without tables gets them all at once."""

from typing import Any

from django.core.management.commands import migrate
from django.db.migrations.loader import MigrationLoader

from studio.tables import create_tables, has_tables


class Command(migrate.Command):
    def handle(self, *args: Any, **options: Any) -> None:
        asks_for_all = not (options["app_label"] or options["plan"] or options["check_unapplied"])
        if asks_for_all and not has_tables():
            count = create_tables(MigrationLoader(None).graph.leaf_nodes())
            if options["verbosity"]:
                self.stdout.write(f"Created the tables of {count} migrations.")
        super().handle(*args, **options)
