"""One start of bubblewrap: hand it its options, put it under limits before it does anything, and see it off.

The options come through a pipe. Until that is closed bubblewrap waits and is one process only: limits and control
groups that are set meanwhile hold for all that it will start, and nobody reads the options in a list of processes.
"""

import contextlib
import json
import os
import resource
import select
import signal
from collections.abc import Sequence
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any, Self

from runs.sandbox.bubblewrap.arguments import where
from runs.sandbox.bubblewrap.modes import Mode
from runs.sandbox.cgroups import Joining
from runs.sandbox.contract import Limits, SandboxUnavailable

START_SECONDS = 10.0
END_SECONDS = 10.0
# Leaves room for a monitor and a first process beside the program's own.
OWN_PROCESSES = 4


@dataclass(slots=True)
class Start:
    """The pipes of one start, and what bubblewrap tells of it."""

    mode: Mode
    options: Sequence[str]
    limits: Limits
    joining: Joining
    filter_of_calls: bytes
    pipes: dict[str, tuple[int, int]] = field(default_factory=dict)
    reported: bytes = b""
    first_process: int | None = None
    handle: int | None = None

    def __enter__(self) -> Self:
        for name in ("options", "filter", "told", *(("go",) if self.mode is Mode.USER else ())):
            self.pipes[name] = os.pipe()
        os.write(self.pipes["filter"][1], self.filter_of_calls)
        self._close("filter", 1)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for name in list(self.pipes):
            self._close(name, 0)
            self._close(name, 1)
        if self.handle is not None:
            os.close(self.handle)

    @property
    def handles(self) -> tuple[int, ...]:
        """What bubblewrap inherits."""
        return tuple(self.pipes[name][side] for name, side in SIDES.items() if name in self.pipes)

    @property
    def command(self) -> list[str]:
        """The command line without the program."""
        return [where("bwrap"), "--args", str(self.pipes["options"][0]), "--"]

    def begin(self, pid: int) -> None:
        """Set the limits of a bubblewrap that waits for its options, and let it go. Raises SandboxUnavailable."""
        handles = self._options_of_handles()
        for name, side in SIDES.items():
            self._close(name, side)
        try:
            self.joining.started(pid)
            set_limits(pid, self.limits, counts_memory=self.joining.group is not None)
            if self.mode is Mode.ROOT:
                # Root itself is not bound by it, so it comes to hold when the user changes.
                lower(pid, resource.RLIMIT_NPROC, self.limits.processes + OWN_PROCESSES)
            self._send_options(handles)
        except OSError as error:
            raise SandboxUnavailable(f"cannot start a sandbox: {error}") from error
        # A control group tells by itself what still runs; each look at bubblewrap costs a change of processes.
        if self.joining.group is None or self.mode is Mode.USER:
            self._meet_first_process()

    def settle(self) -> None:
        """Wait until nothing runs any more. Raises SandboxUnavailable when something does not end."""
        if self.handle is None:
            if self.joining.group is not None and not self.joining.group.end_all(END_SECONDS):
                raise SandboxUnavailable("the processes of a sandbox do not end")
            return
        with contextlib.suppress(ProcessLookupError):
            # It ends with bubblewrap; this is for a bubblewrap that died before it could see to that.
            signal.pidfd_send_signal(self.handle, signal.SIGKILL)
        if not select.select([self.handle], [], [], END_SECONDS)[0]:
            raise SandboxUnavailable("the processes of a sandbox do not end")

    def exit_code(self) -> int | None:
        """What the first program ended with; None when it never started."""
        while part := os.read(self.pipes["told"][0], 4096):
            self.reported += part
        return next((reported["exit-code"] for reported in self._documents() if "exit-code" in reported), None)

    def _options_of_handles(self) -> list[str]:
        reported = ["--seccomp", str(self.pipes["filter"][0]), "--json-status-fd", str(self.pipes["told"][1])]
        return [*reported, "--block-fd", str(self.pipes["go"][0])] if "go" in self.pipes else reported

    def _send_options(self, handles: Sequence[str]) -> None:
        with open(self.pipes["options"][1], "wb", closefd=False) as opened, contextlib.suppress(BrokenPipeError):
            opened.write("\0".join((*self.options, *handles, "")).encode("utf-8", "surrogateescape"))
        self._close("options", 1)

    def _meet_first_process(self) -> None:
        """Get hold of the process that all others in the sandbox end with."""
        while not (reported := self._documents()):
            if not select.select([self.pipes["told"][0]], [], [], START_SECONDS)[0]:
                raise SandboxUnavailable("bubblewrap does not start")
            part = os.read(self.pipes["told"][0], 4096)
            if not part:
                return
            self.reported += part
        self.first_process = int(reported[0]["child-pid"])
        with contextlib.suppress(ProcessLookupError):
            self.handle = os.pidfd_open(self.first_process)
            if "go" in self.pipes:
                self._let_user_go(self.first_process)

    def _let_user_go(self, pid: int) -> None:
        """In its own namespace the user's other processes do not count against this limit, so it is set only here."""
        with contextlib.suppress(PermissionError):
            lower(pid, resource.RLIMIT_NPROC, self.limits.processes + OWN_PROCESSES)
        with contextlib.suppress(BrokenPipeError):
            os.write(self.pipes["go"][1], b"1")

    def _documents(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.reported.split(b"\n")[:-1] if line.strip()]

    def _close(self, name: str, side: int) -> None:
        ends = self.pipes.get(name)
        if ends is not None and ends[side] >= 0:
            os.close(ends[side])
            self.pipes[name] = (-1, ends[1]) if side == 0 else (ends[0], -1)


# Which end of each pipe is bubblewrap's: 0 for reading, 1 for writing.
SIDES = {"options": 0, "filter": 0, "told": 1, "go": 0}


def set_limits(pid: int, limits: Limits, *, counts_memory: bool) -> None:
    """The limits of each process. Where a control group counts the memory of all, that of one needs no own limit."""
    lower(pid, resource.RLIMIT_FSIZE, limits.file_bytes)
    lower(pid, resource.RLIMIT_CPU, limits.cpu_seconds)
    lower(pid, resource.RLIMIT_NOFILE, limits.open_files)
    lower(pid, resource.RLIMIT_CORE, 0)
    if not counts_memory:
        lower(pid, resource.RLIMIT_DATA, limits.memory_bytes)


def lower(pid: int, kind: int, value: int) -> None:
    """Set a limit as low as wanted, never higher than it may be."""
    _, hard = resource.prlimit(pid, kind)
    wanted = value if hard == resource.RLIM_INFINITY else min(value, hard)
    resource.prlimit(pid, kind, (wanted, wanted))
