"""Look for a program before a sandbox is started for it: one that is missing is no failed one."""

import errno
import os
import stat
from collections.abc import Callable
from pathlib import Path

# Where on the machine a path of the sandbox lies; None where the sandbox has nothing there.
Place = Callable[[str], Path | None]

PATH = "/usr/local/bin:/usr/bin:/bin"


def check_program(name: str, place: Place) -> None:
    """Raises FileNotFoundError or PermissionError for a program that cannot be started.

    What only starting it can show, a wrong file format say, is not found here.
    """
    if "\0" in name or not name:
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), name)
    wanted = [name] if "/" in name else [f"{folder}/{name}" for folder in PATH.split(":")]
    modes = [mode for path in wanted if (mode := _mode(place(path))) is not None]
    if not modes:
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), name)
    if not any(stat.S_ISLNK(mode) or (stat.S_ISREG(mode) and mode & 0o111) for mode in modes):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), name)


def _mode(target: Path | None) -> int | None:
    """The mode of what lies there. A link is not followed: inside it may lead elsewhere than out here."""
    try:
        return None if target is None else target.lstat().st_mode
    except OSError:
        return None
