"""Look for a program before a sandbox is started for it: one that is missing is no failed one."""

import errno
import os
import stat
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

# Where on the machine a path of the sandbox lies; None where the sandbox has nothing there.
Locate = Callable[[str], Path | None]

PATH = "/usr/local/bin:/usr/bin:/bin"
# Programs write UTF-8. In all else that locale is what they have anyway, and LANG would make each look for its files,
# which takes as long as starting `cat`.
LOCALE = {"LC_CTYPE": "C.UTF-8"}


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
