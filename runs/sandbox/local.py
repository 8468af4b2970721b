"""The local sandbox: a folder and a process group of the worker's own user.

It keeps programs apart and cleans up after them, but does not confine them: people who may configure a command can do
what the worker can do. It is therefore only used where an administrator switched local commands on.
"""

from collections.abc import Iterator
from contextlib import contextmanager

from runs.sandbox.contract import Command, CommandResult, Isolation, Room, SandboxUnavailable
from runs.sandbox.folders import Folder, shared_start
from runs.sandbox.planting import refuse_planted
from runs.sandbox.processes import Launch, run_process
from runs.sandbox.programs import PATH, check_texts, variables_of
from runs.sandbox.slots import Slot, drop_scratch, take_slot

LABEL = "This machine, not confined"
HELP = "A folder of its own; programs can do whatever the worker can do."
ISOLATION = Isolation.NONE


def obstacle() -> str:
    return ""


@contextmanager
def open_workspace(room: Room) -> Iterator["LocalWorkspace"]:
    """A folder of this machine. Raises as the contract says."""
    refuse_planted(room)
    with take_slot() as slot:
        workspace = LocalWorkspace(slot, room)
        workspace.fill()
        yield workspace


class LocalWorkspace(Folder):
    """A directory of the host that stands for the task's working directory."""

    def __init__(self, slot: Slot, room: Room) -> None:
        super().__init__(slot.work, room)
        self.slot = slot

    @property
    def working_directory(self) -> str:
        return str(self.root)

    def run(self, command: Command) -> CommandResult:
        home = self.slot.scratch if command.own_home else self.root
        variables = {**variables_of(self.room, command, str(home)), "PATH": PATH}
        check_texts(command.arguments, variables)
        directory = shared_start(command) or self.starting_point(command.directory)
        launch = Launch(command.arguments, directory, variables, begin=self.slot.note_process)
        with self._home(command):
            try:
                return run_process(command, launch)
            finally:
                self.restore()

    @contextmanager
    def _home(self, command: Command) -> Iterator[None]:
        """A home for one command, where it wants one of its own."""
        if not command.own_home:
            yield
            return
        # A program can have put something in its place.
        drop_scratch(self.slot.folder)
        try:
            self.slot.scratch.mkdir()
        except OSError as error:
            raise SandboxUnavailable(f"cannot make a home for a command: {error}") from error
        try:
            yield
        finally:
            drop_scratch(self.slot.folder)
