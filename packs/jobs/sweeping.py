"""Bytes that nothing refers to any more, and what waits for nobody: found and removed by a job of the timetable.

`packs.blobs` knows the rows that refer to bytes, and notes when bytes were given; those of the last day are left alone,
since a request or a job may be about to refer to them.
"""

import logging
from collections.abc import Iterator
from contextlib import suppress
from datetime import timedelta

from celery import shared_task
from django.core.files.storage import default_storage
from django.db import DEFAULT_DB_ALIAS, IntegrityError, transaction
from django.db.models import Exists, OuterRef, QuerySet
from django.utils import timezone

from packs import blobs
from packs.audit import record
from packs.blobs import digests_in_json, referring
from packs.importing.previewing import forget_old_uploads
from packs.models import OPEN_JOBS, Blob, Job

log = logging.getLogger(__name__)

# How long bytes stay that nothing refers to, and jobs that have ended, with what they were given and made.
GRACE = timedelta(days=1)
JOBS_STAY = timedelta(days=7)
BATCH = 500


def forget_old_jobs() -> int:
    """Drop jobs that ended long ago; gives how many."""
    return Job.objects.exclude(status__in=OPEN_JOBS).filter(finished_at__lt=timezone.now() - JOBS_STAY).delete()[0]


@shared_task(name="packs.jobs.sweep_bytes")  # type: ignore[untyped-decorator]  # Celery has no types
def sweep_bytes() -> None:
    """The sweep as a job."""
    forget_old_uploads()
    forget_old_jobs()
    freed = sweep()
    if freed:
        log.info("bytes-swept", extra={"bytes": freed})
        record("sweep.bytes", f"{freed:,} bytes")


def sweep() -> int:
    """Remove bytes that nothing refers to, and files that no row knows; gives the bytes of the former."""
    freed = sum(remove(digest) for digest in unreferred())
    for name in unknown_files():
        remove_unknown(name)
    return freed


def old_blobs() -> QuerySet[Blob]:
    return Blob.objects.filter(stored_at__lt=timezone.now() - GRACE)


def without_rows(found: QuerySet[Blob]) -> QuerySet[Blob]:
    """Those of these bytes that no foreign key of any application refers to."""
    for model, column in referring():
        found = found.exclude(Exists(model._base_manager.filter(**{column: OuterRef("pk")})))
    return found


def unreferred() -> list[str]:
    """The digests of old bytes to which no row refers."""
    found = set(without_rows(old_blobs()).values_list("pk", flat=True))
    if found:
        found.difference_update(digests_in_json())
    return sorted(found)


def remove(digest: str) -> int:
    """Remove bytes, unless they were given again or referred to since; gives their size.

    A request that stores the same bytes, or refers to them, waits for the lock of the row until the file is gone.
    """
    with transaction.atomic():
        locked = old_blobs().filter(pk=digest).select_for_update().first()
        if locked is None or not without_rows(Blob.objects.filter(pk=digest)).exists():
            return 0
        Blob.objects.filter(pk=digest)._raw_delete(DEFAULT_DB_ALIAS)
        default_storage.delete(blobs.name_of(digest))
        return int(locked.size)


def unknown_files() -> Iterator[str]:
    """Old files that no row knows: a transaction failed, or a process ended while it wrote."""
    for folder in default_storage.listdir(blobs.ROOT)[0] if default_storage.exists(blobs.ROOT) else ():
        path = f"{blobs.ROOT}/{folder}"
        names = default_storage.listdir(path)[1]
        known: set[str] = set()
        for start in range(0, len(names), BATCH):
            known |= set(Blob.objects.filter(pk__in=names[start : start + BATCH]).values_list("pk", flat=True))
        yield from (f"{path}/{name}" for name in names if name not in known and is_old(f"{path}/{name}"))


def remove_unknown(name: str) -> None:
    """Remove a file, unless somebody stores the same bytes at this moment."""
    digest = name.rpartition("/")[2]
    with suppress(IntegrityError), transaction.atomic():
        # A request that stores them waits for this row, which goes again with the file.
        held = Blob.objects.create(digest=digest[:64], size=0)
        if is_old(name):
            default_storage.delete(name)
        held.delete()


def is_old(name: str) -> bool:
    try:
        return default_storage.get_modified_time(name) < timezone.now() - GRACE
    except FileNotFoundError:
        return False
