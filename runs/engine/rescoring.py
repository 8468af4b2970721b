"""Scoring what a trial left behind once more: from its stored events, without asking the agent again.

Nobody else is asked either, unless somebody inquires: then its judges are, those that gave no reply or all of them.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from packs.formats.task import Task
from runs.agents.contract import AgentFailed
from runs.engine.archive import Archive
from runs.engine.consulting import PROXIED
from runs.engine.events import VERIFICATION_SOURCE
from runs.engine.outcome import Ending, Outcome
from runs.engine.recorded import copy_recording
from runs.engine.recorder import Emit, Recorder
from runs.engine.trial import failed, ignore, recorder_of, settle
from runs.grading.graders.evidence import SCORING_SOURCE
from runs.grading.judges import Bench, still_ranked
from runs.grading.scoring import JudgeResult, read_judge
from runs.replay.causes import Fault
from runs.replay.redaction import Redactor

Event = Mapping[str, Any]

# Of how a trial ended this is judged; anything else was trouble that the agent could do nothing about.
JUDGED = (Fault.NONE, Fault.AGENT)
ENDS = ("system.run.completed", "system.run.failed")


@dataclass(frozen=True, slots=True)
class Inquiry:
    """How judges are asked again. `asks_all` asks those as well whose replies are stored; `ranked` are results of
    ranking judges, which look at several trials, by their keys."""

    bench: Bench
    asks_all: bool = False
    ranked: Mapping[str, JudgeResult] = field(default_factory=dict)


def score_again(
    task: Task,
    events: Sequence[Event],
    inquiry: Inquiry | None = None,
    *,
    emit: Emit = ignore,
    redactor: Redactor | None = None,
) -> Outcome | None:
    """What a trial is worth as the task says now.

    None when there is nothing to judge: its events do not tell how the agent's part ended, or it ended by trouble that
    was not the agent's. That stays what it was, and never becomes a verdict.

    What was taken from the workspace then is evidence now. A judge that is asked what it was asked then gives the same
    reply, and one that ranks as it ranked then the same result; any other one is unavailable, unless there is an
    inquiry. `emit` is given what this scoring tells, numbered on from the trial's own events; `redactor` cuts out of it
    what nobody may read.
    """
    archive, known = Archive(events), still_ranked(task, recorded_judges(events))
    if inquiry is None:
        return rejudged(task, events, Bench(archive.endpoint, known=known), emit, redactor)
    live = inquiry.bench.endpoints
    endpoints = live if inquiry.asks_all else archive.before(live)
    bench = replace(inquiry.bench, endpoints=endpoints, known={**known, **inquiry.ranked})
    kept = [event for event in events if not is_asked_again(event, asks_all=inquiry.asks_all)]
    return rejudged(task, kept, bench, emit, redactor, left_out=len(events) - len(kept))


def is_asked_again(event: Event, *, asks_all: bool) -> bool:
    """Whether an event tells what a model said to a grader that is to be asked again.

    Judges that looked at the workspace, or were asked by a program of a grader, cannot be asked without it.
    """
    payload = event["payload"]
    if (event["event_type"], event["source"]) != ("grader.opinion.recorded", VERIFICATION_SOURCE):
        return False
    is_plain = "calls" not in payload and PROXIED not in str(payload.get("validator_key"))
    return is_plain and (asks_all or bool(payload.get("error")))


def judge_again(
    task: Task, events: Sequence[Event], judges: Sequence[JudgeResult], emit: Emit, redactor: Redactor | None = None
) -> Outcome | None:
    """What a trial is worth with these results of its judges; nobody is asked. None as for `score_again`.

    `emit` is given what this scoring tells, numbered on from the trial's own events; `redactor` cuts out of it what
    nobody may read.
    """
    return rejudged(task, events, Bench(known={judge.judge_key: judge for judge in judges}), emit, redactor)


def rejudged(
    task: Task,
    events: Sequence[Event],
    bench: Bench,
    emit: Emit,
    redactor: Redactor | None = None,
    *,
    left_out: int = 0,
) -> Outcome | None:
    """What a trial is worth by these events, of which so many are left out; None as for `score_again`."""
    found = retell(task, events, redactor)
    if found is None:
        return None
    ending, retold = found
    recorder = replace(retold, emit_event=emit, events=[dict(event) for event in events], left_out=left_out)
    return settle(task, ending, recorder, bench)


def retell(task: Task, events: Sequence[Event], redactor: Redactor | None = None) -> tuple[Ending, Recorder] | None:
    """How the agent's part of a trial ended, and what was recorded of it; None when there is nothing to judge."""
    reported = [event for event in events if event["source"] != SCORING_SOURCE]
    if not any(event["event_type"] in ENDS for event in reported):
        return None
    recorder = recorder_of(task, ignore, redactor)
    try:
        ending = copy_recording(recorder, None, reported)
    except AgentFailed as error:
        return failed(error), recorder
    return None if ending.is_cancelled or ending.fault not in JUDGED else (ending, recorder)


def recorded_judges(events: Sequence[Event]) -> list[JudgeResult]:
    """What the last scoring of a trial said of its judges."""
    last = next((event for event in reversed(events) if event["event_type"] == "scoring.completed"), None)
    return [read_judge(document) for document in last["payload"].get("llm_judge_results", ())] if last else []
