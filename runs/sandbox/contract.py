"""What every sandbox gives: a workspace that holds files, runs commands under limits and is gone afterwards."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

MAX_OUTPUT_BYTES = 10 * 1024 * 1024
MAX_STDERR_BYTES = 64 * 1024
MAX_LISTED_ENTRIES = 10_000


class SandboxUnavailable(Exception):
    """Our machine failed: nothing is known about the agent. The message says what to look at."""


class PathRefused(ValueError):
    """A path that does not lie in the workspace."""


class Stop(StrEnum):
    """Why a command was stopped from outside; `NONE` when it ended by itself."""

    NONE = ""
    TIMEOUT = "timeout"
    CANCELLED = "cancelled"
    OUTPUT_LIMIT = "output_limit"


@dataclass(frozen=True, slots=True)
class Command:
    """A program to run: an argument list (never a shell line), its standard input, and what it may use up.

    `timeout` in seconds. `on_line` is given every full line of standard output, without its end, as it comes; it may
    raise to stop the command.
    """

    arguments: Sequence[str]
    stdin: bytes = b""
    variables: Mapping[str, str] | None = None
    timeout: float = 300.0
    max_output_bytes: int = MAX_OUTPUT_BYTES
    on_line: Callable[[bytes], None] | None = None
    is_cancelled: Callable[[], bool] | None = None


@dataclass(frozen=True, slots=True)
class CommandResult:
    """How a command ended. `exit_code` is negative for a signal; `stderr` holds only the last part of it."""

    exit_code: int
    stdout: bytes
    stderr: bytes
    stop: Stop = Stop.NONE


@dataclass(frozen=True, slots=True)
class FileContent:
    """The first bytes of a file and its whole size."""

    content: bytes
    size: int

    @property
    def is_truncated(self) -> bool:
        return self.size > len(self.content)


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry of a directory; `path` is relative to the listed directory."""

    path: str
    size: int
    is_directory: bool


class Workspace(Protocol):
    """A directory of its own for one trial. Paths are those of the task, below its working directory or relative."""

    def run(self, command: Command) -> CommandResult:
        """Run a program in the workspace; every process that it started is gone when this returns.

        Raises FileNotFoundError or PermissionError when the program cannot be started, SandboxUnavailable when the
        machine has no room for it.
        """

    def read_file(self, path: str, max_bytes: int) -> FileContent | None:
        """A regular file, None when there is none. Raises PathRefused."""

    def list_directory(self, path: str, *, recursive: bool) -> list[Entry] | None:
        """The entries of a directory in order of their paths, None when there is none. Raises PathRefused."""


class Sandbox(Protocol):
    """A kind of sandbox: a module listed in `runs.sandbox.SANDBOXES`."""

    LABEL: str

    def open_workspace(self, working_directory: str, files: Mapping[str, bytes]) -> AbstractContextManager[Workspace]:
        """A workspace that holds these files. Raises SandboxUnavailable, and PathRefused for a file outside of it."""
