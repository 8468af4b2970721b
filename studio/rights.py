"""Who on the machine may read the studio's data: its own user alone.

The settings set the mask for new files, so it holds in every process. What older versions left open is closed at start.
"""

import os
import stat
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from django.conf import settings

# What the user's group and all others may do with a file.
OF_OTHERS = stat.S_IRWXG | stat.S_IRWXO
SHOWN = 3


def database_files() -> Iterator[Path]:
    """The files of a database that is a file; its journals stand beside it."""
    database = settings.DATABASES["default"]
    if database["ENGINE"].endswith("sqlite3"):
        path = Path(database["NAME"])
        yield from (path.with_name(path.name + ending) for ending in ("", "-wal", "-shm", "-journal"))


def closed_places() -> Iterator[Path]:
    """What nobody else may read: the data folder, what stands in it, the database, and the file of settings."""
    folder = Path(settings.VAR_DIR)
    yield folder
    yield from sorted(folder.glob("*"))
    yield Path(settings.MEDIA_ROOT)
    yield from database_files()
    yield Path(settings.BASE_DIR) / ".env"


def is_open(path: Path) -> bool:
    """Whether others than its user have a right to a file or folder; a link has none of its own."""
    try:
        status = path.lstat()
    except OSError:
        return False
    return not stat.S_ISLNK(status.st_mode) and bool(status.st_mode & OF_OTHERS)


def open_places() -> list[Path]:
    """The places whose rights are wider than they should be.

    Where the data folder is closed, nobody else reaches what stands in it, whatever its own rights are.
    """
    folder = Path(settings.VAR_DIR)
    found = dict.fromkeys(filter(is_open, closed_places()))
    return [path for path in found if path == folder or is_open(folder) or not path.is_relative_to(folder)]


def close_places() -> list[Path]:
    """Take the rights of others away from the data folder with all that it holds, and from the database.

    Only what belongs to this user is changed, and no folder that the machine shares (one with the sticky bit). Gives
    the places that are still open.
    """
    folder = Path(settings.VAR_DIR)
    if is_open(folder) and not folder.stat().st_mode & stat.S_ISVTX:
        # First what is in it: if this ends half-way, the next start goes on.
        for path in (*folder.rglob("*"), folder):
            _close(path)
    for path in database_files():
        _close(path)
    return open_places()


def _close(path: Path) -> None:
    if is_open(path) and path.lstat().st_uid == os.geteuid():
        with suppress(OSError):
            path.chmod(stat.S_IMODE(path.lstat().st_mode) & ~OF_OTHERS)


def words_for(places: list[Path]) -> str:
    """What is wrong with the rights of these places, and what to do."""
    named = ", ".join(f"{path} ({stat.filemode(path.lstat().st_mode)})" for path in places[:SHOWN])
    more = f" and {len(places) - SHOWN} more" if len(places) > SHOWN else ""
    return f"others on this machine have rights to {named}{more}; run `chmod -R go= {places[0]}`, as for each of them"
