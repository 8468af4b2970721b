"""Look for a program before a sandbox is started for it: one that is missing is no failed one."""

import errno
import os
import stat
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from runs.sandbox.contract import Command, Room

# Where on the machine a path of the sandbox lies; None where the sandbox has nothing there.
Locate = Callable[[str], Path | None]

# A temporary folder that is made for each command, where a sandbox has a file system of its own.
TEMPORARY = "/tmp"
PATH = "/usr/local/bin:/usr/bin:/bin"
# Programs write UTF-8. In all else that locale is what they have anyway, and LANG would make each look for its files,
# which takes as long as starting `cat`.
LOCALE = {"LC_CTYPE": "C.UTF-8"}
# Where tools keep what they worked out.
STORES = ("MYPY_CACHE_DIR", "RUFF_CACHE_DIR")


def variables_of(room: Room, command: Command, home: str) -> dict[str, str]:
    """What a program finds in its environment beside the PATH: what room and command state, and what is the sandbox's.

    For a command with a home of its own, tools keep what they store for the next time there as well: what an agent left
    in their name would be believed.
    """
    stated = {**room.variables, **(command.variables or {}), "HOME": home, **LOCALE}
    if not command.own_home:
        return stated
    stores = {name: f"{home}/.cache/{name.lower()}" for name in STORES}
    return {**stated, **stores, "TMPDIR": home, "PYTHONNOUSERSITE": "1"}


def check_texts(arguments: Sequence[str], variables: Mapping[str, str]) -> None:
    """Raises FileNotFoundError for arguments and variables that no program can be given."""
    if not arguments:
        raise FileNotFoundError(errno.ENOENT, "no program is named", "")
    if any("\0" in text for text in (*arguments, *variables, *variables.values())):
        raise FileNotFoundError(errno.EINVAL, "an argument or variable holds a zero byte", arguments[0])


def check_program(name: str, locate: Locate) -> None:
    """Raises FileNotFoundError or PermissionError for a program that cannot be started.

    What only starting it can show, a wrong file format say, is not found here.
    """
    wanted = [name] if "/" in name else [f"{folder}/{name}" for folder in PATH.split(":")]
    modes = [mode for path in wanted if (mode := _mode(locate(path))) is not None]
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
