"""Control groups: limits on the memory and the processes of a whole sandbox, in version 1 and version 2.

A group is made below the worker's own where that can be, so what bounds the worker bounds its sandboxes too. In
version 2 a group that holds processes cannot hand limits on to groups below it, so the nearest one above is taken that
can; with systemd's `Delegate=` and `DelegateSubgroup=` that is the service's own.
"""

import contextlib
import os
import signal
import threading
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import TracebackType
from typing import Self

from runs.sandbox.contract import Limits, SandboxUnavailable, Stop

CONTROLLERS = ("memory", "pids")
END_SECONDS = 5.0
PAUSE_SECONDS = 0.001


@dataclass(frozen=True, slots=True)
class Parents:
    """Where groups can be made: one folder for each controller in version 1, one for all in version 2."""

    folders: tuple[Path, ...]
    version: int
    # Whether these are the very groups that this process is in.
    are_own: bool = False


@dataclass(frozen=True, slots=True)
class Reached:
    """How often the kernel ended a process for want of memory, and refused to make one."""

    memory: int = 0
    processes: int = 0

    def stop_since(self, before: "Reached") -> Stop:
        """Which limit was reached in between."""
        if self.memory > before.memory:
            return Stop.MEMORY
        return Stop.PROCESSES if self.processes > before.processes else Stop.NONE


@dataclass(frozen=True, slots=True)
class Group:
    """The limits of one sandbox."""

    folders: tuple[Path, ...]
    version: int
    parents: Parents | None = None

    def make(self, limits: Limits) -> None:
        """Raises SandboxUnavailable."""
        try:
            for folder in self.folders:
                folder.mkdir(exist_ok=True)
            for name, value in _settings(self.version, limits).items():
                self._write(name, value)
        except OSError as error:
            raise SandboxUnavailable(f"cannot set limits by control groups: {error}") from error

    def enter(self) -> bool:
        """Put only the calling thread in, so that what it starts is in from the beginning; False where that cannot be.

        To move a whole process the kernel stops the whole machine's making of processes for some milliseconds; a
        thread moves itself without. The thread must `leave` at once, before anything in the group runs: the kernel
        could otherwise choose the worker when the group's memory ends.
        """
        if self.version != 1 or self.parents is None or not self.parents.are_own:
            return False
        # The memory of a process is counted where its first thread is.
        if threading.get_native_id() == os.getpid():
            return False
        move_thread(self.folders)
        return True

    def leave(self) -> None:
        """Put the thread back. Raises SandboxUnavailable."""
        try:
            move_thread(self.parents.folders if self.parents is not None else ())
        except OSError as error:
            raise SandboxUnavailable(f"a thread of the worker cannot leave a control group: {error}") from error

    def add(self, pid: int) -> None:
        """Put a process in; what it starts from now on is in as well. Raises OSError."""
        for folder in self.folders:
            write(f"{folder}/cgroup.procs", str(pid))

    def end_all(self, seconds: float) -> bool:
        """Kill whatever is in the group until nothing is; False when that takes longer than so many seconds."""
        deadline = time.monotonic() + seconds
        while _kill_all(self.folders[0]):
            if time.monotonic() > deadline:
                return False
            time.sleep(PAUSE_SECONDS)
        return True

    def reached(self) -> Reached:
        """How often the limits were reached since the group was made."""
        memory = self._count("memory.oom_control" if self.version == 1 else "memory.events", "oom_kill")
        return Reached(memory, self._count("pids.events", "max"))

    def _write(self, name: str, value: int) -> None:
        # In version 1 the controllers, which begin the names of their files, have a folder each and in this order.
        controller = name.partition(".")[0]
        folder = self.folders[CONTROLLERS.index(controller) if len(self.folders) > 1 else 0]
        try:
            write(f"{folder}/{name}", str(value))
        except FileNotFoundError:
            if name not in OPTIONAL:
                raise

    def _count(self, name: str, key: str) -> int:
        for folder in self.folders:
            with contextlib.suppress(OSError, ValueError):
                lines = dict(line.split(maxsplit=1) for line in (folder / name).read_text().splitlines())
                return int(lines.get(key, 0))
        return 0


def move_thread(folders: Iterable[Path]) -> None:
    """Put the thread that calls into these groups of version 1. Raises OSError."""
    for folder in folders:
        write(f"{folder}/tasks", "0")


def write(file: str, text: str) -> None:
    """Write a setting; the kernel has made the file. Raises OSError."""
    handle = os.open(file, os.O_WRONLY | os.O_CLOEXEC)
    try:
        os.write(handle, text.encode())
    finally:
        os.close(handle)


@dataclass(slots=True)
class Joining:
    """The start of a process that is in a group from its beginning: start it inside, and tell its number at once."""

    group: Group | None
    is_inside: bool = False

    def __enter__(self) -> Self:
        with contextlib.suppress(OSError):
            self.is_inside = self.group is not None and self.group.enter()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.is_inside and self.group is not None:
            self.is_inside = False
            self.group.leave()

    def started(self, pid: int) -> None:
        """The process is there. Raises OSError when it cannot be put in, SandboxUnavailable."""
        if self.is_inside:
            self.__exit__(None, None, None)
        elif self.group is not None:
            self.group.add(pid)


# A kernel that does not count swap has no such file.
OPTIONAL = ("memory.memsw.limit_in_bytes", "memory.swap.max")


def _settings(version: int, limits: Limits) -> dict[str, int]:
    if version == 1:
        memory = dict.fromkeys(("memory.limit_in_bytes", "memory.memsw.limit_in_bytes"), limits.memory_bytes)
    else:
        memory = {"memory.max": limits.memory_bytes, "memory.swap.max": 0}
    return {**memory, "pids.max": limits.processes}


def group_of(slot: int) -> Group | None:
    """The group for the workspace of a slot, not made yet; None where this process may make none."""
    parents = writable_parents()
    if parents is None:
        return None
    name = f"packwright-{os.getpid()}-{slot}"
    return Group(tuple(folder / name for folder in parents.folders), parents.version, parents)


@cache
def writable_parents() -> Parents | None:
    """Where this process may make groups that limit memory and processes."""
    try:
        mounted = Path("/proc/self/mountinfo").read_text()
        own = Path("/proc/self/cgroup").read_text()
    except OSError:
        return None
    return next(filter(can_hold_groups, candidates(mounted, own)), None)


def candidates(mounted: str, own: str) -> Iterator[Parents]:
    """The places to try, as `/proc/self/mountinfo` and `/proc/self/cgroup` (their texts are given) lead to them."""
    mine = {}
    for line in own.splitlines():
        _, names, path = line.split(":", 2)
        mine.update(dict.fromkeys(names.split(","), path))
    first = [_place(mounted, name, mine.get(name, "/")) for name in CONTROLLERS]
    if all(first):
        places = [place for place in first if place]
        folders = tuple(dict.fromkeys(place.folder for place in places))
        yield Parents(folders, 1, are_own=all(place.is_own for place in places))
    second = _place(mounted, "", mine.get("", "/"))
    if second is not None:
        for folder in (second.folder, *second.folder.parents):
            if folder.is_relative_to(second.top):
                yield Parents((folder,), 2)


@dataclass(frozen=True, slots=True)
class GroupFolder:
    """A group's folder in its hierarchy, which is mounted at `top`."""

    folder: Path
    top: Path
    is_own: bool


def _place(mounted: str, controller: str, path: str) -> GroupFolder | None:
    """Where a controller's group is; the empty name is version 2."""
    for line in mounted.splitlines():
        fields, _, rest = line.partition(" - ")
        kind, _, options = rest.split(" ", 2)
        if (kind == "cgroup" and controller in options.split(",")) if controller else kind == "cgroup2":
            root, point = fields.split()[3:5]
            inside = path.removeprefix(root) if root != "/" else path
            folder = Path(point) / inside.strip("/")
            return GroupFolder(folder if folder.is_dir() else Path(point), Path(point), folder.is_dir())
    return None


def can_hold_groups(parents: Parents) -> bool:
    """Whether a group can be made there, and limits what it should."""
    folders = tuple(folder / f"packwright-{os.getpid()}-try" for folder in parents.folders)
    try:
        _hand_on(parents)
        Group(folders, parents.version).make(Limits())
    except (OSError, SandboxUnavailable):
        return False
    finally:
        remove(folders)
    return True


def _hand_on(parents: Parents) -> None:
    """In version 2, have the groups below limited as well. Raises OSError where that cannot be."""
    for folder in parents.folders if parents.version == 2 else ():
        handed = folder / "cgroup.subtree_control"
        if not set(CONTROLLERS) <= set(handed.read_text().split()):
            handed.write_text(" ".join(f"+{name}" for name in CONTROLLERS))


def remove(folders: Iterable[Path]) -> None:
    """Kill what is left in groups and take them away; what resists stays, without an error."""
    for folder in folders:
        deadline = time.monotonic() + END_SECONDS
        while not _removed(folder) and time.monotonic() < deadline:
            _kill_all(folder)
            time.sleep(PAUSE_SECONDS)


def _removed(folder: Path) -> bool:
    try:
        os.rmdir(folder)
    except FileNotFoundError:
        return True
    except OSError:
        return False
    return True


def _kill_all(folder: Path) -> int:
    """Kill what is in a group; gives how many processes that were."""
    try:
        with open(f"{folder}/cgroup.procs", encoding="ascii") as opened:
            pids = opened.read().split()
    except OSError:
        return 0
    for pid in pids:
        with contextlib.suppress(ProcessLookupError):
            os.kill(int(pid), signal.SIGKILL)
    return len(pids)
