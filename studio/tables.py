"""Tables for a database that has none."""

from collections.abc import Iterable

from django.db import connection
from django.db.migrations.executor import MigrationExecutor

Node = tuple[str, str]


def has_tables() -> bool:
    """Whether a migration was applied, or something else made a table of its own."""
    return bool(set(connection.introspection.table_names()) - {"django_migrations"})


def create_tables(targets: Iterable[Node]) -> int:
    """Create the tables that there are after these migrations, and record all that lead there; gives their number.

    Only for a database without tables. Running the migrations one after the other gives the same tables, but takes ten
    times as long: each of them builds the classes of most models anew. What migrations do with rows has nothing to
    work on here.
    """
    executor = MigrationExecutor(connection)
    plan = executor.migration_plan(list(targets))
    models = executor.loader.project_state(list(targets)).apps.get_models()
    executor.recorder.ensure_schema()
    # Either all tables are there and known as migrated, or none is.
    with connection.schema_editor() as editor:
        for model in models:
            if model._meta.managed and not model._meta.proxy and not model._meta.swapped:
                editor.create_model(model)
        for migration, _ in plan:
            for node in migration.replaces or [(migration.app_label, migration.name)]:
                executor.recorder.record_applied(*node)
    return len(plan)
