"""Judging a trial anew after it has ended: what it records goes behind its events, and the newest verdict counts."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from packs.formats.characters import storable
from runs.engine.events import Event
from runs.engine.outcome import Outcome
from runs.gates.facts import facts_of
from runs.grading.graders.evidence.recording import record
from runs.jobs.trials.facts import keep_facts
from runs.jobs.trials.saving import EVENTS, GRADES, LONG_REPLAY, grade_values, used_by_judges
from runs.jobs.trials.statements import Row
from runs.models import Grade, Replay, Trial
from runs.replay import index_steps


@dataclass(frozen=True, slots=True)
class Said:
    """What is said of a trial now. `grades` are rows for `GRADES` without the id of the trial."""

    status: str
    score: float | None
    fault: str
    error: str
    scorecard: Mapping[str, Any]
    grades: Sequence[Row]


def said_by(outcome: Outcome) -> Said:
    """What an outcome says of its trial."""
    grades = list(grade_values(outcome.grades))
    return Said(
        outcome.verdict.value, outcome.score, outcome.fault.value, outcome.error, dict(outcome.scorecard), grades
    )


def amend(trial: Trial, events: Sequence[Event], reported: Sequence[Event], said: Said) -> None:
    """Write what is said of a trial now, with what this scoring recorded after the trial's own `events`."""
    EVENTS.insert(event_row(trial, event) for event in reported)
    Grade.objects.filter(trial=trial).delete()
    GRADES.insert((trial.pk, *values) for values in said.grades)
    Trial.objects.filter(pk=trial.pk).update(
        status=said.status,
        score=said.score,
        fault=said.fault,
        error=storable(said.error),
        scorecard=said.scorecard,
        event_count=len(events) + len(reported),
        **used_by_judges(said.scorecard),
    )
    whole = [*events, *reported]
    Replay.objects.filter(trial=trial).delete()
    if len(whole) >= LONG_REPLAY:
        Replay.objects.create(trial=trial, index=index_steps(whole).as_dict())
    keep_facts([(trial, facts_of(record(whole), said.scorecard))])


def event_row(trial: Trial, event: Event) -> Row:
    """An event, for `EVENTS`."""
    names = ("event_type", "source", "occurred_at", "payload")
    return (trial.pk, event["sequence_number"], *(event[name] for name in names))
