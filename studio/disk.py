"""Whether there is room left on disk, and whether an error came of its lack."""

import errno
import os
import sqlite3
import tempfile
from collections.abc import Iterator
from pathlib import Path

from django.conf import settings
from django.db import DatabaseError

NO_ROOM = (errno.ENOSPC, errno.EDQUOT)
# The state of PostgreSQL for a full disk, and what SQLite says of one; where it cannot make or enlarge the files beside
# the database, it says what could mean other things as well.
DISK_FULL = "53100"
SQLITE_FULL, SQLITE_TROUBLE = "SQLITE_FULL", ("SQLITE_IOERR", "SQLITE_CANTOPEN")
# With less the database may still take small changes and refuse the next larger one.
LEAST_BYTES = 4 * 1024 * 1024
PROBE = b"\0" * 4096


def folders() -> Iterator[Path]:
    """Where the studio keeps things on a disk of this machine."""
    yield Path(settings.VAR_DIR)
    database = settings.DATABASES["default"]
    if database["ENGINE"].endswith("sqlite3") and Path(database["NAME"]).is_file():
        yield Path(database["NAME"]).parent
    if Path(settings.MEDIA_ROOT).is_dir():
        yield Path(settings.MEDIA_ROOT)


def is_full() -> bool:
    """Whether one of the studio's folders takes nothing more."""
    return not all(map(_takes_more, dict.fromkeys(folders())))


def _takes_more(folder: Path) -> bool:
    try:
        status = os.statvfs(folder)
        with tempfile.TemporaryFile(dir=folder, buffering=0) as opened:
            opened.write(PROBE)
    except OSError:
        return False
    return status.f_bavail * status.f_frsize >= LEAST_BYTES


def is_for_want_of_room(error: BaseException | None) -> bool:
    """Whether an error, or one that led to it, came of a full disk."""
    while error is not None:
        if isinstance(error, OSError) and error.errno in NO_ROOM:
            return True
        name = error.sqlite_errorname if isinstance(error, sqlite3.OperationalError) else ""
        if name == SQLITE_FULL or (name.startswith(SQLITE_TROUBLE) and is_full()):
            return True
        if isinstance(error, DatabaseError) and getattr(error.__cause__, "sqlstate", "") == DISK_FULL:
            return True
        error = error.__cause__ or error.__context__
    return False
