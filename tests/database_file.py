"""In a process of the tests nobody but SQLite opens the files of its database.

Closing any descriptor of a file drops all locks that the process holds on it, those of open connections too. The next
process to close the database then takes itself for the last one and removes the log from under them, and whoever
connects here afterwards meets a "disk I/O error" (`SQLITE_IOERR_SHORT_READ`), far from the test that caused it.
"""

import os
import sys

from django.conf import settings

SUFFIXES = ("", "-wal", "-shm", "-journal")


def watch():
    """Refuse to open these files from now on; a process cannot take this back."""
    sys.addaudithook(_refuse)


def _refuse(event, arguments):
    if event != "open" or not isinstance(arguments[0], str | bytes | os.PathLike):
        return
    name = os.fsdecode(arguments[0])
    if "sqlite3" in name and name in {f"{settings.DATABASES['default']['NAME']}{suffix}" for suffix in SUFFIXES}:
        raise AssertionError(f"{name} is open in this process; ask its connection, or let another process read it")
