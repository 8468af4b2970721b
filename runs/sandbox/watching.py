"""Watch what no kernel counts for us: the memory of a tree of processes and the size of a folder, looked at again and
again. Between two looks a program can go past its limit, so this only stands in where nothing better can be had."""

import os
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from runs.sandbox.contract import Limits, Stop

LOOK_SECONDS = 0.1
# Looking may take up to this share of the time.
SHARE = 0.1
PAGE = os.sysconf("SC_PAGE_SIZE")


@dataclass(slots=True)
class Watch:
    """Looks after one command. `first` is the process above all others, None while it is not known.

    `used` gives the bytes and the number of files in the workspace, where they have no limit of their own.
    """

    limits: Limits
    first: Callable[[], int | None] | None = None
    used: Callable[[], tuple[int, int]] | None = None
    next_look: float = 0.0

    def look(self) -> Stop:
        """Which limit is passed; hardly ever looks more often than useful."""
        began = time.monotonic()
        if began < self.next_look:
            return Stop.NONE
        stop = self._memory() or self._disk()
        spent = time.monotonic() - began
        self.next_look = began + max(LOOK_SECONDS, spent / SHARE)
        return stop

    def _memory(self) -> Stop:
        pid = self.first() if self.first is not None else None
        if pid is None:
            return Stop.NONE
        pids = list(tree(pid))
        if sum(map(resident, pids)) > self.limits.memory_bytes:
            return Stop.MEMORY
        return Stop.PROCESSES if len(pids) > 2 * self.limits.processes else Stop.NONE

    def _disk(self) -> Stop:
        size, files = self.used() if self.used is not None else (0, 0)
        return Stop.DISK if size > self.limits.disk_bytes or files > self.limits.inodes else Stop.NONE


def tree(pid: int) -> Iterator[int]:
    """A process and all that descend from it, as far as their parents live."""
    waiting = [pid]
    while waiting:
        parent = waiting.pop()
        yield parent
        try:
            for task in Path(f"/proc/{parent}/task").iterdir():
                waiting += map(int, (task / "children").read_text().split())
        except OSError:
            continue


def resident(pid: int) -> int:
    """The bytes of memory that a process holds; 0 when it is gone."""
    try:
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * PAGE
    except (OSError, IndexError):
        return 0
