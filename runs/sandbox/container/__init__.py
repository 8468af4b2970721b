"""The container sandbox: for tasks that name an image. Each command runs in a container of its own over one workspace.

The engine keeps the limits; the root file system is read-only, there are no rights, and no network unless the task
allows it. The workspace is a folder of this machine, so that files are read and compared as in the other sandboxes.
"""

import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from runs.sandbox.container.engine import Client, described, engine, need_image, processors_of, remove_left
from runs.sandbox.container.image_files import copy_from_image
from runs.sandbox.container.options import HOME, Options
from runs.sandbox.container.packages import image_with_packages
from runs.sandbox.container.talk import Talk
from runs.sandbox.contract import (
    PIPE_BYTES,
    Command,
    CommandResult,
    Isolation,
    PathRefused,
    Room,
    SandboxUnavailable,
    Stop,
)
from runs.sandbox.folders import Folder, shared_start
from runs.sandbox.places import WorkspacePlace, is_full, take_place
from runs.sandbox.planting import plant
from runs.sandbox.programs import check_texts, variables_of
from runs.sandbox.slots import base_folder, is_taken

LABEL = "Container"
HELP = "Programs run in the task's container image, with their workspace; no network unless the task allows it."
ISOLATION = Isolation.FULL
# Shells and the first process of a container tell a signal as an exit code above this.
SIGNAL_CODES = range(129, 160)
NOT_STARTED = (126, 127)


def obstacle() -> str:
    try:
        with described():
            engine().ping()
    except SandboxUnavailable as error:
        return f"No container engine answers: {error}. Start one, or say with DOCKER_HOST where it is."
    return ""


@contextmanager
def open_workspace(room: Room) -> Iterator["ContainerWorkspace"]:
    """A workspace for programs of an image. Raises as the contract says."""
    client = engine()
    need_image(client, room.image)
    with take_place(room) as place:
        name = name_of(place.slot.folder)
        remove_left(client, name.__eq__)
        image = image_with_packages(client, room, name)
        workspace = ContainerWorkspace(client, replace(place, room=replace(room, image=image)))
        if room.materialize_from_image:
            with described():
                copy_from_image(client, workspace)
        workspace.fill()
        yield workspace


def sweep() -> int:
    """Remove the containers of workers of this host that died; gives how many there were. Raises SandboxUnavailable."""
    base = name_of(base_folder().resolve())

    def is_left(name: str) -> bool:
        folder, _, number = name.rpartition("/")
        return folder == base and not is_taken(int(number))

    return 0 if obstacle() else remove_left(engine(), is_left)


def name_of(folder: Path) -> str:
    """What containers of a slot are labelled with: its folder, on this host among those that share an engine."""
    return f"{socket.gethostname()}:{folder}"


class ContainerWorkspace(Folder):
    """A folder of the host that containers find at the task's working directory."""

    def __init__(self, client: Client, place: WorkspacePlace) -> None:
        super().__init__(place.work, place.room, owner=place.owner)
        self.client = client
        self.place = place
        is_limited = place.room.limits.processors is not None
        self.planted = plant(place.room, place.slot.scratch)
        self.options = Options(place, name_of(place.slot.folder), processors_of(client) if is_limited else 0)

    def run(self, command: Command) -> CommandResult:
        variables = variables_of(self.room, command, HOME if command.own_home else self.room.working_directory)
        check_texts(command.arguments, variables)
        shared = shared_start(command)
        directory = str(shared or self.base / self.starting_point(command.directory).relative_to(self.root))
        locked = [path for path in self.seals if self.locate(path).exists()]
        sealed = {str(self.locate(path)): str(self.base / path) for path in locked}
        sealed |= {str(here): path for path, here in self.planted.items()}
        options = self.options.fixed(directory, variables, network=command.network)
        try:
            return self._run(command, {**options, "volumes": self.options.mounts(sealed, command.shared_paths)})
        finally:
            self.restore()

    def place_file(self, path: str, content: bytes, mode: int) -> None:
        """Put a file of the image. Raises PathRefused, WorkspaceFull."""
        self._put(path, content, mode, self.owner)

    def place_link(self, path: str, target: str) -> None:
        """Put a symbolic link of the image; where it leads counts only for programs. Raises PathRefused."""
        place = self._nearest(path)
        if os.path.lexists(place):
            raise PathRefused(f"{path!r} is taken")
        os.symlink(target, place)
        if self.owner is not None:
            os.lchown(place, self.owner, self.owner)

    def _run(self, command: Command, options: dict[str, object]) -> CommandResult:
        with described():
            container = self.client.containers.create(self.room.image, list(command.arguments), **options)
            try:
                talk = Talk(container, command, self.place.watch(lambda: None, self.used).look)
                talk.run()
                state = talk.state()
            finally:
                container.remove(force=True)
        return self._described(command, talk, state)

    def _described(self, command: Command, talk: Talk, state: dict[str, object]) -> CommandResult:
        """What the end of a container means."""
        output = talk.output
        code = -9 if talk.stop else int(str(state.get("ExitCode", 0)))
        if code in NOT_STARTED and output.stderr.startswith(b"[FATAL tini"):
            kind = FileNotFoundError if b"No such file" in output.stderr else PermissionError
            raise kind(code, "cannot be started in the image", command.arguments[0])
        exit_code = 128 - code if code in SIGNAL_CODES else code
        left = bool(talk.unsent) and len(talk.command.stdin) > PIPE_BYTES
        return CommandResult(exit_code, *output.texts(), talk.stop or self._limit(code, state), left)

    def _limit(self, code: int, state: dict[str, object]) -> Stop:
        """Which limit a program that failed has met, as far as engine and kernel tell."""
        if state.get("OOMKilled"):
            return Stop.MEMORY
        return Stop.DISK if code and self.place.has_quota and is_full(self.root) else Stop.NONE
