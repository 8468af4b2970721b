"""Numbered places for workspaces on this machine: each has a folder of its own, and a user number to run under.

A slot belongs to the process that holds the lock on its file, and the kernel lets go of that lock when the holder
dies. So a slot whose folder is there while nobody holds the lock was left behind by a worker that was killed. The next
worker that comes across it cleans it up: processes, control groups, mounts, folder.

Folders for temporary files differ between studios, and user numbers and control groups do not: root's workers hold a
second lock, at one place for the whole machine, so that nobody ends the programs of another studio. What ends all
programs of a user inherits that lock, and so keeps the number of a worker that was killed until it has ended them.
"""

import contextlib
import fcntl
import os
import signal
import stat
import tempfile
import threading
import time
from collections import deque
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
FOLDER_MODE = 0o700
# Where root's workers of all studios find each other's locks.
SHARED = Path("/run/packwright-sandbox")
# In what the kernel counts when a process was started.
TICKS = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True, slots=True)
class Lock:
    """The handle of a slot's own lock, which holds the notes of what is to be cleaned up, and those of others."""

    notes: int
    others: tuple[int, ...]

    def release(self) -> None:
        for handle in (self.notes, *self.others):
            os.close(handle)


@dataclass(frozen=True, slots=True)
class Slot:
    """A locked slot with an empty folder. What is to be cleaned up after its holder's death is noted in its lock."""

    number: int
    folder: Path
    lock: Lock

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
        """Remember a process group that was started just now."""
        # Its own time of start could only be read once it has begun its program, which takes a while.
        self._note(f"process {pid} {int(time.clock_gettime(time.CLOCK_BOOTTIME) * TICKS)}")

    def note_cgroups(self, groups: tuple[Path, ...]) -> None:
        """Remember control groups before they are made."""
        for group in groups:
            self._note(f"cgroup {group}")

    def _note(self, line: str) -> None:
        os.write(self.lock.notes, f"{line}\n".encode())


def scratch_of(folder: Path) -> Path:
    return folder.with_name(f"{folder.name}-scratch")


@contextmanager
def take_slot() -> Iterator[Slot]:
    """A slot of one's own, cleaned up afterwards. Raises SandboxUnavailable when there is none."""
    slot = STOCK.take() or _free_slot()
    try:
        yield slot
    finally:
        clean(slot.folder, slot.lock, keep=STOCK.is_open)
        STOCK.put_back(slot)


def _free_slot() -> Slot:
    """The first slot that nobody holds."""
    base = base_folder()
    for number in range(MAX_SLOTS):
        lock = _lock(base, number)
        if lock is None:
            continue
        try:
            return _opened(base / str(number), lock)
        except BaseException:
            lock.release()
            raise
    raise SandboxUnavailable(f"all {MAX_SLOTS} places for workspaces in {base} are taken")


class Stock:
    """Clean slots that a process holds on to while it opens one workspace after the other.

    Folders of a disk are made and removed one at a time, and programs that start side by side would wait for that
    longer than they run. A folder is used again only as it was made: empty, private, with nothing attached to it.
    """

    def __init__(self) -> None:
        self.keepers = 0
        self.slots: deque[Slot] = deque()
        self.lock = threading.Lock()

    @property
    def is_open(self) -> bool:
        return self.keepers > 0

    @contextmanager
    def open(self) -> Iterator[None]:
        """Keep slots until the last one who asked for it has finished."""
        with self.lock:
            self.keepers += 1
        try:
            yield
        finally:
            with self.lock:
                self.keepers -= 1
                given_up = [] if self.keepers else [self.slots.popleft() for _ in range(len(self.slots))]
            for slot in given_up:
                _give_up(slot)

    def take(self) -> Slot | None:
        """One of the slots; None where there is none."""
        while True:
            try:
                slot = self.slots.pop()
            except IndexError:
                return None
            if _is_as_made(slot.folder):
                return slot
            _give_up(slot)

    def put_back(self, slot: Slot) -> None:
        """Keep a slot that was cleaned up, or give it up where nobody wants slots kept."""
        with self.lock:
            is_kept = self.is_open
            if is_kept:
                self.slots.append(slot)
        if not is_kept:
            _give_up(slot)


STOCK = Stock()


def _give_up(slot: Slot) -> None:
    clean(slot.folder, slot.lock)
    slot.lock.release()


def _is_as_made(folder: Path) -> bool:
    """Whether a folder is the worker's own, empty, and has nothing that a program could have left on it."""
    try:
        status = folder.lstat()
        with os.scandir(folder) as entries:
            is_empty = next(entries, None) is None
        is_private = stat.S_ISDIR(status.st_mode) and stat.S_IMODE(status.st_mode) == FOLDER_MODE
        return is_empty and is_private and status.st_uid == os.geteuid() and not os.listxattr(folder)
    except OSError:
        return False


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
        lock.release()


def is_taken(number: int) -> bool:
    """Whether somebody holds a slot at this moment."""
    lock = _lock(base_folder(), number)
    if lock is None:
        return True
    lock.release()
    return False


def clean(folder: Path, lock: Lock, *, keep: bool = False) -> None:
    """End and remove everything that belongs to a slot; with `keep`, a folder that is as it was made stays.

    Never raises: what resists is left for the next sweep.
    """
    notes = os.pread(lock.notes, MAX_NOTES, 0).decode().splitlines()
    cgroups.remove([Path(line.removeprefix("cgroup ")) for line in notes if line.startswith("cgroup ")])
    for line in [line for line in notes if line.startswith("process ")]:
        _end_process(*line.split()[1:])
    # The workspace comes last: as long as it is there, the slot counts as not cleaned up.
    drop_scratch(folder)
    mounts.unmount(folder)
    if not (keep and _is_as_made(folder)):
        remove_folder(folder)
    if notes:
        os.ftruncate(lock.notes, 0)


def drop_scratch(folder: Path) -> None:
    """Remove the temporary folder beside a slot's own; nothing happens where there is none."""
    scratch = scratch_of(folder)
    if os.path.lexists(scratch):
        mounts.unmount(scratch)
        remove_folder(scratch)


def base_folder() -> Path:
    """Where the slots of this user are. Raises SandboxUnavailable when the folder is not safely its own."""
    base = _real(tempfile.gettempdir()) / f"packwright-sandbox-{os.geteuid()}"
    try:
        with contextlib.suppress(FileExistsError):
            base.mkdir(mode=FOLDER_MODE)
            # Programs of other users pass through it; the process's mask would take that away.
            base.chmod(0o711)
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
        with open(f"/proc/{pid}/stat") as opened:
            return opened.read().rpartition(")")[2].split()[19]
    except (OSError, IndexError):
        return ""


def _lock(base: Path, number: int) -> Lock | None:
    """A slot's locks, None while somebody else holds one of them."""
    held: list[int] = []
    for folder in (*_shared(), base):
        handle = _locked(folder, number)
        if handle is None:
            for other in held:
                os.close(other)
            return None
        held.append(handle)
    return Lock(held[-1], tuple(held[:-1]))


def _locked(folder: Path, number: int) -> int | None:
    """The handle that holds the lock on a file, None while another does."""
    flags = os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW
    handle = os.open(f"{folder}/{number}.lock", flags, 0o600)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(handle)
        return None
    return handle


def _shared() -> tuple[Path, ...]:
    """The folder of the machine's locks; none where no program runs as another user, or nothing can be kept there."""
    if os.geteuid() != 0:
        return ()
    with contextlib.suppress(OSError):
        SHARED.mkdir(mode=FOLDER_MODE, exist_ok=True)
        return (SHARED,) if os.access(SHARED, os.W_OK) else ()
    return ()


def _opened(folder: Path, lock: Lock) -> Slot:
    try:
        if os.fstat(lock.notes).st_size or folder.exists():
            clean(folder, lock)
        folder.mkdir(mode=FOLDER_MODE)
    except OSError as error:
        raise SandboxUnavailable(f"cannot make a workspace: {error}") from error
    return Slot(int(folder.name), folder, lock)


def _end_process(pid: str, noted: str = "") -> None:
    """Kill a noted process group, unless its number belongs to somebody else by now, who then was started later."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        # Most were waited for, and asking for their group takes less than looking for their files.
        os.killpg(int(pid), 0)
        started = start_time(int(pid))
        if started and noted and int(started) <= int(noted):
            os.killpg(int(pid), signal.SIGKILL)
