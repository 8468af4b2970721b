"""A program of our own that works beside this process, for work that nobody can stop from within.

It reads one line of JSON and writes one, again and again. It is started when it is first asked, and ended when it takes
too long; the next question starts another.
"""

import atexit
import contextlib
import json
import os
import selectors
import subprocess
import sys
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

from runs.sandbox.contract import SandboxUnavailable

CHUNK = 64 * 1024


class TookTooLong(Exception):
    """The companion gave no answer in time."""


@dataclass(slots=True)
class Companion:
    """`program` is a Python file. Threads ask one after the other; a process that forked has one of its own."""

    program: Path
    lock: threading.Lock = field(default_factory=threading.Lock)
    process: subprocess.Popen[bytes] | None = None
    owner: int = 0

    def ask(self, question: Any, seconds: float) -> Any:
        """The answer to a question. Raises TookTooLong, and SandboxUnavailable when it cannot be started or dies."""
        line = json.dumps(question).encode() + b"\n"
        with self.lock:
            try:
                return json.loads(self._exchange(self._started(), line, time.monotonic() + seconds))
            except BaseException:
                self.end()
                raise

    def _started(self) -> subprocess.Popen[bytes]:
        if self.process is not None and self.owner == os.getpid():
            return self.process
        try:
            self.process = subprocess.Popen(
                [sys.executable, "-I", str(self.program)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
            )
        except OSError as error:
            raise SandboxUnavailable(f"cannot start {self.program.name}: {error}") from error
        if self.owner != os.getpid():
            atexit.register(self.end)
        self.owner = os.getpid()
        for pipe in (self.process.stdin, self.process.stdout):
            assert pipe is not None
            os.set_blocking(pipe.fileno(), False)
        return self.process

    def _exchange(self, process: subprocess.Popen[bytes], line: bytes, deadline: float) -> bytes:
        assert process.stdin is not None
        assert process.stdout is not None
        unsent, received = memoryview(line), bytearray()
        with selectors.PollSelector() as selector:
            selector.register(process.stdin, selectors.EVENT_WRITE)
            selector.register(process.stdout, selectors.EVENT_READ)
            while not received.endswith(b"\n"):
                left = deadline - time.monotonic()
                if left <= 0:
                    raise TookTooLong
                for key, _ in selector.select(left):
                    if key.fileobj is process.stdout:
                        received += self._read(process.stdout)
                        continue
                    unsent = unsent[self._write(process.stdin, unsent) :]
                    if not unsent:
                        selector.unregister(process.stdin)
        return bytes(received)

    def _write(self, pipe: IO[bytes], data: memoryview) -> int:
        try:
            return os.write(pipe.fileno(), data[:CHUNK])
        except BlockingIOError:
            return 0
        except BrokenPipeError as error:
            raise SandboxUnavailable(f"{self.program.name} ended before it answered") from error

    def _read(self, pipe: IO[bytes]) -> bytes:
        data = os.read(pipe.fileno(), CHUNK)
        if not data:
            raise SandboxUnavailable(f"{self.program.name} ended before it answered")
        return data

    def end(self) -> None:
        """End the program, if there is one."""
        process, self.process = self.process, None
        if process is None or self.owner != os.getpid():
            return
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        process.wait()
        for pipe in (process.stdin, process.stdout):
            if pipe is not None:
                with contextlib.suppress(OSError):
                    pipe.close()
