"""Files that some programs of a trial may read, beside its workspace and never in it."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from runs.sandbox.contract import PathRefused, SandboxUnavailable
from runs.sandbox.slots import take_slot

READABLE, RUNNABLE, PASSABLE = 0o644, 0o755, 0o755


@dataclass(frozen=True, slots=True)
class Lent:
    """A folder of the machine to name in the shared paths of commands. It is cleaned up as workspaces are."""

    folder: Path

    @property
    def path(self) -> str:
        return str(self.folder)

    def add(self, name: str, content: bytes) -> str:
        """Put a file, and give its path. Programs can run it where it says what runs it.

        Raises PathRefused for a name that leaves the folder or that something is in the way of, and SandboxUnavailable.
        """
        target = self._place(name)
        self._make(target.parent, name)
        try:
            target.write_bytes(content)
            target.chmod(RUNNABLE if content.startswith(b"#!") else READABLE)
        except IsADirectoryError as error:
            raise PathRefused(f"{name!r}: a folder is in the way") from error
        except OSError as error:
            raise SandboxUnavailable(f"cannot lend {name!r}: {error}") from error
        return str(target)

    def make(self, name: str) -> str:
        """Make a folder and those above it, and give its path. Raises PathRefused and SandboxUnavailable."""
        target = self._place(name)
        self._make(target, name)
        return str(target)

    def _place(self, name: str) -> Path:
        pure = PurePosixPath(name)
        if pure.is_absolute() or not pure.parts or ".." in pure.parts or "\0" in name:
            raise PathRefused(f"{name!r} is no path of a file")
        return self.folder / pure

    def _make(self, target: Path, name: str) -> None:
        if target.is_dir():
            return
        self._make(target.parent, name)
        try:
            target.mkdir()
            # Whatever the mask of the worker: programs run as another user.
            target.chmod(PASSABLE)
        except (NotADirectoryError, FileExistsError) as error:
            raise PathRefused(f"{name!r}: something of another kind is in the way") from error
        except OSError as error:
            raise SandboxUnavailable(f"cannot lend {name!r}: {error}") from error


@contextmanager
def lend(files: Mapping[str, bytes]) -> Iterator[Lent]:
    """A folder with these files. Raises PathRefused and SandboxUnavailable."""
    with take_slot() as slot:
        slot.work.chmod(PASSABLE)
        lent = Lent(slot.work)
        for name, content in files.items():
            lent.add(name, content)
        yield lent
