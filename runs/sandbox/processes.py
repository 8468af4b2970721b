"""Run one program as a process group of its own, with a deadline, and leave nothing of it behind."""

import contextlib
import errno
import os
import select
import signal
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

from runs.sandbox.contract import PIPE_BYTES, Command, CommandResult, SandboxUnavailable, Stop
from runs.sandbox.output import Output

CHUNK = 64 * 1024
# How often a running command is looked at for cancellation and for children that keep its output open, in seconds.
LOOK_SECONDS = 0.1


@dataclass(frozen=True, slots=True)
class Launch:
    """How a program is started: the whole argument list, the directory and environment of its first process.

    `handles` are the file handles that it inherits. `begin` is called with the number of the process as soon as it is
    there; `look` is asked again and again whether a limit is reached; `settle` waits until nothing is left of it. A
    process that sees to the end of others itself is asked to end, and has `grace` seconds for that.
    """

    arguments: Sequence[str]
    directory: Path
    variables: Mapping[str, str]
    handles: tuple[int, ...] = ()
    begin: Callable[[int], None] | None = None
    look: Callable[[], Stop] | None = None
    settle: Callable[[], None] | None = None
    grace: float = 0.0


def run_process(command: Command, launch: Launch) -> CommandResult:
    """Run a program to its end or its limit.

    Raises FileNotFoundError or PermissionError when it cannot be started, SandboxUnavailable when the machine cannot
    start any; what `command.on_line` raises comes through after the processes are gone.
    """
    process = _start(launch)
    talk = _Talk(process, command, Output(command), launch.look)
    try:
        talk.register()
        if launch.begin is not None:
            launch.begin(process.pid)
        talk.run()
    finally:
        talk.end(launch.grace)
        talk.close()
        if launch.settle is not None:
            launch.settle()
    return CommandResult(process.returncode, *talk.output.texts(), talk.stop, talk.left_input)


def _start(launch: Launch) -> subprocess.Popen[bytes]:
    try:
        return subprocess.Popen(
            list(launch.arguments),
            bufsize=0,
            cwd=launch.directory,
            env=dict(launch.variables),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
            pass_fds=launch.handles,
        )
    except (FileNotFoundError, PermissionError, NotADirectoryError):
        raise
    except OSError as error:
        if error.errno in (errno.ENOEXEC, errno.E2BIG, errno.ENAMETOOLONG, errno.ELOOP):
            raise PermissionError(error.errno, error.strerror) from error
        raise SandboxUnavailable(f"cannot start a process: {error}") from error


@dataclass(slots=True)
class _Talk:
    """What goes in and comes out of a running process."""

    process: subprocess.Popen[bytes]
    command: Command
    output: Output
    look: Callable[[], Stop] | None = None
    stop: Stop = Stop.NONE
    # The standard module `selectors` takes several times what the system call itself takes.
    poll: "select.poll" = field(default_factory=select.poll)
    pipes: dict[int, IO[bytes]] = field(default_factory=dict)
    unsent: memoryview = field(default_factory=lambda: memoryview(b""))
    ended: int = -1
    is_refused: bool = False

    @property
    def left_input(self) -> bool:
        """Whether some of the input was never taken. What a pipe holds counts as taken, however early the end came."""
        return len(self.command.stdin) > PIPE_BYTES and (self.is_refused or bool(self.unsent))

    def run(self) -> None:
        self.unsent = memoryview(self.command.stdin)
        if self.process.stdin is not None:
            # What a pipe holds need not be waited for.
            self._write(self.process.stdin)
        deadline = time.monotonic() + self.command.timeout
        while not self.stop and not self._is_over():
            remaining = deadline - time.monotonic()
            self.stop = self._limit_reached(remaining)
            if not self.stop:
                self._exchange(min(remaining, LOOK_SECONDS))
        if not self.stop:
            self.output.finish_line()

    def _limit_reached(self, remaining: float) -> Stop:
        if remaining <= 0:
            return Stop.TIMEOUT
        if self.command.is_cancelled is not None and self.command.is_cancelled():
            return Stop.CANCELLED
        return self.look() if self.look is not None else Stop.NONE

    def end(self, grace: float) -> None:
        """Kill the whole group, then reap. In this order the group's number cannot belong to anybody else."""
        with contextlib.suppress(ProcessLookupError):
            if grace and not self._has_ended():
                self.process.send_signal(signal.SIGTERM)
                select.select([self.ended], [], [], grace)
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()

    def close(self) -> None:
        if self.ended >= 0:
            os.close(self.ended)
        for pipe in (self.process.stdin, self.process.stdout, self.process.stderr):
            if pipe is not None and not pipe.closed:
                pipe.close()

    def register(self) -> None:
        for pipe in (self.process.stdin, self.process.stdout, self.process.stderr):
            assert pipe is not None
            handle = pipe.fileno()
            os.set_blocking(handle, False)
            self.pipes[handle] = pipe
            self.poll.register(handle, select.POLLOUT if pipe is self.process.stdin else select.POLLIN)
        # Readable once the process has ended, so that nobody sleeps through it.
        self.ended = os.pidfd_open(self.process.pid)
        self.poll.register(self.ended, select.POLLIN)

    def _is_over(self) -> bool:
        """Whether the program has ended and nothing more can come from it.

        A child that outlives the program may hold the pipes open; what it would still write is not waited for.
        """
        if not self._has_ended():
            return False
        self._exchange(0)
        return True

    def _has_ended(self) -> bool:
        """Look without reaping, so that the group can still be killed safely."""
        return os.waitid(os.P_PID, self.process.pid, os.WEXITED | os.WNOWAIT | os.WNOHANG) is not None

    def _exchange(self, seconds: float) -> None:
        for handle, _ in self.poll.poll(seconds * 1000):
            pipe = self.pipes.get(handle)
            if pipe is not None and pipe is self.process.stdin:
                self._write(pipe)
            elif pipe is not None:
                self._read(pipe)

    def _write(self, pipe: IO[bytes]) -> None:
        try:
            sent = os.write(pipe.fileno(), self.unsent[:CHUNK]) if self.unsent else 0
        except BlockingIOError:
            return
        except BrokenPipeError:
            self.is_refused = bool(self.unsent)
            sent = len(self.unsent)
        self.unsent = self.unsent[sent:]
        if not self.unsent:
            self._forget(pipe)
            pipe.close()

    def _read(self, pipe: IO[bytes]) -> None:
        while True:
            try:
                data = os.read(pipe.fileno(), CHUNK)
            except BlockingIOError:
                return
            if not data:
                self._forget(pipe)
                return
            self.stop = self.output.take(data, is_error=pipe is self.process.stderr)
            if self.stop:
                return

    def _forget(self, pipe: IO[bytes]) -> None:
        """Wait for a pipe no more."""
        del self.pipes[pipe.fileno()]
        self.poll.unregister(pipe.fileno())
