"""Judging a trial again with what a person said after it had ended: from its stored events, asking nobody."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from django.db import connection
from django.utils import timezone

from packs.formats.task import Task
from runs.engine.budgets import LIMITS
from runs.engine.events import VERIFICATION_SOURCE, Event
from runs.engine.outcome import Outcome, Verdict
from runs.engine.rescoring import judge_again, recorded_judges
from runs.jobs.scores.amending import amend, said_by
from runs.jobs.trials.progress import count_again
from runs.models import Run, Trial


def hold(run_id: int) -> Run:
    """The run, locked until the transaction ends: nothing of it is tried again or closed meanwhile."""
    rows = Run.objects.filter(pk=run_id)
    if connection.features.has_select_for_update:
        rows = rows.select_for_update()
    run: Run = rows.only("pk", "status").get()
    return run


def judge_anew(trial: Trial, task: Task, event_type: str, payload: Mapping[str, Any]) -> bool:
    """Record what a person said, judge the trial again with it, and let the run know; in a transaction with `hold`.

    Graders read the event now and whenever the trial is scored again. False, and nothing is written, where the trial
    left nothing that could be judged.
    """
    if trial.lacks_recording:
        return False
    events = [event.as_event() for event in trial.events.all()]
    said: Event = {
        "sequence_number": len(events) + 1,
        "event_type": event_type,
        "source": VERIFICATION_SOURCE,
        "occurred_at": timezone.now(),
        "payload": dict(payload),
    }
    reported, known = [said], [*events, said]
    outcome = judge_again(task, known, recorded_judges(known), reported.append)
    if outcome is None:
        return False
    amend(trial, events, reported, said_by(kept_limit(trial, outcome)))
    count_again(trial.run_id, trial.run_agent_id)
    return True


def kept_limit(trial: Trial, outcome: Outcome) -> Outcome:
    """The outcome; a trial that passed a decisive limit stays failed for it, since events alone need not show that."""
    if trial.stop_reason not in LIMITS or outcome.verdict is Verdict.FAILED:
        return outcome
    return replace(outcome, verdict=Verdict(trial.status), error=trial.error)
