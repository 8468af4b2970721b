"""What is looked at after the agent has ended: files and listings are taken, graders' commands are run (d.3, d.4)."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from pathlib import PurePosixPath
from stat import S_ISREG, S_IXUSR
from typing import Any

from packs.formats.task import Capture, Task
from runs.agents.contract import Cancelled, PackProblem, never
from runs.engine.consulting import Consultation
from runs.engine.custody import put_back
from runs.engine.events import KEPT, RESTORED, VERIFICATION_SOURCE
from runs.engine.missing import may_lack, missing_in
from runs.engine.proxied import run_proxied
from runs.engine.recorder import Recorder
from runs.engine.reporting import run_reported
from runs.engine.rooms import ReadAsset, content_of, without_assets
from runs.engine.workspace.material import Material, material_of
from runs.engine.workspace.programs import run_program
from runs.grading.graders import COMMANDS
from runs.grading.graders.commands import DELETED, ENDS_UNTOUCHED, GraderCommand, was_stopped
from runs.grading.graders.runners import runners_of
from runs.grading.judges import Bench
from runs.grading.judges.proxy import Proxy
from runs.replay.trajectories.candidates import MAX_FILES, packed
from runs.sandbox.contract import (
    Command,
    CommandResult,
    Entry,
    PathRefused,
    Room,
    Sandbox,
    SandboxUnavailable,
    Stop,
    Workspace,
    WorkspaceFull,
)

DEFAULT_MAX_BYTES = 1024 * 1024
PLACEHOLDER = ".placeholder"
MAX_TOTAL_BYTES = 10 * 1024 * 1024


def ignore(workspace: Workspace) -> None:
    """Does nothing to a workspace."""


@dataclass(frozen=True, slots=True)
class Aftermath:
    """The workspace as the agent left it, and what is needed to look at it: who records, and where another is opened.

    `room` is what the workspace was opened as; `workspace` is None where the agent worked without one. `origin` are the
    files that a workspace has before anybody used it. `given` is the room as the agent found it, where that is another
    one, and `prepare` does what was done to it before.
    """

    task: Task
    workspace: Workspace | None
    recorder: Recorder
    sandbox: Sandbox
    room: Room
    read_asset: ReadAsset = without_assets
    is_cancelled: Callable[[], bool] = never
    origin: Mapping[str, bytes] = field(default_factory=dict)
    material: Material | None = None
    bench: Bench = field(default_factory=Bench)
    given: Room | None = None
    prepare: Callable[[Workspace], None] = ignore

    def verify(self, output: str | None = None) -> None:
        """Take what the task's post-execution checks ask for, then run and ask what its graders need the result of.

        `output` is the agent's final one. Everything becomes an event. Raises Cancelled.
        """
        if self.workspace is not None:
            self.capture(self.workspace)
        for spec in self.task.graders:
            plan = COMMANDS.get(spec.kind)
            command = plan(spec, self.task, output or "") if plan else None
            if command is not None and (command.is_fresh or self.workspace is not None):
                self.recorder.tell("grader.verification.code_executed", self.run(command), VERIFICATION_SOURCE)
        self._consultation(output).hold()

    def has_failed_turn(self) -> bool:
        """Whether the turn of a conversation that was just played has failed. Raises Cancelled."""
        place = {} if self.workspace is None else {"workspace_path": self.workspace.working_directory}
        return self._consultation(None, place).has_failed_turn()

    def _consultation(self, output: str | None, place: Mapping[str, str] | None = None) -> Consultation:
        reported = dict(place or {})
        return Consultation(self.task, self.recorder, self.bench, output, self.run, reported, self.workspace)

    def capture(self, workspace: Workspace) -> None:
        """The post-execution checks (challenge-pack d.4)."""
        room = MAX_TOTAL_BYTES
        for capture in self.task.environment.captures:
            try:
                if capture.kind == "directory_listing":
                    self._list(workspace, capture)
                elif capture.kind == "workspace_capture":
                    self._keep(workspace, capture)
                else:
                    room -= self._take(workspace, capture, room)
            except PathRefused as error:
                # Never captured, so the graders that need it are unavailable; the replay shows why.
                facts = {"key": capture.key, "path": capture.path, "action": "capture", "error": f"{error}."}
                self.recorder.tell("sandbox.file.read", facts, VERIFICATION_SOURCE)

    def _take(self, workspace: Workspace, capture: Capture, room: int) -> int:
        """Take one file; gives the number of bytes that were kept."""
        limit = min(capture.max_size_bytes or DEFAULT_MAX_BYTES, max(room, 0))
        found = workspace.read_file(capture.path, limit)
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

    def _list(self, workspace: Workspace, capture: Capture) -> None:
        entries = workspace.list_directory(capture.path, recursive=capture.recursive)
        listed = [{"path": entry.path, "size": entry.size, "is_dir": entry.is_directory} for entry in entries or ()]
        facts = {"key": capture.key, "path": capture.path, "entries": listed}
        self.recorder.tell("grader.verification.directory_listed", facts, VERIFICATION_SOURCE)

    def _keep(self, workspace: Workspace, capture: Capture) -> None:
        """Take all files, or none where they are too many or too large together; links that lead out stay behind."""
        entries = [entry for entry in workspace.list_directory(".", recursive=True) or () if not entry.is_directory]
        size, limit = sum(entry.size for entry in entries), capture.max_size_bytes or DEFAULT_MAX_BYTES
        facts: dict[str, Any] = {"key": capture.key, "file_count": len(entries), "bytes": size}
        files = _read(workspace, entries, limit) if size <= limit and len(entries) <= MAX_FILES else None
        if files is not None:
            facts["files"] = packed(files)
        self.recorder.tell(KEPT, facts, VERIFICATION_SOURCE)

    def run(self, command: GraderCommand, proxy: Proxy | None = None) -> dict[str, object]:
        """The payload of the event of one command, which may ask the proxy where there is one.

        It records an infrastructure error, which touches no other grader.
        """
        try:
            with self._place(command) as workspace:
                if command.directory is not None:
                    return self._run_of_pack(workspace, command, proxy)
                result, reports = run_reported(workspace, command, self._command(command))
        except (FileNotFoundError, PermissionError, SandboxUnavailable) as error:
            return command.not_started(str(error), is_missing=isinstance(error, OSError))
        except WorkspaceFull as error:
            # The agent's own doing: an answer that fills the workspace does not escape from being judged.
            result, reports = CommandResult(1, b"", str(error).encode(), Stop.DISK), {}
        if result.stop is Stop.CANCELLED:
            raise Cancelled
        payload = {**command.completed(result), **reports}
        lacks = self._missing(command) if may_lack(payload) else ""
        return command.not_started(f"its sandbox has no program {lacks!r}", is_missing=True) if lacks else payload

    def _missing(self, command: GraderCommand) -> str:
        """The program that a command starts with and that its sandbox does not have; empty where it has all."""
        try:
            with self.sandbox.open_workspace(self._untouched()) as workspace:
                return missing_in(workspace, command.texts, command.stand_ins)
        except (OSError, SandboxUnavailable, WorkspaceFull):
            return ""

    def _run_of_pack(self, workspace: Workspace, command: GraderCommand, proxy: Proxy | None) -> dict[str, object]:
        """Run a program of the pack.

        Where it had to be stopped, the program is to blame, or what the agent left, or a machine with too much to do.
        So it is tried where the agent never was, and if it does well there, once more here.
        """
        payload = self._run_with_material(workspace, command, proxy)
        if self.workspace is None or not was_stopped(payload) or not self._ends_untouched(command, proxy):
            return payload
        again = self._run_with_material(workspace, command, proxy)
        return {**again, ENDS_UNTOUCHED: True} if was_stopped(again) else again

    def _ends_untouched(self, command: GraderCommand, proxy: Proxy | None) -> bool:
        """Whether a program ends by itself in a workspace as the agent found it."""
        assert self.workspace is not None
        try:
            with self.sandbox.open_workspace(self._found()) as workspace:
                self.prepare(workspace)
                # Something that a program which deletes the workspace can delete.
                workspace.write_file(PLACEHOLDER, b"")
                moved = command.moved(self.workspace.working_directory, workspace.working_directory)
                return not was_stopped(self._run_with_material(workspace, moved, proxy))
        except (OSError, SandboxUnavailable, WorkspaceFull, PackProblem):
            return False

    def _run_with_material(
        self, workspace: Workspace, command: GraderCommand, proxy: Proxy | None
    ) -> dict[str, object]:
        """Run a command of the pack in a folder of it. One that deletes the workspace of the others is reported."""
        had_files = bool(workspace.list_directory(".", recursive=False))
        with ExitStack() as stack:
            material = self.material or stack.enter_context(material_of(self.task, self.read_asset))
            for name, content in command.attachments.items():
                material.lent.add(name, content)
            directory, added = material.directory(command.directory or ""), command.attachments
            stdin = command.described(lambda name: material.added(name) if name in added else material.directory(name))
            command = replace(command, stdin=stdin, paths={})
            whole = self._command(command, directory=directory, shared_paths=(material.lent.path,))
            if proxy is None:
                result = run_program(workspace, whole)
            else:
                result = run_proxied(workspace, whole, proxy, material.lent)
        if result.stop is Stop.CANCELLED:
            raise Cancelled
        is_emptied = had_files and not workspace.list_directory(".", recursive=False)
        return {**command.completed(result), **({"stopped": DELETED} if is_emptied else {})}

    def _command(self, command: GraderCommand, **more: Any) -> Command:
        return Command(
            command.arguments,
            stdin=command.stdin,
            variables=command.variables,
            timeout=command.seconds,
            max_output_bytes=command.most_output,
            is_cancelled=self.is_cancelled,
            own_home=True,
            **more,
        )

    @contextmanager
    def _place(self, command: GraderCommand) -> Iterator[Workspace]:
        """Where a command runs: a fresh workspace, the agent's, or a copy of it that also holds the hidden files."""
        if command.is_fresh or self.workspace is None:
            with self.sandbox.open_workspace(self._untouched()) as workspace:
                yield workspace
            return
        self._put_back(self.workspace, command)
        if not command.files:
            yield self.workspace
            return
        hidden = {file.path: content_of(file, self.read_asset) for file in command.files}
        missing = sorted(path for path, content in hidden.items() if content is None)
        if missing:
            raise PackProblem(f"Nobody has the bytes of the hidden file {missing[0]!r}.")
        with self._copied(self.workspace) as workspace:
            for path, content in hidden.items():
                make_way(workspace, path)
                workspace.write_file(path, content or b"", executable=True)
            yield workspace

    def _put_back(self, workspace: Workspace, command: GraderCommand) -> None:
        """Make the files that a grader runs those of the pack. Programs that lie in the pack itself need nothing of it.

        Raises WorkspaceFull.
        """
        if command.directory is not None:
            workspace.open_up()
            return
        room = self._found()
        given = {relative(path, room.working_directory): content for path, content in room.files.items()}
        runners = runners_of(given, (*command.texts, *command.tests), has_hidden=bool(command.files))
        reported = put_back(workspace, runners)
        if reported:
            self.recorder.tell(RESTORED, {"validator_key": command.key, **reported}, VERIFICATION_SOURCE)

    def _found(self) -> Room:
        """The room as the agent found it."""
        return self.given or self.room

    @contextmanager
    def _copied(self, workspace: Workspace) -> Iterator[Workspace]:
        """A workspace of its own with what the agent left. Raises WorkspaceFull for what cannot be copied."""
        with ExitStack() as stack:
            try:
                copy = stack.enter_context(self.sandbox.open_workspace(self._copy(workspace)))
            except PathRefused as error:
                raise WorkspaceFull(f"what the agent left cannot be copied: {error}") from error
            yield copy

    def _untouched(self) -> Room:
        """A room as nobody has used it. Where it is given files, they stand for what an image would bring."""
        marks = {"PACKWRIGHT_PLAIN_REPOSITORY": "1"} if self.origin else {}
        variables = {**self.room.variables, **marks}
        return replace(self.room, files=self.origin, read_only=frozenset(), executable=frozenset(), variables=variables)

    def _copy(self, workspace: Workspace) -> Room:
        """A room with the files that the agent left. Links are left out: they could lead anywhere in a new place."""
        left = {path: state for path, state in workspace.snapshot().items() if S_ISREG(state.mode)}
        if sum(state.size for state in left.values()) > self.room.limits.disk_bytes:
            raise WorkspaceFull("the agent left more than a workspace may hold")
        files = {path: workspace.read_file(path, state.size) for path, state in left.items()}
        return replace(
            self.room,
            files={path: found.content for path, found in files.items() if found is not None},
            read_only=frozenset(),
            executable=frozenset(path for path, state in left.items() if state.mode & S_IXUSR),
        )


def _read(workspace: Workspace, entries: Iterable[Entry], limit: int) -> dict[str, bytes] | None:
    """The files; None where they have more bytes: many links can lead to one large file."""
    files: dict[str, bytes] = {}
    for entry in entries:
        found = workspace.read_file(entry.path, limit)
        if found is not None:
            files[entry.path] = found.content
            limit -= found.size
        if limit < 0:
            return None
    return files


def relative(path: str, working_directory: str) -> str:
    """A path of a task as one that begins at the working directory."""
    pure = PurePosixPath(path)
    return str(pure.relative_to(working_directory) if pure.is_relative_to(working_directory) else pure)


def make_way(workspace: Workspace, path: str) -> None:
    """Remove what an agent left where a hidden file is to be, and files where its directories are to be."""
    for above in PurePosixPath(path).parents:
        if workspace.read_file(above.as_posix(), 0) is not None:
            workspace.delete(above.as_posix())
    workspace.delete(path)
