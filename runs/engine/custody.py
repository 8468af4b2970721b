"""Files of graders in an agent's workspace: put back before graders run them, with what the agent had made of them."""

from collections.abc import Iterator, Mapping
from stat import S_IFREG
from typing import Any

from runs.engine.workspace.baseline import MAX_FILE_BYTES, file_diff, joined
from runs.grading.graders.runners import Runners
from runs.sandbox.contract import FileState, Workspace

PLAIN = S_IFREG | 0o644
# Of many paths the event names these; the replay is read by people.
MAX_NAMED = 200


def put_back(workspace: Workspace, runners: Runners) -> dict[str, Any]:
    """Put the graders' files back and remove what was added to them; what to report of it, empty where nothing was.

    Raises WorkspaceFull where an agent left no place for them, and SandboxUnavailable.
    """
    workspace.open_up()
    for place in runners.compiled(workspace.paths()):
        workspace.delete(place)
    present = workspace.paths()

    def read(path: str) -> str:
        return (_content(workspace, path) or b"").decode("utf-8", "replace")

    added = runners.planted(present, read)
    own = runners.changed(read)
    left = {path: _content(workspace, path) for path in (*own, *added)}
    for path in added:
        workspace.delete(path)
    changed = workspace.put_back(own)
    if not changed and not added:
        return {}
    given: dict[str, bytes | None] = {**{path: own[path] for path in changed}, **dict.fromkeys(added)}
    text, is_cut = joined(_diffs(given, left))
    reported = {"changed": list(changed)[:MAX_NAMED], "added": added[:MAX_NAMED], "diff": text}
    return {**reported, "is_cut": True} if is_cut else reported


def _content(workspace: Workspace, path: str) -> bytes | None:
    found = workspace.read_file(path, MAX_FILE_BYTES)
    return None if found is None else found.content


def _diffs(given: Mapping[str, bytes | None], left: Mapping[str, bytes | None]) -> Iterator[str]:
    """What an agent made of each file; of one that is no file any more, that it is gone."""
    for path, content in given.items():
        before, after = (None if data is None else FileState(len(data), "", PLAIN) for data in (content, left[path]))
        if before is not None or after is not None:
            yield file_diff(path, before, after, content, left[path], is_text=True)
