"""The two ways in which bubblewrap is safe, and what this machine lacks for them.

As root, bubblewrap mounts with root's own rights, and the program's user number really changes before it starts. As an
ordinary user it makes a user namespace, in which no further ones can be made. Root inside a user namespace stays root
to the files of the machine, so that combination does not exist here.
"""

import os
import shutil
from enum import StrEnum
from pathlib import Path

from runs.sandbox.slots import FIRST_USER, MAX_SLOTS

# Numbers of the capabilities (linux/capability.h) that a root needs for mounting and for changing the user.
NEEDED_BY_ROOT = {"CAP_SETGID": 6, "CAP_SETUID": 7, "CAP_SETPCAP": 8, "CAP_SYS_ADMIN": 21}


class Mode(StrEnum):
    """Who starts bubblewrap."""

    ROOT = "root"
    USER = "user"


def mode_of_process() -> Mode:
    """The only mode that is safe for this process: it follows from who it is, never from a choice."""
    return Mode.ROOT if os.geteuid() == 0 or os.getuid() == 0 else Mode.USER


def missing(mode: Mode) -> str:
    """What a mode lacks on this machine, in words; empty when all is there."""
    programs = ["bwrap", "setpriv"] if mode is Mode.ROOT else ["bwrap"]
    absent = [name for name in programs if shutil.which(name) is None]
    if absent:
        return f"The program {absent[0]} is not installed. Debian has it in the package {PACKAGES[absent[0]]}."
    return _missing_to_root(Path("/proc/self")) if mode is Mode.ROOT else ""


PACKAGES = {"bwrap": "bubblewrap", "setpriv": "util-linux"}


def _missing_to_root(process: Path) -> str:
    lacks = lacking_capabilities((process / "status").read_text())
    if lacks:
        return f"This root lacks {', '.join(lacks)}. Grant them to the worker, or run it as an ordinary user."
    if not has_users((process / "uid_map").read_text()):
        return f"The user numbers {FIRST_USER} to {FIRST_USER + MAX_SLOTS - 1} do not exist in this user namespace."
    return ""


def lacking_capabilities(status: str) -> list[str]:
    """The needed capabilities that the text of `/proc/PID/status` does not show as effective."""
    effective = next(int(line.split()[1], 16) for line in status.splitlines() if line.startswith("CapEff:"))
    return [name for name, number in NEEDED_BY_ROOT.items() if not effective >> number & 1]


def has_users(uid_map: str) -> bool:
    """Whether the text of `/proc/PID/uid_map` maps the numbers that slots use."""
    for line in uid_map.splitlines():
        first, _, count = map(int, line.split())
        if first <= FIRST_USER and first + count >= FIRST_USER + MAX_SLOTS:
            return True
    return False
