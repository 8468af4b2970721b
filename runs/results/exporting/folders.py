"""A run as a run folder of AgentV, in a ZIP, in the shape of either generation (agentv H)."""

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

from django.db.models import Q, prefetch_related_objects

from packs.formats.task import Task
from packs.formats.values import mapping
from runs.grading.graders.evidence.recording import record
from runs.jobs.trials.dependencies import STOP_REASON as DEPENDENCY_FAILED
from runs.jobs.trials.frozen import Frozen, frozen_version
from runs.jobs.trials.loading import tasks_of
from runs.models import Run, Trial, TrialStatus
from runs.models.trials import STOPPED_ON_ERROR
from runs.replay.causes import RUN_BUDGET
from runs.replay.trajectories.agentv import Result, write_folder
from runs.replay.trajectories.agentv.messages import messages_of_events, moment
from runs.replay.trajectories.agentv.tasks import freeze_task
from runs.results.calibrating import Doubt, doubt_of, doubtful_judges
from runs.results.exporting.zipping import zipped
from runs.results.tracing import batches

# The format whose tasks a run folder can hold.
FORMAT = "agentv"
# What AgentV calls the ways in which an agent is reached.
PROVIDERS = {"command": "cli", "recorded": "replay", "scripted": "mock"}
STATUSES = {TrialStatus.PASSED: "ok", TrialStatus.FAILED: "quality_failure"}
EVALUATOR = ("evaluator", "evaluator_error")
AGENT = ("agent", "provider_error")
SETUP = ("setup", "setup_error")
# Why a trial was not begun, in the words of AgentV.
UNBEGUN = {
    RUN_BUDGET: "budget_exceeded",
    STOPPED_ON_ERROR: "error_threshold_exceeded",
    DEPENDENCY_FAILED: "dependency_failed",
}


def as_folder(run: Run, generation: str) -> Iterator[bytes]:
    """The ZIP in pieces; one run folder with every trial that has ended."""
    sources = list(run.version.input_sets.values_list("key", flat=True))
    source = run.input_set.key if run.input_set else sources[0] if len(sources) == 1 else run.version.pack.slug
    name = f"run-{run.pk}"
    files = write_folder(results_of(run), source, generation, name)
    return zipped((f"{name}/{path}", content) for path, content in files)


as_classic, as_pinned = partial(as_folder, generation="classic"), partial(as_folder, generation="pinned")


def results_of(run: Run) -> Iterator[Result]:
    """The trials of a run that have ended, in the order of their cases; not those that people stopped."""
    stopped = Q(status=TrialStatus.CANCELLED) & ~Q(stop_reason__in=UNBEGUN)
    rows = run.trials.filter(finished_at__isnull=False).exclude(stopped)
    ordered = rows.order_by("case_position", "run_agent__position", "number").select_related("run_agent")
    frozen, doubtful = frozen_version(run.version_id), doubtful_judges(run.version.pack)
    for trials in batches(ordered.iterator(chunk_size=100)):
        prefetch_related_objects(trials, "events")
        tasks = tasks_of(run, trials)
        yield from (result_of(trial, tasks[trial.case_id], frozen, doubtful) for trial in trials)


def result_of(trial: Trial, reported: Task, frozen: Frozen, doubtful: Mapping[str, Doubt]) -> Result:
    """One trial as a run folder tells it."""
    hidden = reported.hidden
    events = [row.as_event() for row in trial.events.all()]
    recording = record(events)
    scores = list(scores_of(trial.scorecard, doubtful))
    status, stage, reason = status_of(trial, events)
    changed = payload_of(events, "workspace.changed")
    asked = hidden.get("input") or [{"role": "user", "content": reported.prompt}]
    answer = trial.final_output if any(event["event_type"] == "system.run.completed" for event in events) else None
    return Result(
        test_id=trial.case_key or trial.challenge_key or "run",
        suite=str(hidden.get("suite") or reported.input_set_key or trial.run.version.pack.slug),
        target=trial.run_agent.name,
        timestamp=moment(recording.ended_at) or moment(trial.finished_at) or "",
        score=trial.score or 0.0,
        status=status,
        scores=scores,
        messages=messages_of_events(events, asked, answer),
        answer=answer or "",
        error=trial.error if status == "execution_error" else "",
        stage=stage,
        reason=reason,
        finish_reason=trial.finish_reason,
        metadata=hidden.get("metadata"),
        conversation_id=str(hidden.get("conversation_id") or ""),
        token_usage=tokens_of(events),
        cost_usd=trial.cost_usd,
        duration_ms=recording.milliseconds,
        start_time=moment(recording.started_at),
        end_time=moment(recording.ended_at),
        diff=str(changed.get("diff", "")),
        changes={name: changed.get(name) or () for name in ("added", "changed", "removed")},
        attempt=trial.number - 1,
        task=task_of(trial, reported, frozen) if reported.format == FORMAT else {},
    )


def task_of(trial: Trial, reported: Task, frozen: Frozen) -> dict[str, bytes]:
    """The files of the frozen task, with what the agent was as its target."""
    material = {file.path: file for file in reported.environment.material}
    entry = trial.run_agent
    kept = {name: entry.config[name] for name in ("command", "model") if isinstance(entry.config.get(name), str)}
    judge = mapping(reported.hidden.get("judges")).get(entry.name) or reported.hidden.get("judge")
    target = {"name": entry.name, "provider": PROVIDERS.get(entry.kind, entry.kind), **kept}
    target |= {"grader_target": judge} if judge else {}
    return freeze_task(reported, target, lambda path: frozen.read_asset(material[path]) if path in material else None)


def status_of(trial: Trial, events: list[dict[str, Any]]) -> tuple[str, str, str]:
    """How a trial ended in the words of AgentV: status, and stage and reason where it broke."""
    if trial.stop_reason in UNBEGUN:
        return "execution_error", "setup", UNBEGUN[trial.stop_reason]
    failed = payload_of(events, "system.run.failed")
    if failed.get("failure_reason_code"):
        return "execution_error", str(failed.get("failure_stage", "")), str(failed["failure_reason_code"])
    if trial.status == TrialStatus.FAILED and failed:
        return "execution_error", *AGENT
    known = STATUSES.get(TrialStatus(trial.status))
    if known is not None:
        return known, "", ""
    return "execution_error", *(SETUP if failed else EVALUATOR)


def payload_of(events: list[dict[str, Any]], event_type: str) -> Mapping[str, Any]:
    """The payload of the last event of a type; empty where there is none."""
    return next((event["payload"] for event in reversed(events) if event["event_type"] == event_type), {})


def scores_of(scorecard: Mapping[str, Any], doubtful: Mapping[str, Doubt]) -> Iterator[dict[str, Any]]:
    """The rows of the graders, in order; the details of a doubtful judge say what is held against it."""
    dimensions = mapping(scorecard.get("dimensions"))
    for grade in scorecard.get("validator_details", ()):
        row = mapping(mapping(grade.get("evidence")).get("row"))
        weight = mapping(dimensions.get(grade.get("key"))).get("weight", 1)
        found = {**(row_of(row) if row else plain_row(grade)), "weight": weight}
        doubt = doubt_of(doubtful, str(grade.get("key")))
        if doubt is not None:
            found["details"] = {**mapping(found.get("details")), "doubtful_judge": doubt.described}
        yield found


def row_of(row: Mapping[str, Any]) -> dict[str, Any]:
    """The row of an assertion, members below it."""
    found = {name: row.get(name) for name in ("name", "type", "score", "verdict")}
    found["assertions"] = row.get("checks", [])
    if "details" in row:
        found["details"] = row["details"]
    if row.get("members"):
        found["scores"] = [row_of(member) for member in row["members"]]
    return found


def plain_row(grade: Mapping[str, Any]) -> dict[str, Any]:
    """The row of any other grader: one check, which its reason explains."""
    verdict = grade.get("verdict") if grade.get("verdict") in ("pass", "fail") else "skip"
    reason = str(grade.get("reason") or "")
    check = {"text": str(grade.get("key")), "passed": verdict == "pass", **({"evidence": reason} if reason else {})}
    score = grade.get("normalized_score") or 0.0
    return {
        "name": grade.get("key"),
        "type": grade.get("type"),
        "score": score,
        "verdict": verdict,
        "assertions": [check],
    }


def tokens_of(events: list[dict[str, Any]]) -> dict[str, float]:
    """Tokens as the end of the trial tells them, those read from a cache as its model calls do."""
    end = payload_of(events, "system.run.completed")
    names = {"input": "input_tokens", "output": "output_tokens"}
    found = {ours: end[theirs] for ours, theirs in names.items() if isinstance(end.get(theirs), int | float)}
    usages = [mapping(each["payload"].get("usage")) for each in events if each["event_type"] == "model.call.completed"]
    cached = sum(usage.get("cached_tokens") or 0 for usage in usages)
    return {**found, "cached": cached} if cached else found
