"""The workspace as the agent found it, and what it changed since, as a unified diff."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath
from stat import S_IMODE, S_ISREG, S_IXUSR
from typing import Any

from runs.engine.workspace.unified import unified
from runs.sandbox.contract import Changes, FileState, Snapshot, Workspace, changes_between

MAX_FILE_BYTES = 1024 * 1024
MAX_TOTAL_BYTES = 64 * 1024 * 1024
MAX_DIFF = 512 * 1024
NO_NEWLINE = "\\ No newline at end of file"


@dataclass(frozen=True, slots=True)
class Baseline:
    """`contents` holds the files that are small enough to be compared line by line, or put back."""

    snapshot: Snapshot
    contents: Mapping[str, bytes]

    def changes(self, workspace: Workspace) -> "Changed":
        """What became of the files since."""
        now = own_files(workspace)
        changes = changes_between(self.snapshot, now)
        paths = sorted((*changes.added, *changes.changed, *changes.removed))
        text, is_cut = joined(self._diffs(workspace, paths, now))
        return Changed(changes, text, is_cut)

    def _diffs(self, workspace: Workspace, paths: list[str], now: Snapshot) -> Iterator[str]:
        for path in paths:
            old = self.contents.get(path, b"") if path in self.snapshot else None
            new = content(workspace, path, now[path]) if path in now else None
            is_whole = (path not in self.snapshot or path in self.contents) and (path not in now or new is not None)
            yield file_diff(path, self.snapshot.get(path), now.get(path), old, new, is_text=is_whole)

    def restore(self, workspace: Workspace, spared: tuple[str, ...] = ()) -> None:
        """Make the files again what they were, but for those below the spared folders."""
        now = own_files(workspace)
        changes = changes_between(self.snapshot, now)
        for path in (*changes.added, *changes.changed, *changes.removed):
            if any(PurePosixPath(path).is_relative_to(folder) for folder in spared):
                continue
            if path in now:
                workspace.delete(path)
            if path in self.contents:
                is_program = bool(self.snapshot[path].mode & S_IXUSR)
                workspace.write_file(path, self.contents[path], executable=is_program)


@dataclass(frozen=True, slots=True)
class Changed:
    """The paths that changed, and the text of the changes; a text that got too long `is_cut`."""

    changes: Changes
    text: str
    is_cut: bool = False

    def as_dict(self) -> dict[str, Any]:
        paths = {"added": self.changes.added, "changed": self.changes.changed, "removed": self.changes.removed}
        cut = {"is_cut": True} if self.is_cut else {}
        return {"diff": self.text, **{name: list(listed) for name, listed in paths.items()}, **cut}


def take_baseline(workspace: Workspace) -> Baseline:
    """The workspace as it is now. Raises WorkspaceFull when it holds more than can be compared."""
    snapshot, contents, room = own_files(workspace), {}, MAX_TOTAL_BYTES
    for path, state in snapshot.items():
        found = content(workspace, path, state) if state.size <= room else None
        if found is not None:
            contents[path] = found
            room -= len(found)
    return Baseline(snapshot, contents)


def own_files(workspace: Workspace) -> Snapshot:
    """The files of a workspace but for what git keeps for itself."""
    return {path: state for path, state in workspace.snapshot().items() if ".git" not in PurePosixPath(path).parts}


def content(workspace: Workspace, path: str, state: FileState) -> bytes | None:
    """The bytes of a regular file that is not too long."""
    if not S_ISREG(state.mode) or state.size > MAX_FILE_BYTES:
        return None
    found = workspace.read_file(path, MAX_FILE_BYTES)
    return None if found is None or found.is_truncated else found.content


def joined(texts: Iterator[str]) -> tuple[str, bool]:
    """The texts as one, as many of them as fit."""
    reported: list[str] = []
    size = 0
    for text in texts:
        size += len(text)
        if size > MAX_DIFF:
            return "".join(reported), True
        reported.append(text)
    return "".join(reported), False


def file_diff(
    path: str,
    before: FileState | None,
    after: FileState | None,
    old: bytes | None,
    new: bytes | None,
    *,
    is_text: bool,
) -> str:
    """The changes of one file, in the form that git writes them."""
    head = [f"diff --git a/{path} b/{path}", *_modes(before, after)]
    names = ("/dev/null" if before is None else f"a/{path}", "/dev/null" if after is None else f"b/{path}")
    one, other = _lines(old or b""), _lines(new or b"")
    top = "".join(f"{line}\n" for line in head)
    if not is_text or one is None or other is None:
        return f"{top}Binary files {names[0]} and {names[1]} differ\n"
    reported = unified(one, other, names)
    return top + "".join(line if line.endswith("\n") else f"{line}\n{NO_NEWLINE}\n" for line in reported)


def _modes(before: FileState | None, after: FileState | None) -> list[str]:
    if before is None and after is not None:
        return [f"new file mode {_mode(after)}"]
    if after is None and before is not None:
        return [f"deleted file mode {_mode(before)}"]
    if before is not None and after is not None and _mode(before) != _mode(after):
        return [f"old mode {_mode(before)}", f"new mode {_mode(after)}"]
    return []


def _mode(state: FileState) -> str:
    if not S_ISREG(state.mode):
        return "120000"
    return "100755" if S_IMODE(state.mode) & S_IXUSR else "100644"


def _lines(data: bytes) -> list[str] | None:
    """The lines of a text with their ends; None for what is none."""
    if b"\0" in data:
        return None
    try:
        return re.findall(r"[^\n]*\n|[^\n]+", data.decode())
    except UnicodeDecodeError:
        return None
