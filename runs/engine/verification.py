"""What is looked at after the agent has ended: files and listings are taken, graders' commands are run (d.3, d.4)."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import PurePosixPath
from stat import S_ISREG, S_IXUSR

from packs.formats.task import Capture, Task
from runs.agents.contract import Cancelled, PackProblem, never
from runs.engine.events import VERIFICATION_SOURCE
from runs.engine.recorder import Recorder
from runs.engine.rooms import ReadAsset, content_of, without_assets
from runs.graders import COMMANDS
from runs.graders.commands import GraderCommand
from runs.sandbox.contract import (
    Command,
    CommandResult,
    PathRefused,
    Room,
    Sandbox,
    SandboxUnavailable,
    Stop,
    Workspace,
    WorkspaceFull,
)

DEFAULT_MAX_BYTES = 1024 * 1024
MAX_TOTAL_BYTES = 10 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Aftermath:
    """The workspace as the agent left it, and what is needed to look at it: who records, and where another is opened.

    `room` is what the workspace was opened as.
    """

    task: Task
    workspace: Workspace
    recorder: Recorder
    sandbox: Sandbox
    room: Room
    read_asset: ReadAsset = without_assets
    is_cancelled: Callable[[], bool] = never

    def verify(self) -> None:
        """Take what the task's post-execution checks ask for, then run what its graders need the result of.

        Everything becomes an event. Raises Cancelled.
        """
        self.capture()
        for spec in self.task.graders:
            plan = COMMANDS.get(spec.kind)
            command = plan(spec, self.task) if plan else None
            if command is not None:
                self.recorder.tell("grader.verification.code_executed", self.run(command), VERIFICATION_SOURCE)

    def capture(self) -> None:
        """The post-execution checks (challenge-pack d.4)."""
        room = MAX_TOTAL_BYTES
        for capture in self.task.environment.captures:
            try:
                if capture.kind == "directory_listing":
                    self._list(capture)
                else:
                    room -= self._take(capture, room)
            except PathRefused as error:
                # Never captured, so the graders that need it are unavailable; the replay shows why.
                facts = {"key": capture.key, "path": capture.path, "action": "capture", "error": f"{error}."}
                self.recorder.tell("sandbox.file.read", facts, VERIFICATION_SOURCE)

    def _take(self, capture: Capture, room: int) -> int:
        """Take one file; gives the number of bytes that were kept."""
        limit = min(capture.max_size_bytes or DEFAULT_MAX_BYTES, max(room, 0))
        found = self.workspace.read_file(capture.path, limit)
        facts = {
            "key": capture.key,
            "path": capture.path,
            "exists": found is not None,
            "content": found.content.decode("utf-8", "replace") if found else "",
            "size": found.size if found else 0,
            "truncated": found.is_truncated if found else False,
        }
        self.recorder.tell("grader.verification.file_captured", facts, VERIFICATION_SOURCE)
        return len(found.content) if found else 0

    def _list(self, capture: Capture) -> None:
        entries = self.workspace.list_directory(capture.path, recursive=capture.recursive)
        listed = [{"path": entry.path, "size": entry.size, "is_dir": entry.is_directory} for entry in entries or ()]
        facts = {"key": capture.key, "path": capture.path, "entries": listed}
        self.recorder.tell("grader.verification.directory_listed", facts, VERIFICATION_SOURCE)

    def run(self, command: GraderCommand) -> dict[str, object]:
        """The payload of the event of one command. A machine that fails is told in it and spoils no other grader."""
        try:
            with self._place(command) as workspace:
                result = self._run_in(workspace, command)
        except (FileNotFoundError, PermissionError, SandboxUnavailable) as error:
            return command.not_started(str(error))
        except WorkspaceFull as error:
            # The agent's own doing: an answer that fills the workspace does not escape from being judged.
            result = CommandResult(1, b"", str(error).encode(), Stop.DISK)
        if result.stop is Stop.CANCELLED:
            raise Cancelled
        return command.completed(result)

    def _run_in(self, workspace: Workspace, command: GraderCommand) -> CommandResult:
        return workspace.run(
            Command(
                command.arguments,
                stdin=command.stdin,
                timeout=command.seconds,
                is_cancelled=self.is_cancelled,
            )
        )

    @contextmanager
    def _place(self, command: GraderCommand) -> Iterator[Workspace]:
        """Where a command runs: the agent's workspace, or a copy of it that also holds the hidden files."""
        if not command.files:
            yield self.workspace
            return
        hidden = {file.path: content_of(file, self.read_asset) for file in command.files}
        missing = sorted(path for path, content in hidden.items() if content is None)
        if missing:
            raise PackProblem(f"Nobody has the bytes of the hidden file {missing[0]!r}.")
        with self.sandbox.open_workspace(self._copy()) as workspace:
            for path, content in hidden.items():
                make_way(workspace, path)
                workspace.write_file(path, content or b"", executable=True)
            yield workspace

    def _copy(self) -> Room:
        """A room with the files that the agent left. Links are left out: they could lead anywhere in a new place."""
        left = {path: state for path, state in self.workspace.snapshot().items() if S_ISREG(state.mode)}
        if sum(state.size for state in left.values()) > self.room.limits.disk_bytes:
            raise WorkspaceFull("the agent left more than a workspace may hold")
        files = {path: self.workspace.read_file(path, state.size) for path, state in left.items()}
        return replace(
            self.room,
            files={path: found.content for path, found in files.items() if found is not None},
            read_only=frozenset(),
            executable=frozenset(path for path, state in left.items() if state.mode & S_IXUSR),
        )


def make_way(workspace: Workspace, path: str) -> None:
    """Remove what an agent left where a hidden file is to be, and files where its directories are to be."""
    for above in PurePosixPath(path).parents:
        if workspace.read_file(above.as_posix(), 0) is not None:
            workspace.delete(above.as_posix())
    workspace.delete(path)
