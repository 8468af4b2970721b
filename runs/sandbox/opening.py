"""Give back to the owner of files what programs took away: the right to read them, and to change what lies in folders.

Programs of an agent can end with `chmod 0 .`, and as root, where nothing confines them, with `chattr +i`. Neither may
keep anybody from looking at what they left. Nothing runs in the workspace meanwhile.
"""

import contextlib
import fcntl
import os
import stat
from pathlib import Path

from runs.sandbox.walking import walk

GET_FLAGS, SET_FLAGS = 0x80086601, 0x40086602
# What keeps even root from changing a file (linux/fs.h): immutable, append only.
LOCKED = 0x10 | 0x20
FLAG_BYTES = 8


def open_up(root: Path) -> None:
    """Make a folder and all below it accessible to its owner. What resists stays as it is."""
    waiting = [str(root)]
    while waiting:
        folder = waiting.pop()
        # A path can be longer than the kernel takes.
        with contextlib.suppress(OSError):
            _allow(folder, os.stat(folder, follow_symlinks=False), stat.S_IRWXU)
            with os.scandir(folder) as entries:
                for entry in entries:
                    if entry.is_dir(follow_symlinks=False):
                        waiting.append(entry.path)
                    elif entry.is_file(follow_symlinks=False):
                        _open_file(entry)


def _open_file(entry: os.DirEntry[str]) -> None:
    """Make a file readable; not one with another name, which could lie outside."""
    status = entry.stat(follow_symlinks=False)
    if status.st_nlink == 1:
        _allow(entry.path, status, stat.S_IRUSR)


def _allow(path: str, status: os.stat_result, rights: int) -> None:
    mode = stat.S_IMODE(status.st_mode)
    if mode & rights != rights and not stat.S_ISLNK(status.st_mode):
        with contextlib.suppress(OSError):
            os.chmod(path, mode | rights)


def unlock(root: Path) -> None:
    """Take the flags away that keep files from being changed; only root can set them, and only root can do this."""
    if os.geteuid() != 0:
        return
    _unlock(str(root))
    for found in walk(root):
        # Links, pipes and sockets have no flags.
        if found.is_directory or stat.S_ISREG(found.status.st_mode):
            _unlock(found.path)


def _unlock(path: str) -> None:
    with contextlib.suppress(OSError):
        handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
        try:
            flags = bytearray(FLAG_BYTES)
            fcntl.ioctl(handle, GET_FLAGS, flags)
            if flags[0] & LOCKED:
                flags[0] &= ~LOCKED & 0xFF
                fcntl.ioctl(handle, SET_FLAGS, bytes(flags))
        finally:
            os.close(handle)
