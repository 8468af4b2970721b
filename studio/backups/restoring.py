"""Taking a backup back: verified first, then all rows in one transaction, migrated to this version of the studio."""

from collections.abc import Callable
from pathlib import Path

from django.contrib.auth.models import User
from django.core.management.sql import emit_post_migrate_signal
from django.db import DEFAULT_DB_ALIAS, connection, transaction
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder

from packs import blobs
from packs.audit import record_if_possible
from packs.models import Team
from packs.models.fulltext import WORDS
from runs.models.sealing import Unsealable, unseal
from studio.backups.archive import Damaged, Manifest, Reader, opened
from studio.backups.rows import applied_migrations, count_on, fields_of, load, newest_of, tables_at
from studio.tables import create_tables

Tick = Callable[[str], None]
# Tables of Django's own applications, whatever these are called.
OF_DJANGO = "django"


class Refused(Exception):
    """A backup that this studio does not take; nothing was changed. The message says what to do."""


def restore(path: Path, *, replaces: bool, tick: Tick = lambda name: None) -> Manifest:
    """Replace what is in the studio with a backup, and record that in the audit log; gives what the backup holds.

    Where anything fails, all rows are as before.

    Raises OSError, Damaged, Refused, DatabaseError.
    """
    with opened(path) as reader:
        reader.verify(lambda name: tick(f"verifying {name}"))
        demand_known_migrations(reader.manifest)
        if not replaces and not is_empty():
            raise Refused("This studio is not empty. `--replace` removes what is in it first.")
        connection.disable_constraint_checking()
        try:
            with transaction.atomic():
                _put_back(reader, tick)
        finally:
            connection.enable_constraint_checking()
        record_if_possible("backup.restored", path.name)
        return reader.manifest


def demand_known_migrations(manifest: Manifest) -> None:
    """Raises Refused for a backup of a newer studio."""
    known = MigrationLoader(None).graph.nodes
    given = [(app, name) for app, names in manifest.migrations.items() for name in names]
    unknown = [f"{app}.{name}" for app, name in given if (app, name) not in known]
    if unknown:
        raise Refused(
            f"This backup was made by a newer studio: {unknown[0]} is unknown here. Update this one, then restore."
        )


def opens(manifest: Manifest) -> bool:
    """Whether this studio's key opens what was stored encrypted."""
    try:
        unseal(manifest.sealed)
    except Unsealable:
        return False
    return True


def is_empty() -> bool:
    """Whether nobody and no team is in the studio; it may have no tables yet."""
    there = set(connection.introspection.table_names())
    return not any(model._meta.db_table in there and model._base_manager.exists() for model in (User, Team))


def _put_back(reader: Reader, tick: Tick) -> None:
    manifest = reader.manifest
    drop_tables()
    create_tables(newest_of(MigrationLoader(connection), manifest.migrations))
    models = tables_at(manifest.migrations)
    if models.keys() != manifest.tables.keys():
        odd = sorted(models.keys() ^ manifest.tables.keys())
        raise Damaged(f"Its tables are not those of its migrations: {', '.join(odd)}.")
    for name, model in models.items():
        tick(name)
        table = manifest.tables[name]
        if set(table.columns) != set(fields_of(model)):
            raise Damaged(f"The columns of {name} are not those of its migrations.")
        # Migrations may have put rows there, which the backup has as well.
        model._base_manager.all()._raw_delete(DEFAULT_DB_ALIAS)
        load(model, table.columns, reader.rows_of(name))
        count_on(model, table.last)
    # From here on PostgreSQL checks references at once: a table with checks to come cannot be altered.
    connection.check_constraints()
    tick("migrations")
    migrate_on(manifest)
    tick("files")
    put_files(reader)


def migrate_on(manifest: Manifest) -> None:
    """Bring the tables up to date, and have the database make what it derives from them."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
    executor = MigrationExecutor(connection)
    executor.migrate(executor.loader.graph.leaf_nodes())
    emit_post_migrate_signal(verbosity=0, interactive=False, db=DEFAULT_DB_ALIAS)
    for name, model in tables_at(applied_migrations()).items():
        if name in manifest.tables:
            count_on(model, manifest.tables[name].last)


def drop_tables() -> None:
    """Drop the tables of every application that was migrated, and no others."""
    if MigrationRecorder(connection).has_table():
        prefixes = tuple(f"{app}_" for app in (*applied_migrations(), OF_DJANGO))
        # With its table the full text index of SQLite drops those that it consists of.
        there = sorted(connection.introspection.table_names(), key=lambda name: name != WORDS)
        cascade = "" if connection.vendor == "sqlite" else " CASCADE"
        with connection.cursor() as cursor:
            for name in there:
                if name.startswith(prefixes):
                    cursor.execute(f"DROP TABLE IF EXISTS {connection.ops.quote_name(name)}{cascade}")


def put_files(reader: Reader) -> None:
    """Store all files, over what may be left of them; names are hashes of the content."""
    for digest in reader.manifest.files:
        with reader.file(digest) as source:
            blobs.write_from(blobs.name_of(digest), source)
