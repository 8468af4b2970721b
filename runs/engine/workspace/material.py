"""The files of a pack that hooks and graders may read: a folder of the machine, made when it is first asked for."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import cached_property

from packs.formats.task import Task, WorkspaceFile
from runs.engine.rooms import ReadAsset, content_of
from runs.sandbox.lending import Lent, lend

# The files of the pack lie below this, so that what is added for single commands cannot meet them.
FOLDER = "pack"


@dataclass(frozen=True)
class Material:
    """`stack` is closed when the trial ends, and the folder goes with it. `home` is the folder of the pack from which
    its programs start, there although no file need lie in it."""

    files: tuple[WorkspaceFile, ...]
    read_asset: ReadAsset
    stack: ExitStack
    home: str = ""

    @cached_property
    def lent(self) -> Lent:
        """The folder. A file whose bytes nobody has is left out. Raises SandboxUnavailable and PathRefused."""
        found = {file.path: content_of(file, self.read_asset) for file in self.files}
        named = {f"{FOLDER}/{path}": content for path, content in found.items() if content is not None}
        lent = self.stack.enter_context(lend(named))
        lent.make(f"{FOLDER}/{self.home}".rstrip("/"))
        return lent

    def put_away(self) -> None:
        """Take the folder away until it is asked for again: none is there for an agent that nothing confines."""
        self.stack.close()
        self.__dict__.pop("lent", None)

    def directory(self, name: str) -> str:
        """The path of a folder of the pack; "" is the pack's own."""
        return f"{self.lent.path}/{FOLDER}/{name}".rstrip("/")

    def added(self, name: str) -> str:
        """The path of a file that was added for a command."""
        return f"{self.lent.path}/{name}"

    def has_folder(self, name: str) -> bool:
        """Whether the pack has files in a folder."""
        return any(file.path.startswith(f"{name}/") for file in self.files)


@contextmanager
def material_of(task: Task, read_asset: ReadAsset) -> Iterator[Material]:
    """The material of a trial, for as long as it takes."""
    with ExitStack() as stack:
        yield Material(task.environment.material, read_asset, stack, str(task.hidden.get("folder") or ""))
