"""Looking at what was made elsewhere: an answer, and the files that an agent left."""

from collections.abc import Mapping
from dataclasses import replace

from packs.formats.task import Task
from runs.engine.recorder import Recorder
from runs.engine.rooms import ReadAsset, room_of
from runs.engine.verification import Aftermath
from runs.judges import Bench
from runs.sandbox.contract import Sandbox


def look_at(
    task: Task,
    output: str | None,
    recorder: Recorder,
    sandbox: Sandbox,
    read_asset: ReadAsset,
    files: Mapping[str, bytes] | None,
    bench: Bench,
) -> None:
    """Run what the graders need the result of, in a workspace with the given files where there are any."""
    room = room_of(task, read_asset)
    if files is None or task.environment.materialize_from_image:
        # Given files stand for those of the image, so that no container is needed for them.
        plain = room if files is None else replace(room, image="", materialize_from_image=False)
        Aftermath(task, None, recorder, sandbox, plain, read_asset, origin=files or {}, bench=bench).verify(output)
        return
    left = replace(room, files=files, read_only=frozenset())
    # Its record keeps them already.
    captures = tuple(capture for capture in task.environment.captures if capture.kind != "workspace_capture")
    task = replace(task, environment=replace(task.environment, captures=captures))
    with sandbox.open_workspace(left) as workspace:
        Aftermath(task, workspace, recorder, sandbox, left, read_asset, bench=bench).verify(output)
