"""The local sandbox: a temporary directory and a process group of the worker's own user.

It keeps programs apart and cleans up after them, but does not confine them: whoever may configure a command can do
what the worker can do. It is therefore only used where an administrator switched local commands on.
"""

import os
import shutil
import stat
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path, PurePosixPath

from runs.sandbox.contract import (
    MAX_LISTED_ENTRIES,
    Command,
    CommandResult,
    Entry,
    FileContent,
    PathRefused,
    SandboxUnavailable,
)
from runs.sandbox.processes import run_process

LABEL = "This machine, not confined"
PATH = "/usr/local/bin:/usr/bin:/bin"


@contextmanager
def open_workspace(working_directory: str, files: Mapping[str, bytes]) -> Iterator["LocalWorkspace"]:
    """A temporary directory that holds these files.

    Raises SandboxUnavailable when there is no room for it, PathRefused for a file outside of it.
    """
    try:
        root = Path(tempfile.mkdtemp(prefix="packwright-trial-"))
    except OSError as error:
        raise SandboxUnavailable(f"cannot make a workspace: {error}") from error
    try:
        workspace = LocalWorkspace(root.resolve(), PurePosixPath(working_directory))
        for path, content in files.items():
            workspace.write_file(path, content)
        yield workspace
    finally:
        shutil.rmtree(root, ignore_errors=True)


class LocalWorkspace:
    """A directory of the host that stands for the task's working directory."""

    def __init__(self, root: Path, working_directory: PurePosixPath) -> None:
        self.root = root
        self.working_directory = working_directory

    def run(self, command: Command) -> CommandResult:
        variables = {**(command.variables or {}), "PATH": PATH, "HOME": str(self.root), "LANG": "C.UTF-8"}
        return run_process(command, self.root, variables)

    def write_file(self, path: str, content: bytes) -> None:
        """Put a file into the workspace, with the directories above it."""
        target = self.locate(path)
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(content)
        except (IsADirectoryError, NotADirectoryError, FileExistsError) as error:
            raise PathRefused(f"{path!r} is both a file and a directory") from error
        except OSError as error:
            raise SandboxUnavailable(f"cannot write into the workspace: {error}") from error

    def read_file(self, path: str, max_bytes: int) -> FileContent | None:
        target = self._inside(path)
        if target is None:
            return None
        try:
            # Without waiting: a pipe that the agent left here has no other end.
            handle = os.open(target, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
        except OSError:
            return None
        status = os.fstat(handle)
        if not stat.S_ISREG(status.st_mode):
            os.close(handle)
            return None
        with os.fdopen(handle, "rb") as opened:
            return FileContent(opened.read(max_bytes), status.st_size)

    def list_directory(self, path: str, *, recursive: bool) -> list[Entry] | None:
        target = self._inside(path)
        if target is None or not target.is_dir():
            return None
        found: list[Entry] = []
        for folder, names, files in os.walk(target):
            found += [self._entry(target, Path(folder, name)) for name in (*names, *files)]
            if not recursive or len(found) > MAX_LISTED_ENTRIES:
                break
        return sorted(found, key=lambda entry: entry.path)[:MAX_LISTED_ENTRIES]

    def _entry(self, base: Path, path: Path) -> Entry:
        status = path.lstat()
        return Entry(path.relative_to(base).as_posix(), status.st_size, stat.S_ISDIR(status.st_mode))

    def locate(self, path: str) -> Path:
        """The place on the host. Raises PathRefused for a path outside the working directory."""
        pure = PurePosixPath(path)
        if pure.is_absolute():
            if not pure.is_relative_to(self.working_directory):
                raise PathRefused(f"{path!r} lies outside {self.working_directory}")
            pure = pure.relative_to(self.working_directory)
        if ".." in pure.parts or "\0" in path:
            raise PathRefused(f"{path!r} leaves the working directory")
        return self.root / pure

    def _inside(self, path: str) -> Path | None:
        """The place behind all links, None where that is outside: links are the agent's own making."""
        target = self.locate(path)
        try:
            real = target.resolve(strict=True)
        except (OSError, RuntimeError):
            return None
        return real if real.is_relative_to(self.root) else None
