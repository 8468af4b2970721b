"""Grading what was made elsewhere: outputs, recorded events, and the files that an agent left."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from packs.formats.task import Task
from runs.agents.contract import AgentFailed
from runs.engine.outcome import Outcome
from runs.engine.recorded import copy_recording
from runs.engine.recorder import Emit, Recorder
from runs.engine.rooms import ReadAsset, room_of
from runs.engine.trial import failed, failure, ignore, recorder_of, settle
from runs.engine.verification import Aftermath
from runs.judges import Bench
from runs.sandbox.contract import Sandbox


def grade_given(  # noqa: PLR0913 - all that is handed in, each by its name
    task: Task,
    output: str | None,
    events: Iterable[Mapping[str, Any]],
    sandbox: Sandbox,
    read_asset: ReadAsset,
    files: Mapping[str, bytes] | None = None,
    *,
    emit: Emit = ignore,
    bench: Bench | None = None,
) -> Outcome:
    """Grade an output, with the graders' commands run as after a trial.

    `files` are what the agent left in its workspace, None where it had none. A task that begins with files of its image
    is given those instead: the clean repository of a patch. `bench` is how judges are asked; without one nobody is.
    """
    recorder = recorder_of(task, emit)
    try:
        ending = copy_recording(recorder, output, events)
    except AgentFailed as error:
        ending = failed(error)
        recorder.tell("system.run.failed", failure(ending))
    bench = bench or Bench()
    look_at(task, output, recorder, sandbox, read_asset, files, bench)
    return settle(task, ending, recorder, bench)


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
    with sandbox.open_workspace(left) as workspace:
        Aftermath(task, workspace, recorder, sandbox, left, read_asset, bench=bench).verify(output)
