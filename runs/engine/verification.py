"""Take files and listings from the workspace after the agent has ended (challenge-pack d.4)."""

from packs.formats.task import Capture, Task
from runs.engine.events import VERIFICATION_SOURCE
from runs.engine.recorder import Recorder
from runs.sandbox.contract import PathRefused, Workspace

DEFAULT_MAX_BYTES = 1024 * 1024
MAX_TOTAL_BYTES = 10 * 1024 * 1024


def verify(task: Task, workspace: Workspace, recorder: Recorder) -> None:
    """Run the task's post-execution checks; their results are events."""
    room = MAX_TOTAL_BYTES
    for capture in task.environment.captures:
        try:
            if capture.kind == "directory_listing":
                list_directory(capture, workspace, recorder)
            else:
                room -= capture_file(capture, workspace, recorder, room)
        except PathRefused as error:
            # Never captured, so the graders that need it are unavailable; the replay shows why.
            facts = {"key": capture.key, "path": capture.path, "action": "capture", "error": f"{error}."}
            recorder.tell("sandbox.file.read", facts, VERIFICATION_SOURCE)


def capture_file(capture: Capture, workspace: Workspace, recorder: Recorder, room: int) -> int:
    """Capture one file; gives the number of bytes that were kept."""
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
    recorder.tell("grader.verification.file_captured", facts, VERIFICATION_SOURCE)
    return len(found.content) if found else 0


def list_directory(capture: Capture, workspace: Workspace, recorder: Recorder) -> None:
    entries = workspace.list_directory(capture.path, recursive=capture.recursive)
    listed = [{"path": entry.path, "size": entry.size, "is_dir": entry.is_directory} for entry in entries or ()]
    facts = {"key": capture.key, "path": capture.path, "entries": listed}
    recorder.tell("grader.verification.directory_listed", facts, VERIFICATION_SOURCE)
