"""What goes in and comes out of a running container, through the one connection that the engine gives."""

import contextlib
import select
import socket
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import docker.errors

from runs.sandbox.contract import Command, Stop
from runs.sandbox.output import Output

CHUNK = 64 * 1024
WAITING = 16 * 1024
LOOK_SECONDS = 0.05
# Before each piece of output stand one byte that says which, three of nothing, and its length in four.
HEADER = 8
STDERR = 2
ENDED = ("exited", "dead")


@dataclass(slots=True)
class Talk:
    """Starts a container, and talks with it until it ends or reaches a limit. What `on_line` raises comes through."""

    container: Any
    command: Command
    look: Callable[[], Stop]
    output: Output = field(init=False)
    stop: Stop = Stop.NONE
    received: bytearray = field(default_factory=bytearray)
    unsent: memoryview = field(default_factory=lambda: memoryview(b""))
    deadline: float = 0.0

    def __post_init__(self) -> None:
        self.output = Output(self.command)
        self.unsent = memoryview(self.command.stdin)

    def run(self) -> None:
        """To the end of the container, whichever way it comes; `stop` says which limit ended it."""
        wanted = {"stdin": 1, "stdout": 1, "stderr": 1, "stream": 1}
        attached = self.container.attach_socket(params=wanted)
        # The library offers no other way to close one half, and leaves the connection itself open.
        connection: socket.socket = attached._sock
        with contextlib.closing(connection), contextlib.closing(attached):
            connection.setblocking(False)
            # What waits in here nobody has read, and would look as if it had been.
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, WAITING)
            self.container.start()
            self.deadline = time.monotonic() + self.command.timeout
            self._exchange(connection)
        while not self.stop and self.state().get("Status") not in ENDED:
            self._look()
            time.sleep(LOOK_SECONDS)
        if self.stop:
            with contextlib.suppress(docker.errors.APIError):
                self.container.kill()
        else:
            self.output.finish_line()

    def state(self) -> dict[str, Any]:
        """What the engine knows of the container now."""
        self.container.reload()
        found: dict[str, Any] = self.container.attrs["State"]
        return found

    def _exchange(self, connection: socket.socket) -> None:
        is_open, is_told = True, False
        while is_open and not self.stop:
            readable, writable, _ = select.select([connection], [] if is_told else [connection], [], LOOK_SECONDS)
            if writable:
                is_told = self._send(connection)
            if readable:
                is_open = self._receive(connection)
            self._look()

    def _send(self, connection: socket.socket) -> bool:
        """Send a part of the input; whether that was all."""
        with contextlib.suppress(BlockingIOError):
            try:
                self.unsent = self.unsent[connection.send(self.unsent[:CHUNK]) if self.unsent else 0 :]
            except (BrokenPipeError, ConnectionResetError):
                return True
        if self.unsent:
            return False
        with contextlib.suppress(OSError):
            connection.shutdown(socket.SHUT_WR)
        return True

    def _receive(self, connection: socket.socket) -> bool:
        """Take what has come; False at the end."""
        try:
            data = connection.recv(CHUNK)
        except BlockingIOError:
            return True
        except ConnectionResetError:
            return False
        self.received += data
        while len(self.received) >= HEADER:
            size = int.from_bytes(self.received[4:HEADER], "big")
            if len(self.received) < HEADER + size:
                break
            piece, is_error = bytes(self.received[HEADER : HEADER + size]), self.received[0] == STDERR
            del self.received[: HEADER + size]
            self.stop = self.stop or self.output.take(piece, is_error=is_error)
        return bool(data)

    def _look(self) -> None:
        if self.stop:
            return
        if time.monotonic() >= self.deadline:
            self.stop = Stop.TIMEOUT
        elif self.command.is_cancelled is not None and self.command.is_cancelled():
            self.stop = Stop.CANCELLED
        else:
            self.stop = self.look()
