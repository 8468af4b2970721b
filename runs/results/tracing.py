"""Trials written as trial records and traces, for other programs (task-suite 8); imported ones as they came."""

from collections.abc import Iterable, Iterator, Mapping
from hashlib import sha256
from typing import Any

import orjson
from django.db.models import prefetch_related_objects

from packs.columns import canonical
from packs.formats.task import Task
from runs.agents.tools.submission import NAME as SUBMIT
from runs.engine.budgets import LIMITS
from runs.engine.events import REVIEWED
from runs.grading.graders.evidence.durations import moment
from runs.grading.graders.evidence.recording import record
from runs.jobs.trials.dependencies import STOP_REASON as DEPENDENCY_FAILED
from runs.jobs.trials.loading import tasks_of
from runs.models import Run, Trial, TrialRecord, TrialStatus
from runs.replay.causes import RUN_BUDGET
from runs.replay.trajectories.records import has_events
from runs.replay.trajectories.traces import About, record_of, trace_of
from runs.results.calibrating import Doubt, doubt_of, doubtful_judges, with_doubt
from runs.results.layout import layout_of

# Our states of a trial in the words of the format; what is not judged is skipped.
STATES = {TrialStatus.PASSED: "passed", TrialStatus.FAILED: "failed", TrialStatus.ERROR: "error"}
# How many trials are read at once, and of how many events, unless one trial has more.
BATCH, MOST_EVENTS = 50, 5000
# How many cases are sorted at once.
CASES = 20


def trial_record(trial: Trial, task: Task | None = None, doubtful: Mapping[str, Doubt] | None = None) -> dict[str, Any]:
    """The record of a trial that has ended: of an imported one as it came, with the verdict that it has here.

    `task` is what the trial was about, `doubtful` the judges with a mark, where they have been read already.
    """
    kept = imported(trial)
    marked = doubtful_judges(trial.run.version.pack) if doubtful is None else doubtful
    judged = {"state": STATES.get(TrialStatus(trial.status), "skipped"), "graders": graders_of(trial, marked)}
    if kept is not None:
        return {**reviewed_since(trial, whole_record(trial, kept.record)), **judged}
    events = events_of(trial)
    about = about_trial(trial, events, task)
    evidence = {name: part for name, part in about.supplied.items() if name not in ("termination", "safety_flags")}
    facts = {"task_id": trial.case_key, "trial_index": trial.number, "output": trial.final_output, **judged}
    facts |= {"finish_reason": trial.finish_reason} if trial.finish_reason else {}
    seconds = {} if trial.seconds is None else {"wall_time_seconds": trial.seconds}
    return record_of(trace_of(events, about), {**facts, **seconds, "evidence": evidence})


def imported(trial: Trial) -> TrialRecord | None:
    """What an imported trial was made of; None where that was no trace, but events that are in the replay."""
    kept: TrialRecord | None = getattr(trial, "record", None)
    return None if kept is None or has_events(kept.record) else kept


def reviewed_since(trial: Trial, record: Mapping[str, Any]) -> dict[str, Any]:
    """An imported record with what people said of the trial here, beside what came with it."""
    events = [row.as_event() for row in trial.events.all() if row.event_type == REVIEWED]
    if not events:
        return dict(record)
    supplied = record.get("evidence")
    return {**record, "evidence": with_reviews(supplied if isinstance(supplied, Mapping) else {}, events)}


def whole_record(trial: Trial, record: Mapping[str, Any]) -> dict[str, Any]:
    """An imported record; a trace that came alone gets one around it."""
    if "trace" in record:
        return dict(record)
    return record_of(record, {"task_id": trial.case_key, "trial_index": trial.number})


def trial_trace(trial: Trial, until: int | None = None) -> dict[str, Any]:
    """The trace of a trial, with `until` only up to the event of that sequence number."""
    kept = imported(trial) if until is None else None
    if kept is not None:
        found: dict[str, Any] = kept.record.get("trace", kept.record)
        return found
    events = events_of(trial, until)
    return trace_of(events, about_trial(trial, events))


def events_of(trial: Trial, until: int | None = None) -> list[dict[str, Any]]:
    """The events that a trace tells of: to hand in the answer is no use of a tool."""
    rows = trial.events.all() if until is None else trial.events.filter(sequence__lte=until)
    found = (row.as_event() for row in rows)
    return [event for event in found if event["payload"].get("tool_name") != SUBMIT]


def record_lines(run: Run) -> Iterator[bytes]:
    """The records of all trials of a run that have ended, one a line."""
    doubtful = doubtful_judges(run.version.pack)
    for batch in batches(ended_trials(run)):
        prefetch_related_objects(batch, "record", "events", "grades")
        tasks = tasks_of(run, batch)
        for trial in batch:
            yield orjson.dumps(trial_record(trial, tasks[trial.case_id], doubtful)) + b"\n"


def ended_trials(run: Run) -> Iterator[Trial]:
    """The trials of a run that have ended, case by case; a few cases at a time, so that the first ones come at once."""
    agents, positions = {agent.pk: agent for agent in run.agents.order_by("position")}, layout_of(run).positions
    rows = Trial.objects.filter(run_agent__in=agents, finished_at__isnull=False).exclude(status=TrialStatus.CANCELLED)
    order = ("case_position", "run_agent__position", "number")
    for start in range(0, len(positions), CASES):
        for trial in rows.filter(case_position__in=positions[start : start + CASES]).order_by(*order):
            # Their configurations can be large, and are the same for all.
            trial.run, trial.run_agent = run, agents[trial.run_agent_id]
            yield trial


def batches(trials: Iterable[Trial]) -> Iterator[list[Trial]]:
    """Trials in lists, each small enough to be held with all its events."""
    batch: list[Trial] = []
    for trial in trials:
        if len(batch) == BATCH or (batch and sum(one.event_count for one in (*batch, trial)) > MOST_EVENTS):
            yield batch
            batch = []
        batch.append(trial)
    if batch:
        yield batch


def task_of(trial: Trial) -> Task:
    """The task that a trial was about."""
    return tasks_of(trial.run, [trial])[trial.case_id]


def about_trial(trial: Trial, events: list[dict[str, Any]], task: Task | None = None) -> About:
    """What a trace says of its trial beside its events."""
    task, agent, recording = task or task_of(trial), trial.run_agent, record(events)
    reported = (event["payload"] for event in events if event["event_type"] == "grader.evidence.supplied")
    supplied: dict[str, Any] = with_reviews(next(reported, {}), events)
    return About(
        run_id=f"run-{trial.run_id}-trial-{trial.pk}",
        agent_version=f"{agent.name}@{sha256(canonical(agent.config)).hexdigest()[:12]}",
        model_id=model_of(trial, events),
        task_id=trial.case_key,
        prompt=task.prompt,
        tools=tuple(tools_of(task)),
        success=trial.status == TrialStatus.PASSED,
        termination=termination_of(trial),
        started_at=moment(recording.started_at),
        finished_at=moment(recording.ended_at),
        seconds=trial.seconds,
        cost_usd=trial.cost_usd,
        flags=tuple(flags_of(trial, supplied)),
        supplied=supplied,
    )


def with_reviews(supplied: Mapping[str, Any], events: list[dict[str, Any]]) -> dict[str, Any]:
    """What came with a trial, with what people said of it since."""
    reported = (event["payload"].get("human", ()) for event in events if event["event_type"] == REVIEWED)
    given = [said for listed in reported for said in listed]
    known = supplied.get("human")
    return {**supplied, "human": [*(known if isinstance(known, list) else ()), *given]} if given else dict(supplied)


def tools_of(task: Task) -> list[str]:
    """The names of the tools that the task lists."""
    listed = task.visible.get("tools_available")
    parts = [listed] if isinstance(listed, list) else list(task.environment.tools.values())
    entries = [entry for part in parts if isinstance(part, list) for entry in part]
    names = [entry.get("name") if isinstance(entry, dict) else entry for entry in entries]
    return [name for name in names if isinstance(name, str)]


def model_of(trial: Trial, events: list[dict[str, Any]]) -> str:
    """The model that the agent asked first, else what its configuration names, else the kind of agent."""
    names = (event["payload"].get("provider_model_id") for event in events if event["event_type"].startswith("model."))
    known = [name for name in (*names, trial.run_agent.config.get("model")) if isinstance(name, str) and name]
    return str(known[0] if known else trial.run_agent.kind)


# Why a trial ended that no agent began or finished.
UNTRIED = ("cancelled", RUN_BUDGET, DEPENDENCY_FAILED)


def termination_of(trial: Trial) -> str:
    """How a trial of ours ended, in the words of the format."""
    if trial.stop_reason in LIMITS:
        return "budget_exceeded"
    if trial.status == TrialStatus.CANCELLED or trial.stop_reason in UNTRIED:
        return "cancelled"
    if trial.status == TrialStatus.ERROR and trial.fault in ("machine", "person"):
        return "infra_error"
    return "agent_error" if trial.fault == "agent" else "agent_finished"


def flags_of(trial: Trial, supplied: Mapping[str, Any]) -> list[Any]:
    """Safety flags: those that came with the trial, and those that graders raised."""
    reported = supplied.get("safety_flags")
    found = list(reported) if isinstance(reported, list) else []
    for grade in trial.scorecard.get("validator_details", ()):
        raised = grade.get("evidence", {}).get("flags")
        found += [flag for flag in raised if flag not in found] if isinstance(raised, list) else []
    return found


def graders_of(trial: Trial, doubtful: Mapping[str, Doubt]) -> list[dict[str, Any]]:
    """What the graders said, in the shape of task-suite 4.1; of a doubtful judge the reason says so."""
    return [
        {
            "id": grade.key,
            "type": grade.kind.removeprefix("suite."),
            "status": {"available": "ok", "unavailable": "skipped"}.get(grade.state, "error"),
            "passed": {"pass": True, "fail": False}.get(grade.verdict),
            "score": grade.score,
            "reason": with_doubt(grade.reason, doubt_of(doubtful, grade.key)),
        }
        for grade in trial.grades.all()
    ]
