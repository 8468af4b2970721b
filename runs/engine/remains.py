"""Looking at what was made elsewhere: an answer, and the files that an agent left."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from packs.formats.hooks import BEFORE_ALL, BEFORE_EACH
from packs.formats.task import Task, WorkspacePlan
from runs.engine.recorder import Recorder
from runs.engine.rooms import ReadAsset, room_of
from runs.engine.verification import Aftermath
from runs.engine.workspace import has_upkeep
from runs.engine.workspace.baseline import take_baseline
from runs.grading.judges import Bench
from runs.sandbox.contract import Room, Sandbox, Workspace

BEFORE = (BEFORE_ALL, BEFORE_EACH)


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
        if has_upkeep(task):
            place = {"workspace_path": workspace.working_directory}
            recorder.tell("workspace.changed", {**place, **_changes(task, workspace, sandbox, room)})
        Aftermath(task, workspace, recorder, sandbox, left, read_asset, bench=bench, given=room).verify(output)


def _changes(task: Task, workspace: Workspace, sandbox: Sandbox, room: Room) -> dict[str, Any]:
    """What the agent changed of the files that its workspace began with; nothing where repositories or hooks made more
    of these than the pack tells."""
    plan = task.environment.workspace or WorkspacePlan()
    if plan.repositories or any(hook.point in BEFORE for hook in plan.hooks):
        return {}
    with sandbox.open_workspace(replace(room, image="")) as untouched:
        return take_baseline(untouched).changes(workspace).as_dict()
