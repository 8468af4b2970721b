"""What every sandbox gives: a workspace that holds files, runs commands under limits and is gone afterwards."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Protocol

MEBIBYTE = 1024 * 1024
MAX_OUTPUT_BYTES = 10 * MEBIBYTE
MAX_STDERR_BYTES = 64 * 1024
# What a pipe holds that nobody reads.
PIPE_BYTES = 64 * 1024
MAX_LISTED_ENTRIES = 10_000
MAX_SNAPSHOT_FILES = 50_000


class SandboxUnavailable(Exception):
    """Our machine failed: nothing is known about the agent. The message says what to look at."""


class PathRefused(ValueError):
    """A path that does not lie in the workspace, or one where something of another kind is in the way."""


class WorkspaceFull(Exception):
    """A file does not fit into what the workspace may hold."""


class Isolation(StrEnum):
    """How far a sandbox keeps programs from the machine."""

    FULL = "full"
    REDUCED = "reduced"
    NONE = "none"


class Stop(StrEnum):
    """Why a command was stopped from outside; `NONE` when it ended by itself.

    A sandbox tells `MEMORY`, `DISK` and `PROCESSES` where it can. Elsewhere a program meets these limits as errors of
    its own system calls and ends as it likes.
    """

    NONE = ""
    TIMEOUT = "timeout"
    CANCELLED = "cancelled"
    OUTPUT_LIMIT = "output_limit"
    MEMORY = "memory"
    DISK = "disk"
    PROCESSES = "processes"


@dataclass(frozen=True, slots=True)
class Limits:
    """What the programs of one workspace may use up.

    `memory_bytes` and `processes` count all of them together, `disk_bytes` and `inodes` the whole workspace,
    `scratch_bytes` each private temporary folder; `file_bytes`, `cpu_seconds` and `open_files` hold for each file or
    process. `processors` is how many of the machine's may be busy at once, None for all; only containers keep to it.
    """

    memory_bytes: int = 2048 * MEBIBYTE
    processes: int = 256
    disk_bytes: int = 512 * MEBIBYTE
    inodes: int = 50_000
    scratch_bytes: int = 256 * MEBIBYTE
    file_bytes: int = 512 * MEBIBYTE
    cpu_seconds: int = 3600
    open_files: int = 1024
    processors: float | None = None


@dataclass(frozen=True, slots=True)
class Room:
    """What a workspace is to be.

    `files` maps paths, below the working directory or relative to it, to contents; programs cannot change those in
    `read_only` and may run those in `executable`. `variables` hold for every command. `image` names a container image;
    with `materialize_from_image` the working directory starts with the image's own files. Where `image_is_optional`, a
    machine without containers gives a workspace without it. `shared_paths` are absolute paths of the machine that
    programs may read at the same place. `packages` are Debian packages that programs find installed. `planted` maps
    absolute paths outside of the working directory to contents that programs find there and cannot change; not every
    sandbox can have them.
    """

    working_directory: str = "/workspace"
    files: Mapping[str, bytes] = field(default_factory=dict)
    read_only: frozenset[str] = frozenset()
    executable: frozenset[str] = frozenset()
    variables: Mapping[str, str] = field(default_factory=dict)
    network: bool = False
    image: str = ""
    materialize_from_image: bool = False
    image_is_optional: bool = False
    limits: Limits = field(default_factory=Limits)
    shared_paths: tuple[str, ...] = ()
    packages: tuple[str, ...] = ()
    planted: Mapping[str, bytes] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Command:
    """A program to run: an argument list (never a shell line), its standard input, and what it may use up.

    `variables` come on top of the room's; PATH, HOME and LC_CTYPE belong to the sandbox. `directory` is where it
    starts, a path like those of files. `timeout` in seconds. `on_line` is given every full line of standard output,
    without its end, as it comes; it may raise to stop the command. `shared_paths` are absolute paths of the machine
    that this command may read beside the room's, and where it may start; with `network` it has one although the room
    has not. With `loopback` its processes reach each other on 127.0.0.1, which not every sandbox can give. One with an
    `own_home` finds its home and its temporary folder empty, which are gone afterwards, and a Python that looks for
    packages of no user: what comes after an agent reads nothing that the agent left in its home.
    """

    arguments: Sequence[str]
    stdin: bytes = b""
    variables: Mapping[str, str] | None = None
    directory: str = "."
    timeout: float = 300.0
    max_output_bytes: int = MAX_OUTPUT_BYTES
    on_line: Callable[[bytes], None] | None = None
    is_cancelled: Callable[[], bool] | None = None
    shared_paths: tuple[str, ...] = ()
    network: bool = False
    loopback: bool = False
    own_home: bool = False

    def with_variables(self, variables: Mapping[str, str]) -> "Command":
        """The same with further variables."""
        return replace(self, variables={**(self.variables or {}), **variables})


@dataclass(frozen=True, slots=True)
class CommandResult:
    """How a command ended. `exit_code` is negative for a signal; `stderr` holds only the last part of it.

    `left_input` says that it ended before all of its input could be handed over; a little unread input does not show.
    """

    exit_code: int
    stdout: bytes
    stderr: bytes
    stop: Stop = Stop.NONE
    left_input: bool = False


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


@dataclass(frozen=True, slots=True)
class FileState:
    """What is remembered of a file: its size, the SHA-256 of its bytes in hexadecimal, and its mode (`st_mode`).

    Of a symbolic link it is the target's text that is remembered, never what lies behind.
    """

    size: int
    digest: str
    mode: int


Snapshot = Mapping[str, FileState]
"""The files of a workspace by their paths relative to the working directory."""


@dataclass(frozen=True, slots=True)
class Changes:
    """What became of the files since a snapshot, as sorted paths."""

    added: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()


def changes_between(before: Snapshot, after: Snapshot) -> Changes:
    """What a reader of both snapshots would see."""
    return Changes(
        added=tuple(sorted(after.keys() - before.keys())),
        changed=tuple(sorted(path for path in after.keys() & before.keys() if after[path] != before[path])),
        removed=tuple(sorted(before.keys() - after.keys())),
    )


class Workspace(Protocol):
    """A directory of its own for one trial. Paths are those of the task, below its working directory or relative.

    Every method raises PathRefused for other paths and SandboxUnavailable when the machine fails. Links that lead out
    are not followed. Nothing runs in the workspace while no command does.
    """

    @property
    def working_directory(self) -> str:
        """Where programs find the workspace."""

    def run(self, command: Command) -> CommandResult:
        """Run a program in the workspace; every process that it started is gone when this returns.

        Raises FileNotFoundError or PermissionError when the program cannot be started; what `on_line` raises comes
        through.
        """

    def read_file(self, path: str, max_bytes: int) -> FileContent | None:
        """A regular file, None when there is none."""

    def list_directory(self, path: str, *, recursive: bool) -> list[Entry] | None:
        """The entries of a directory in order of their paths, None when there is none."""

    def write_file(self, path: str, content: bytes, *, executable: bool = False) -> None:
        """Put a file into the workspace, with the directories above it. Raises WorkspaceFull."""

    def make_directory(self, path: str) -> None:
        """Make a directory and those above it; one that exists is left as it is. Raises WorkspaceFull."""

    def open_up(self) -> None:
        """Give the right to read files and to change folders back to their owner: programs can take it away."""

    def put_back(self, files: Mapping[str, bytes]) -> tuple[str, ...]:
        """Make each of these files what it was given as, whatever programs put in its place; gives the paths of those
        that had to be. Raises WorkspaceFull."""

    def delete(self, path: str) -> bool:
        """Remove a file, a link or a whole directory; False when there was nothing."""

    def paths(self) -> list[str]:
        """The paths of all files and links, however many there are."""

    def snapshot(self) -> Snapshot:
        """All files and links as they are now. Raises WorkspaceFull when there are more than can be compared."""

    def changes(self, before: Snapshot) -> Changes:
        """What happened to the files since `before`."""


class Sandbox(Protocol):
    """A kind of sandbox: a module listed in `runs.sandbox.SANDBOXES`."""

    @property
    def LABEL(self) -> str:
        """What people call it."""

    @property
    def HELP(self) -> str:
        """What it does, in a sentence."""

    @property
    def ISOLATION(self) -> Isolation:
        """How far it keeps programs from the machine."""

    def obstacle(self) -> str:
        """Why this machine cannot have it, with what to do about that; empty when it can."""

    def open_workspace(self, room: Room) -> AbstractContextManager[Workspace]:
        """A workspace as the room says.

        Raises SandboxUnavailable, PathRefused for a file outside of it or a working directory that cannot be had, and
        WorkspaceFull when the files do not fit.
        """
