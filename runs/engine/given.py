"""Grading what was made elsewhere: outputs, recorded events, and the files that an agent left."""

from collections.abc import Iterable, Mapping
from typing import Any

from packs.formats.task import Task
from runs.agents.contract import AgentFailed
from runs.engine.outcome import Outcome
from runs.engine.recorded import copy_recording
from runs.engine.recorder import Emit
from runs.engine.remains import look_at
from runs.engine.rooms import ReadAsset
from runs.engine.trial import TROUBLES, broken, failed, failure, ignore, recorder_of, settle
from runs.grading.judges import Bench
from runs.replay.redaction import Redactor
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
    redactor: Redactor | None = None,
) -> Outcome:
    """Grade an output, the events of a trial elsewhere, or both, with the graders' commands run as after a trial.

    `files` are what the agent left in its workspace, None where it had none. A task that begins with files of its image
    is given those instead: the clean repository of a patch. `bench` is how judges are asked; without one nobody is.
    `redactor` cuts out what nobody may read.
    """
    recorder = recorder_of(task, emit, redactor)
    try:
        ending = copy_recording(recorder, output, events)
    except AgentFailed as error:
        ending = failed(error)
        recorder.tell("system.run.failed", failure(ending))
    bench = bench or Bench()
    try:
        look_at(task, output, recorder, sandbox, read_asset, files, bench)
    except tuple(TROUBLES) as error:
        ending = broken(error)
    return settle(task, ending, recorder, bench)
