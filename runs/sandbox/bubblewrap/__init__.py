"""The bubblewrap sandbox: programs see the machine's programs and libraries, their workspace, and nothing else.

Own namespaces for processes, network, users and mounts, a filter of system calls, no rights, an empty environment.
As root the workspace is a file system of limited size; otherwise its size is watched.
"""

import errno
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import cache

from runs.sandbox.bubblewrap.arguments import Inside, check_directory, options_of_command
from runs.sandbox.bubblewrap.etc import folder_of_etc
from runs.sandbox.bubblewrap.modes import Mode, missing, mode_of_process
from runs.sandbox.bubblewrap.start import Start
from runs.sandbox.cgroups import Joining
from runs.sandbox.contract import (
    Command,
    CommandResult,
    Isolation,
    Room,
    SandboxUnavailable,
    Stop,
)
from runs.sandbox.folders import Folder, shared_start
from runs.sandbox.places import Limited, WorkspacePlace, take_place
from runs.sandbox.planting import etc_with, plant
from runs.sandbox.processes import Launch, run_process
from runs.sandbox.programs import PATH, TEMPORARY, check_program, check_texts, variables_of
from runs.sandbox.seccomp import NoFilter, filter_of_calls

LABEL = "Bubblewrap"
HELP = "Programs see the system's programs and their workspace only; no network unless the task allows it."
ISOLATION = Isolation.FULL
TRY_SECONDS = 20.0
# Shells and bubblewrap tell a signal as an exit code above this.
SIGNAL_CODES = range(129, 160)


@cache
def obstacle() -> str:
    mode = mode_of_process()
    try:
        filter_of_calls()
        found = missing(mode)
        return found or _try(mode)
    except (NoFilter, SandboxUnavailable, OSError, subprocess.TimeoutExpired) as error:
        return f"It cannot be used on this machine: {error}"


def _try(mode: Mode) -> str:
    """Start the smallest program; what bubblewrap says of that, empty when it went well."""
    with open_workspace(Room()) as workspace:
        try:
            result = workspace.run(Command(["/usr/bin/true"], timeout=TRY_SECONDS))
        except OSError as error:
            return f"It does not start the smallest program: {error}"
    return "" if result.exit_code == 0 else f"It does not start the smallest program ({mode}): {_tail(result.stderr)}"


@contextmanager
def open_workspace(room: Room) -> Iterator["BubblewrapWorkspace"]:
    """A confined workspace. Raises as the contract says."""
    check_directory(room.working_directory)
    mode = mode_of_process()
    with take_place(room) as place:
        workspace = BubblewrapWorkspace(place, mode)
        workspace.fill()
        yield workspace


class BubblewrapWorkspace(Folder):
    """A folder of the host that programs find at the task's working directory."""

    def __init__(self, place: WorkspacePlace, mode: Mode) -> None:
        super().__init__(place.work, place.room, owner=place.owner)
        self.place = place
        self.limited = Limited(place)
        planted = plant(place.room, place.slot.scratch)
        etc = etc_with(planted, folder_of_etc(), place.slot.scratch) if planted else None
        self.inside = Inside(mode, place.room, place.work, place.slot.user, planted, etc)

    def run(self, command: Command) -> CommandResult:
        variables = self._variables(command)
        check_texts(command.arguments, variables)
        shared = shared_start(command)
        directory = str(shared) if shared else self._directory(command.directory)
        inside = self.inside.beside(command)
        check_program(command.arguments[0], lambda path: inside.locate(self._from(directory, path)))
        options = [*inside.arguments(self._locked()), *options_of_command(directory, variables)]
        try:
            return self._run(command, options)
        finally:
            self.restore()

    def _run(self, command: Command, options: list[str]) -> CommandResult:
        self.limited.begin()
        joining = Joining(self.place.group)
        with Start(self.inside.mode, options, self.room.limits, joining, filter_of_calls()) as start:
            watch = self.place.watch(lambda: start.first_process, self.used)
            launch = Launch(
                [*start.command, *self.inside.program(command.arguments)],
                self.root,
                {"PATH": PATH},
                handles=start.handles,
                begin=start.begin,
                look=watch.look,
                settle=start.settle,
            )
            try:
                with joining:
                    result = run_process(command, launch)
            except FileNotFoundError as error:
                raise SandboxUnavailable(f"bubblewrap cannot be started: {error}") from error
            stop = result.stop or self.limited.stop(result.exit_code)
            if not stop and start.exit_code() is None:
                raise _not_started(command, result)
            return self._described(command, result, stop)

    def _described(self, command: Command, result: CommandResult, stop: Stop) -> CommandResult:
        """What the result of a program that was started means; signals get their usual form."""
        exit_code = 128 - result.exit_code if result.exit_code in SIGNAL_CODES else result.exit_code
        if not stop and _says_setpriv_failed(result):
            kind = FileNotFoundError if result.exit_code == 127 else PermissionError
            raise kind(errno.ENOENT if result.exit_code == 127 else errno.EACCES, "cannot start", command.arguments[0])
        return replace(result, exit_code=exit_code, stop=stop)

    def _variables(self, command: Command) -> dict[str, str]:
        home = TEMPORARY if command.own_home else self.working_directory
        return {**variables_of(self.room, command, home), "PATH": PATH}

    def _directory(self, path: str) -> str:
        """The directory inside. Raises PathRefused, FileNotFoundError."""
        found = self.starting_point(path)
        return self.working_directory if found == self.root else str(self.base / found.relative_to(self.root))

    def _from(self, directory: str, path: str) -> str:
        return path if path.startswith("/") else f"{directory}/{path}"

    def _locked(self) -> list[str]:
        return [str(self.locate(path).relative_to(self.root)) for path in self.seals if self.locate(path).exists()]


def _not_started(command: Command, result: CommandResult) -> Exception:
    text = _tail(result.stderr)
    if "execvp" in text or "Can't chdir" in text:
        kind = FileNotFoundError if "No such file" in text else PermissionError
        return kind(errno.ENOENT, "cannot be started", command.arguments[0])
    return SandboxUnavailable(f"bubblewrap failed: {text or f'exit code {result.exit_code}'}")


def _says_setpriv_failed(result: CommandResult) -> bool:
    return result.exit_code in (126, 127) and result.stderr.startswith(b"setpriv: failed to execute")


def _tail(stderr: bytes) -> str:
    return stderr[-500:].decode("utf-8", "replace").strip()
