"""What a failed trial tells: the facts, the request, what should have happened, and what it showed."""

from collections.abc import Iterator, Mapping
from typing import Any

from django.utils import timezone

from packs.formats.failure import BROKE_OFF, LOOP, OVER_BUDGET, RETRY, UNSAFE, Failure
from packs.formats.task import Task
from runs.engine.budgets import LIMITS
from runs.models import Grade, Trial
from runs.replay.trajectories.calls import calls_of
from runs.replay.trajectories.loops import has_loop, retry_count
from runs.replay.trajectories.tracked import is_violation, kind_of
from runs.results.playback import index_of, transcript
from runs.results.tracing import task_of, trial_trace

MAX_TITLE = 160
# How the first paragraph of a prompt begins that says what an evaluation is.
OPENING = "You are taking part in an evaluation."
# Of many reasons the first ones tell enough.
MAX_REASONS = 2


def failure_of(trial: Trial, step: int | None = None) -> Failure:
    """A trial as a failure, where `step` (from 1) is given up to that step of its replay.

    The trial comes with its run, version, pack, agent and case.
    """
    task = task_of(trial)
    trace = trial_trace(trial, last_event(trial, step))
    version, case = trial.run.version, trial.case
    when = trial.finished_at or timezone.now()
    facts = {
        "run": trial.run_id,
        "trial": trial.pk,
        **({"step": step} if step else {}),
        "version": f"{version.pack.slug}@{version.number}",
        "digest": version.digest,
        "case": trial.case_key,
        "agent": trial.run_agent.name,
        "ended": when.isoformat(timespec="seconds"),
        "trace": str(trace.get("run_id", "")),
    }
    return Failure(
        facts=facts,
        title=title_of(trial, task),
        request=request_of(trial, task),
        expected=tuple(expected_of(task)),
        forbidden=tuple(dict.fromkeys(forbidden_of(task, trace))),
        output=trial.final_output,
        reference=task.reference,
        format=version.pack.format,
        challenge_key=trial.challenge_key or task.challenge_key,
        case_key=trial.case_key,
        case=case.document if case else None,
        trace=trace,
        signs=frozenset(signs_of(trial, trace)),
        day=when.date().isoformat(),
    )


def last_event(trial: Trial, step: int | None) -> int | None:
    """The sequence number of the last event of a step of the replay; None where there is no such step."""
    if not step:
        return None
    index = index_of(trial)
    return max(index.sequences([step - 1]), default=None) if step <= len(index) else None


def title_of(trial: Trial, task: Task) -> str:
    """The case with the reasons for which the trial failed, in a line."""
    grades = Grade.objects.filter(trial=trial).exclude(verdict="pass").exclude(reason="").order_by("position")
    reasons = [reason.strip() for reason in grades.values_list("reason", flat=True)[:MAX_REASONS]]
    why = "; ".join(" ".join(reason.split()) for reason in reasons) or " ".join(trial.error.split())
    found = ": ".join(part for part in (trial.case_key or task.title, why) if part)
    return found if len(found) <= MAX_TITLE else f"{found[: MAX_TITLE - 1]}…"


def request_of(trial: Trial, task: Task) -> str:
    """What the agent was asked, without what every agent is told; in a conversation the first message of the user."""
    said = next((turn["user"] for turn in transcript(trial) if turn.get("user")), "")
    opening, _, asked = task.prompt.partition("\n\n")
    plain = asked if opening.startswith(OPENING) and asked.strip() else task.prompt
    return said if task.conversation is not None and said else plain


def expected_of(task: Task) -> list[str]:
    """What should have happened, a line each: what the case says of it, else the gold answer."""
    stated = task.hidden.get("expected_behavior")
    lines = [line for line in stated if isinstance(line, str)] if isinstance(stated, list) else []
    return lines or ([task.reference] if task.reference else [])


def forbidden_of(task: Task, trace: Mapping[str, Any]) -> Iterator[str]:
    """What must not happen again: forbidden tools that were called, and violations of safety."""
    stated = task.hidden.get("forbidden_tools")
    forbidden = stated if isinstance(stated, list) else []
    yield from (call.tool for call in calls_of(trace.get("steps", ())) if call.tool in forbidden)
    for flag in violations_of(trace):
        yield str(flag.get("detail") or kind_of(flag)) if isinstance(flag, Mapping) else str(flag)


def violations_of(trace: Mapping[str, Any]) -> list[Any]:
    flags = trace.get("outcome", {}).get("safety_flags")
    listed = flags if isinstance(flags, list) else []
    return [flag for flag in listed if isinstance(flag, str | Mapping) and is_violation(flag)]


def signs_of(trial: Trial, trace: Mapping[str, Any]) -> Iterator[str]:
    """What the trial showed, in the words of `packs.formats.failure`."""
    calls = calls_of(trace.get("steps", ()))
    if has_loop(calls):
        yield LOOP
    if retry_count(calls):
        yield RETRY
    if trial.stop_reason in LIMITS or trace.get("termination") == "budget_exceeded":
        yield OVER_BUDGET
    elif trial.fault == "agent":
        yield BROKE_OFF
    if violations_of(trace):
        yield UNSAFE
