"""The local sandbox: a temporary directory and a process group of the worker's own user.

It keeps programs apart and cleans up after them, but does not confine them: whoever may configure a command can do
what the worker can do. It is therefore only used where an administrator switched local commands on.
"""

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from runs.sandbox.contract import Command, CommandResult, Isolation, Room, SandboxUnavailable
from runs.sandbox.folders import Folder
from runs.sandbox.processes import run_process

LABEL = "This machine, not confined"
HELP = "A temporary directory; programs can do whatever the worker can do."
ISOLATION = Isolation.NONE
PATH = "/usr/local/bin:/usr/bin:/bin"


def obstacle() -> str:
    return ""


@contextmanager
def open_workspace(room: Room) -> Iterator["LocalWorkspace"]:
    """A temporary directory. Raises as the contract says."""
    try:
        root = Path(tempfile.mkdtemp(prefix="packwright-trial-"))
    except OSError as error:
        raise SandboxUnavailable(f"cannot make a workspace: {error}") from error
    try:
        workspace = LocalWorkspace(root.resolve(), room)
        workspace.fill()
        yield workspace
    finally:
        shutil.rmtree(root, ignore_errors=True)


class LocalWorkspace(Folder):
    """A directory of the host that stands for the task's working directory."""

    def run(self, command: Command) -> CommandResult:
        fixed = {"PATH": PATH, "HOME": str(self.root), "LANG": "C.UTF-8"}
        variables = {**self.room.variables, **(command.variables or {}), **fixed}
        return run_process(command, self.locate(command.directory), variables)
