"""Writes what a batch of trials left behind: few statements, one transaction, and nothing under a lost lease."""

import time
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from django.db import transaction
from django.utils import timezone

from runs.engine import Event as EngineEvent
from runs.engine import Outcome
from runs.jobs.leases import held
from runs.models import Event, Grade, Replay, Trial
from runs.replay import index_steps

FLUSH_SECONDS = 0.5
# From this many events on, the index of a replay is stored when the trial ends.
LONG_REPLAY = 200
CHANGED_FIELDS = [
    "status",
    "score",
    "stop_reason",
    "fault",
    "error",
    "final_output",
    "scorecard",
    "event_count",
    "lease",
    "lease_until",
    "finished_at",
]


class LeaseLost(Exception):
    """Somebody else works on the trial now: what this worker found out about it does not count."""


@dataclass(slots=True)
class Story:
    """The events of one trial so far, how many of them are saved, and how it ended."""

    trial: Trial
    events: list[EngineEvent] = field(default_factory=list)
    saved: int = 0
    outcome: Outcome | None = None


class Ledger:
    """Collects the stories of a batch and saves them every half second, so that live pages can follow."""

    def __init__(self, mark: str) -> None:
        self.mark = mark
        self.stories: list[Story] = []
        self.flushed_at = time.monotonic()

    def open(self, trial: Trial) -> Story:
        """Begin the story of a trial."""
        story = Story(trial)
        self.stories.append(story)
        return story

    def note(self, story: Story, event: EngineEvent) -> None:
        """Add an event. Raises LeaseLost when the trial turns out to be somebody else's."""
        story.events.append(event)
        self.flush_when_due()
        if story not in self.stories:
            raise LeaseLost

    def close(self, story: Story, outcome: Outcome) -> None:
        """Note how a trial ended."""
        story.outcome = outcome
        self.flush_when_due()

    def flush_when_due(self) -> None:
        if time.monotonic() - self.flushed_at >= FLUSH_SECONDS:
            self.flush()

    def flush(self) -> None:
        """Save everything new in one transaction and let go of what is finished or lost."""
        with transaction.atomic():
            mine = held([story.trial.pk for story in self.stories], self.mark)
            kept = [story for story in self.stories if story.trial.pk in mine]
            save(kept)
        for story in kept:
            story.saved = len(story.events)
        self.stories = [story for story in kept if story.outcome is None]
        self.flushed_at = time.monotonic()


def save(stories: Iterable[Story]) -> None:
    """Write new events of all stories, and the results of those that ended."""
    listed = list(stories)
    Event.objects.bulk_create([row for story in listed for row in event_rows(story)])
    ended = [story for story in listed if story.outcome is not None]
    if not ended:
        return
    Grade.objects.bulk_create([row for story in ended for row in grade_rows(story)])
    Replay.objects.bulk_create(
        [
            Replay(trial=story.trial, index=index_steps(story.events).as_dict())
            for story in ended
            if len(story.events) >= LONG_REPLAY
        ]
    )
    Trial.objects.bulk_create(
        [close_row(story) for story in ended],
        update_conflicts=True,
        update_fields=CHANGED_FIELDS,
        unique_fields=["id"],
    )


def event_rows(story: Story) -> list[Event]:
    return [
        Event(
            trial_id=story.trial.pk,
            sequence=event["sequence_number"],
            event_type=event["event_type"],
            source=event["source"][:40],
            occurred_at=event["occurred_at"],
            payload=event["payload"],
        )
        for event in story.events[story.saved :]
    ]


def grade_rows(story: Story) -> list[Grade]:
    assert story.outcome is not None
    return [
        Grade(
            trial_id=story.trial.pk,
            position=position,
            key=storable(grade.key)[:255],
            kind=grade.kind[:60],
            state=grade.state.value,
            verdict=grade.verdict.value if grade.verdict else "",
            outcome=grade.outcome.value,
            score=grade.score,
            reason=storable(grade.reason),
            detail=grade_detail(grade),
        )
        for position, grade in enumerate(story.outcome.grades)
    ]


def grade_detail(grade: Any) -> dict[str, Any]:
    detail = {"target": grade.target, "expected_from": grade.expected_from}
    return {**detail, "source": grade.source.as_dict()} if grade.source else detail


def close_row(story: Story) -> Trial:
    """The trial's row with its result."""
    trial, outcome = story.trial, story.outcome
    assert outcome is not None
    trial.status = outcome.verdict.value
    trial.score = outcome.score
    trial.stop_reason = outcome.stop_reason[:40]
    trial.fault = outcome.fault.value
    trial.error = storable(outcome.error)
    trial.final_output = storable(outcome.final_output)
    trial.scorecard = outcome.scorecard
    trial.event_count = len(story.events)
    trial.lease = ""
    trial.lease_until = None
    trial.finished_at = timezone.now()
    return trial


def storable(text: str) -> str:
    """A text that every database takes: without U+0000 and without halves of surrogate pairs."""
    if text.isascii():
        return text.replace("\0", "\ufffd") if "\0" in text else text
    return text.replace("\0", "\ufffd").encode("utf-8", "replace").decode("utf-8")
