"""Mount and unmount file systems that hold their files in memory and end at a size. Needs root."""

import ctypes
import os
from pathlib import Path

MS_NOSUID, MS_NODEV = 2, 4
MNT_DETACH, UMOUNT_NOFOLLOW = 2, 8

_libc = ctypes.CDLL(None, use_errno=True)


def mount_memory(target: Path, *, size: int, inodes: int, user: int) -> None:
    """A file system of so many bytes and files that belongs to a user. Raises OSError."""
    # Others may pass through the top directory: a sandbox changes into it before it becomes that user.
    options = f"size={size},nr_inodes={inodes},uid={user},gid={user},mode=711"
    done = _libc.mount(b"tmpfs", os.fsencode(target), b"tmpfs", MS_NOSUID | MS_NODEV, options.encode())
    if done != 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number), str(target))


def unmount(target: Path) -> None:
    """Take a mount away, at once for everybody who looks; nothing happens where there is none."""
    if os.geteuid() == 0:
        # Fails, and does nothing, where there is no mount: quicker than to look first.
        _libc.umount2(os.fsencode(target), MNT_DETACH | UMOUNT_NOFOLLOW)
