"""Backups by the timetable: `PACKWRIGHT_BACKUP_HOURS` has beat send this job, and the oldest of its files go."""

import fcntl
import logging
from datetime import UTC, datetime
from pathlib import Path

from celery import shared_task
from django.conf import settings
from django.db import DatabaseError

from studio.backups.archive import Damaged
from studio.backups.saving import ENDING, fresh_name, save

log = logging.getLogger(__name__)


@shared_task(name="studio.backups.make_backup")  # type: ignore[untyped-decorator]  # Celery has no types
def make_backup() -> None:
    """Write a backup into the folder of backups, then remove the oldest beyond those that are kept.

    Does nothing where no backups are wanted any more, or another worker is making one.
    """
    if not settings.BACKUP_HOURS:
        return
    folder = Path(settings.BACKUP_FOLDER)
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / ".lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return
        try:
            manifest = save(folder / fresh_name(datetime.now(UTC)))
        except (OSError, DatabaseError, Damaged) as error:
            # Old backups stay: they may be needed now.
            log.error("backup-failed", extra={"error": str(error)})
            return
        if manifest.lost:
            log.error("backup-lacks-files", extra={"lost": len(manifest.lost)})
        for old in sorted(folder.glob(f"*{ENDING}"))[: -settings.BACKUP_KEEP]:
            old.unlink(missing_ok=True)
