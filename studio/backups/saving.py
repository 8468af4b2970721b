"""Making a backup: one state of all rows, then the files that they refer to, read back before it counts."""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import IO

from django.db import DatabaseError, connection, transaction

from packs import blobs
from packs.audit import record_if_possible
from packs.models import Blob
from runs.models.sealing import seal
from studio.backups.archive import Damaged, Manifest, Writer, opened
from studio.backups.rows import BATCH, applied_migrations, fields_of, last_number, lines_of, tables_at

ENDING = ".backup.zip"
# What is sealed into every backup, so that a restore says at once whether the key fits.
SEALED = "packwright"

Tick = Callable[[str], None]


def fresh_name(now: datetime) -> str:
    """What a backup of this moment is called."""
    return f"packwright-{now:%Y-%m-%dT%H%M%S}{ENDING}"


def save(path: Path, tick: Tick = lambda name: None) -> Manifest:
    """Write a backup that appears whole, verified, and for its user alone; gives what it holds.

    Raises OSError, DatabaseError, archive.Damaged where it reads back otherwise; the audit log has them.
    """
    unfinished = path.with_name(f".{path.name}.unfinished")
    try:
        with unfinished.open("wb") as target:
            _write(target, tick)
            target.flush()
            os.fsync(target.fileno())
        with opened(unfinished) as reader:
            reader.verify(lambda name: tick(f"verifying {name}"))
            manifest = reader.manifest
        unfinished.replace(path)
    except BaseException as error:
        with suppress(OSError):
            unfinished.unlink(missing_ok=True)
        if isinstance(error, (OSError, DatabaseError, Damaged)):
            record_if_possible("backup.failed", error)
        raise
    record_if_possible("backup.created", path.name)
    return manifest


def _write(target: IO[bytes], tick: Tick) -> None:
    with one_state():
        migrations = applied_migrations()
        made_at = datetime.now(UTC).isoformat(timespec="seconds")
        writer = Writer(target, Manifest(made_at, connection.vendor, migrations, seal(SEALED)))
        for table, model in tables_at(migrations).items():
            tick(table)
            writer.add_rows(table, list(fields_of(model)), lines_of(model), last_number(model))
        tick("files")
        for digest, size in Blob.objects.order_by("pk").values_list("digest", "size").iterator(chunk_size=BATCH):
            _add_file(writer, digest, size)
        writer.close()


def _add_file(writer: Writer, digest: str, size: int) -> None:
    try:
        with blobs.open_stream(digest) as source:
            writer.add_file(digest, size, source)
    except FileNotFoundError:
        writer.manifest.lost.append(digest)


@contextmanager
def one_state() -> Iterator[None]:
    """Every query inside sees the same rows, while others go on writing."""
    if connection.vendor == "sqlite":
        # Django's own transactions would keep all writers waiting.
        with connection.cursor() as cursor:
            cursor.execute("BEGIN DEFERRED")
            try:
                yield
            finally:
                cursor.execute("ROLLBACK")
        return
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        yield
