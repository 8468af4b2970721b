"""Numbered places for workspaces on this machine: each has a folder of its own, and a user number to run under.

A slot belongs to whoever holds the lock on its file, and the kernel lets go of that lock when the holder dies. So a
slot whose folder is there while nobody holds the lock was left behind by a worker that was killed, and whoever comes
across it cleans it up: processes, control groups, mounts, folder.
"""

import contextlib
import fcntl
import os
import signal
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from runs.sandbox import cgroups, mounts
from runs.sandbox.contract import SandboxUnavailable
from runs.sandbox.removal import remove_folder

MAX_SLOTS = 512
# User numbers that no distribution hands out by itself; slot n runs programs under FIRST_USER + n.
FIRST_USER = 58_000
WORK, SCRATCH = "work", "scratch"
PROCESS_FILE = "process"
CGROUPS_FILE = "cgroups"


@dataclass(frozen=True, slots=True)
class Slot:
    """A locked slot with an empty folder."""

    number: int
    folder: Path

    @property
    def user(self) -> int:
        return FIRST_USER + self.number

    @property
    def work(self) -> Path:
        return self.folder / WORK

    @property
    def scratch(self) -> Path:
        return self.folder / SCRATCH

    def note_process(self, pid: int) -> None:
        """Remember a process group, so that it can be ended after the death of this worker."""
        (self.folder / PROCESS_FILE).write_text(f"{pid} {start_time(pid)}")

    def note_cgroups(self, groups: tuple[Path, ...]) -> None:
        """Remember control groups before they are made."""
        (self.folder / CGROUPS_FILE).write_text("\n".join(map(str, groups)))


@contextmanager
def take_slot() -> Iterator[Slot]:
    """A slot of one's own, cleaned up afterwards. Raises SandboxUnavailable when there is none."""
    base = base_folder()
    for number in range(MAX_SLOTS):
        lock = _lock(base, number)
        if lock is None:
            continue
        try:
            yield _opened(base, number)
        finally:
            clean(base / str(number))
            os.close(lock)
        return
    raise SandboxUnavailable(f"all {MAX_SLOTS} places for workspaces in {base} are taken")


def sweep() -> int:
    """Clean up what workers that died have left; gives how many workspaces that were."""
    base = base_folder()
    swept = 0
    for folder in [entry for entry in base.iterdir() if entry.name.isdigit()]:
        lock = _lock(base, int(folder.name))
        if lock is None:
            continue
        try:
            if folder.exists():
                clean(folder)
                swept += 1
        finally:
            os.close(lock)
    return swept


def clean(folder: Path) -> None:
    """End and remove everything that belongs to a slot. Never raises: what resists is left for the next sweep."""
    if not folder.exists():
        return
    with contextlib.suppress(OSError):
        _end_process(folder / PROCESS_FILE)
        _end_cgroups(folder / CGROUPS_FILE)
    for name in (WORK, SCRATCH):
        mounts.unmount(folder / name)
    remove_folder(folder)


def base_folder() -> Path:
    """Where the slots of this user are. Raises SandboxUnavailable when the folder is not safely its own."""
    base = Path(tempfile.gettempdir()) / f"packwright-sandbox-{os.geteuid()}"
    try:
        base.mkdir(mode=0o711, exist_ok=True)
        status = base.lstat()
    except OSError as error:
        raise SandboxUnavailable(f"cannot make the folder for workspaces: {error}") from error
    # The folder lies where everybody may write, so somebody else can have made one of that name.
    if not stat.S_ISDIR(status.st_mode) or status.st_uid != os.geteuid() or status.st_mode & 0o022:
        raise SandboxUnavailable(f"{base} must be a folder of user {os.geteuid()} that nobody else can write")
    return base


def start_time(pid: int) -> str:
    """When a process was started, in ticks since the machine was; empty when there is none. With its number, unique."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[19]
    except (OSError, IndexError):
        return ""


def _lock(base: Path, number: int) -> int | None:
    """The handle that holds a slot's lock, None while somebody else does."""
    handle = os.open(base / f"{number}.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(handle)
        return None
    return handle


def _opened(base: Path, number: int) -> Slot:
    folder = base / str(number)
    clean(folder)
    try:
        folder.mkdir(mode=0o711)
        (folder / WORK).mkdir()
    except OSError as error:
        raise SandboxUnavailable(f"cannot make a workspace: {error}") from error
    return Slot(number, folder.resolve())


def _end_process(note: Path) -> None:
    """Kill a noted process group, unless its number belongs to somebody else by now."""
    if not note.exists():
        return
    pid, _, started = note.read_text().partition(" ")
    if started and start_time(int(pid)) == started:
        os.killpg(int(pid), signal.SIGKILL)


def _end_cgroups(note: Path) -> None:
    if note.exists():
        cgroups.remove([Path(line) for line in note.read_text().splitlines()])
