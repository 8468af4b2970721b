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
from functools import cache
from pathlib import Path

from runs.sandbox import cgroups, mounts
from runs.sandbox.contract import SandboxUnavailable
from runs.sandbox.removal import remove_folder

MAX_SLOTS = 512
# User numbers that no distribution hands out by itself; slot n runs programs under FIRST_USER + n.
FIRST_USER = 58_000
MAX_NOTES = 4096


@dataclass(frozen=True, slots=True)
class Slot:
    """A locked slot with an empty folder. What is to be cleaned up after its holder's death is noted in its lock."""

    number: int
    folder: Path
    lock: int

    @property
    def user(self) -> int:
        return FIRST_USER + self.number

    @property
    def work(self) -> Path:
        return self.folder

    @property
    def scratch(self) -> Path:
        return scratch_of(self.folder)

    def note_process(self, pid: int) -> None:
        """Remember a process group."""
        self._note(f"process {pid} {start_time(pid)}")

    def note_cgroups(self, groups: tuple[Path, ...]) -> None:
        """Remember control groups before they are made."""
        for group in groups:
            self._note(f"cgroup {group}")

    def _note(self, line: str) -> None:
        os.write(self.lock, f"{line}\n".encode())


def scratch_of(folder: Path) -> Path:
    return folder.with_name(f"{folder.name}-scratch")


@contextmanager
def take_slot() -> Iterator[Slot]:
    """A slot of one's own, cleaned up afterwards. Raises SandboxUnavailable when there is none."""
    base = base_folder()
    for number in range(MAX_SLOTS):
        lock = _lock(base, number)
        if lock is None:
            continue
        folder = base / str(number)
        try:
            yield _opened(folder, lock)
        finally:
            clean(folder, lock)
            os.close(lock)
        return
    raise SandboxUnavailable(f"all {MAX_SLOTS} places for workspaces in {base} are taken")


def sweep() -> int:
    """Clean up what workers that died have left; gives how many workspaces that were."""
    base = base_folder()
    numbers = {entry.name.removesuffix("-scratch") for entry in base.iterdir()}
    return sum(_swept(base, int(number)) for number in numbers if number.isdigit())


def _swept(base: Path, number: int) -> bool:
    """Clean up one slot, unless somebody holds it or did so just before."""
    lock = _lock(base, number)
    if lock is None:
        return False
    try:
        folder = base / str(number)
        if not folder.exists() and not scratch_of(folder).exists():
            return False
        clean(folder, lock)
        return True
    finally:
        os.close(lock)


def is_taken(number: int) -> bool:
    """Whether somebody holds a slot at this moment."""
    lock = _lock(base_folder(), number)
    if lock is None:
        return True
    os.close(lock)
    return False


def clean(folder: Path, lock: int) -> None:
    """End and remove everything that belongs to a slot. Never raises: what resists is left for the next sweep."""
    notes = os.pread(lock, MAX_NOTES, 0).decode().splitlines()
    cgroups.remove([Path(line.removeprefix("cgroup ")) for line in notes if line.startswith("cgroup ")])
    for line in [line for line in notes if line.startswith("process ")]:
        _end_process(*line.split()[1:])
    # The workspace comes last: as long as it is there, the slot counts as not cleaned up.
    for place in (scratch_of(folder), folder):
        mounts.unmount(place)
        remove_folder(place)
    if notes:
        os.ftruncate(lock, 0)


def base_folder() -> Path:
    """Where the slots of this user are. Raises SandboxUnavailable when the folder is not safely its own."""
    base = _real(tempfile.gettempdir()) / f"packwright-sandbox-{os.geteuid()}"
    try:
        base.mkdir(mode=0o711, exist_ok=True)
        status = base.lstat()
    except OSError as error:
        raise SandboxUnavailable(f"cannot make the folder for workspaces: {error}") from error
    # The folder lies where everybody may write, so somebody else can have made one of that name.
    if not stat.S_ISDIR(status.st_mode) or status.st_uid != os.geteuid() or status.st_mode & 0o022:
        raise SandboxUnavailable(f"{base} must be a folder of user {os.geteuid()} that nobody else can write")
    return base


@cache
def _real(folder: str) -> Path:
    return Path(folder).resolve()


def start_time(pid: int) -> str:
    """When a process was started, in ticks since the machine was; empty when there is none. With its number, unique."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[19]
    except (OSError, IndexError):
        return ""


def _lock(base: Path, number: int) -> int | None:
    """The handle that holds a slot's lock, None while somebody else does."""
    flags = os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW
    handle = os.open(f"{base}/{number}.lock", flags, 0o600)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(handle)
        return None
    return handle


def _opened(folder: Path, lock: int) -> Slot:
    try:
        if os.fstat(lock).st_size or folder.exists():
            clean(folder, lock)
        folder.mkdir(mode=0o700)
    except OSError as error:
        raise SandboxUnavailable(f"cannot make a workspace: {error}") from error
    return Slot(int(folder.name), folder, lock)


def _end_process(pid: str, started: str = "") -> None:
    """Kill a noted process group, unless its number belongs to somebody else by now."""
    if started and start_time(int(pid)) == started:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(int(pid), signal.SIGKILL)
