"""Trials that took place elsewhere: their events as the engine's own."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from itertools import zip_longest
from typing import Any

from runs.engine.outcome import Ending
from runs.engine.recorder import Recorder, shape_of, time_of
from runs.grading.graders.evidence import is_of_judges
from runs.replay.causes import AGENT_ERROR, CANCELLED, FAULT_OF, NOT_RECORDED, Fault

# The recording itself says what happened before a recorded trial.
RUN_LEVEL = ("system.run.started", "system.run.completed", "system.run.failed")
# How an event says that it bears the time of the recording: it does not show how long the trial took.
UNTIMED = {"is_untimed": True}

# Whose trouble it is by the stage at which a recorded trial broke (agentv H.2); at any other the agent did.
STAGES = {"setup": Fault.PACK, "repo_setup": Fault.PACK, "teardown": Fault.PACK, "evaluator": Fault.MACHINE}
# Whose trouble a recording can itself say it was.
BLAMED = tuple(fault.value for fault in Fault if fault)
MAX_REASON = 40


def copy_recording(recorder: Recorder, output: str | None, events: Iterable[Mapping[str, Any]]) -> Ending:
    """Take over recorded events, and tell the run-level events that they leave out. Raises AgentFailed.

    What has no time of its own happened when its neighbours did; where none has one, it bears that of now. Two times
    or more tell how long the trial took at least, which counts where its end does not say it.
    """
    given = list(events)
    own = [time_of(event) for event in given]
    times, mark = _filled(own), {} if len({*own} - {None}) > 1 else UNTIMED
    types = [event.get("event_type") for event in given]
    if "system.run.started" not in types:
        recorder.tell("system.run.started", {"deployment_type": "recorded", **mark}, at=min(times, default=None))
    for event, at in zip_longest(given, times):
        if event.get("event_type") not in RUN_LEVEL[1:] and not is_of_judges(event):
            recorder.copy(_at(_marked(event, mark) if event.get("event_type") == RUN_LEVEL[0] else event, at))
    return _ended(recorder, output, given, max(times, default=None), mark)


def _ended(
    recorder: Recorder,
    output: str | None,
    given: Sequence[Mapping[str, Any]],
    latest: datetime | None,
    mark: Mapping[str, Any],
) -> Ending:
    """Tell how the run ended, at its own time or when the latest of its events happened."""
    last = next((event for event in given if event.get("event_type") in RUN_LEVEL[1:]), None)
    payload: dict[str, Any] = dict(mark) if last is None else dict(shape_of(_marked(last, mark))[1])
    at = latest if last is None else time_of(last) or latest
    if last is not None and last.get("event_type") == "system.run.failed":
        recorder.copy(_at(_marked(last, mark), at))
        return broken(output, payload)
    if output is not None and "system.output.finalized" not in [event.get("event_type") for event in given]:
        recorder.tell("system.output.finalized", {"final_output": output, "source": "recorded"}, at=at)
    if output is not None:
        payload["final_output"] = output
    end = {"source": recorder.source, **(last or {}), "event_type": "system.run.completed", "payload": payload}
    recorder.copy(_at(end, at))
    final = payload.get("final_output")
    return Ending(final if isinstance(final, str) else None, str(payload.get("stop_reason") or "completed"))


def _filled(times: Sequence[datetime | None]) -> list[datetime]:
    """A time for every event: its own, else that of the one before, else the first that there is; none without any."""
    latest = next((at for at in times if at is not None), None)
    if latest is None:
        return []
    return [latest := latest if at is None else at for at in times]


def _at(event: Mapping[str, Any], at: datetime | None) -> Mapping[str, Any]:
    return event if at is None else {**event, "occurred_at": at}


def _marked(event: Mapping[str, Any], mark: Mapping[str, Any]) -> Mapping[str, Any]:
    """An event with a mark where nobody knows when it happened. Raises AgentFailed for one of an unusable shape."""
    payload = shape_of(event)[1]
    return event if time_of(event) is not None else {**event, "payload": {**payload, **mark}}


def broken(output: str | None, payload: Mapping[str, Any]) -> Ending:
    """How a recorded trial ended that broke: what kept it from being tried or judged is no failure of the agent."""
    reason = str(payload.get("stop_reason") or AGENT_ERROR)
    if reason in (CANCELLED, NOT_RECORDED):
        return Ending(stop_reason=NOT_RECORDED, error="The trial was cancelled where it took place.", is_cancelled=True)
    fault = reported_fault(payload, reason)
    if fault is not Fault.AGENT:
        reason = str(payload.get("failure_reason_code") or reason)
    return Ending(output, reason[:MAX_REASON], str(payload.get("error", "")), fault)


def reported_fault(payload: Mapping[str, Any], reason: str) -> Fault:
    """Whose trouble ended a recorded trial: as it says itself, else by what else it tells, else the agent's."""
    stated = payload.get("fault")
    if stated in BLAMED:
        return Fault(stated)
    if payload.get("provider_failure"):
        return Fault.MACHINE
    return STAGES.get(str(payload.get("failure_stage"))) or FAULT_OF.get(reason, Fault.AGENT)
