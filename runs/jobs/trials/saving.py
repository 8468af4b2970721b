"""Writes what the trials of a job left behind: few statements, one transaction, and nothing under a lost lease."""

import logging
import threading
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.db import InterfaceError, OperationalError, connection, transaction
from django.db.models import Count
from django.utils import timezone

from packs.formats.characters import storable
from packs.models.searched import keep
from runs.engine.conversation.waiting import Wait
from runs.engine.events import Event as EngineEvent
from runs.engine.outcome import Outcome, Verdict
from runs.gates.facts import Facts, facts_of
from runs.grading.graders.contract import Grade as EngineGrade
from runs.grading.graders.evidence.recording import Recording, record
from runs.jobs.queue.leases import held
from runs.jobs.queue.turns import ask_people
from runs.jobs.trials.facts import keep_facts
from runs.jobs.trials.reviews import ask_reviewers
from runs.jobs.trials.statements import Row, Statements
from runs.models import Event, Grade, Replay, Trial
from runs.replay import index_steps
from runs.replay.causes import STUDIO
from runs.statistics.summaries import Judging

log = logging.getLogger(__name__)

FLUSH_SECONDS = 0.5
# How long to wait between two tries to save while the database does not answer; after the last one it is given up.
PATIENCE = (0.25, 0.5, 1, 2, 2, 4, 4, 4, 8, 8, 8, 8, 0)
# From this many events on, the index of a replay is stored when the trial ends.
LONG_REPLAY = 200
EVENTS = Statements(Event, "trial_id", "sequence", "event_type", "source", "occurred_at", "payload")
GRADES = Statements(
    Grade, "trial_id", "position", "key", "kind", "state", "verdict", "outcome", "score", "reason", "detail"
)
RESULTS = (
    "status",
    "score",
    "stop_reason",
    "finish_reason",
    "fault",
    "error",
    "final_output",
    "scorecard",
    "event_count",
    "total_tokens",
    "cost_usd",
    "seconds",
    "judge_tokens",
    "judge_cost_usd",
    "lease",
    "lease_until",
    "attempt",
    "finished_at",
)
TRIALS = Statements(Trial, *RESULTS, "id")


class LeaseLost(Exception):
    """Somebody else works on the trial now, or nobody any more: what this worker finds out about it does not count."""


@dataclass(slots=True, eq=False)
class Story:
    """The events of one trial so far, how many of them are saved, and how it ended.

    A story that `is_over` takes nothing more: it was ended from outside, saved as ended, or its lease was lost.
    """

    trial: Trial
    events: list[EngineEvent] = field(default_factory=list)
    saved: int = 0
    outcome: Outcome | None = None
    is_over: bool = False

    def take_up(self, events: Sequence[EngineEvent]) -> None:
        """Go on after events that are saved already."""
        self.events = list(events)
        self.saved = len(events)

    def end(self, outcome: Outcome) -> None:
        """Note how the trial ended, unless that was said already."""
        if not self.is_over:
            self.outcome = outcome
            self.is_over = True


@dataclass(frozen=True, slots=True)
class Page:
    """What is to be written of a story now: its events up to `count`, and its end where it has one."""

    story: Story
    count: int
    outcome: Outcome | None

    @property
    def waits(self) -> Wait | None:
        """What a person is asked, where the trial waits for them."""
        return self.outcome.waits_for if self.outcome else None

    @property
    def events(self) -> list[EngineEvent]:
        return self.story.events[self.story.saved : self.count]

    @property
    def recording(self) -> Recording:
        """What the events of the whole trial say."""
        known = self.outcome.recording if self.outcome else None
        return known or record(self.story.events[: self.count])


class Ledger:
    """Collects the stories of a job and saves them every half second, so that live pages can follow.

    Any thread may add to a story; only the thread that made the ledger writes, in its own time or when it adds.
    """

    def __init__(self, mark: str) -> None:
        self.mark = mark
        # Threads add to it while the main thread takes out of it; neither waits for the other.
        self.stories: dict[Story, None] = {}
        self.flushed_at = time.monotonic()
        self.owner = threading.get_ident()
        self.is_unsure = False

    def open(self, trial: Trial) -> Story:
        """Begin the story of a trial."""
        story = Story(trial)
        self.stories[story] = None
        return story

    def note(self, story: Story, event: EngineEvent) -> None:
        """Add an event. Raises LeaseLost when the trial turns out to be somebody else's."""
        if story.is_over:
            raise LeaseLost
        story.events.append(event)
        self.flush_when_due()
        if story.is_over:
            raise LeaseLost

    def close(self, story: Story, outcome: Outcome) -> None:
        """Note how a trial ended."""
        story.end(outcome)
        self.flush_when_due()

    def flush_when_due(self) -> None:
        """Save when the last time was half a second ago and this is the thread that writes."""
        if threading.get_ident() == self.owner and time.monotonic() - self.flushed_at >= FLUSH_SECONDS:
            self.flush()

    def flush(self) -> None:
        """Save everything new and let go of what is finished or lost.

        While the database does not answer, this waits for it as long as a lease may be worth anything.
        """
        for pause in PATIENCE:
            try:
                self._flush()
                break
            except (OperationalError, InterfaceError):
                if connection.in_atomic_block or not pause:
                    raise
                log.warning("results-not-saved-yet", exc_info=True)
                connection.close()
                self.is_unsure = True
                time.sleep(pause)
        self.flushed_at = time.monotonic()

    def _flush(self) -> None:
        # The end is read first: a story that has one gets no more events.
        pages = [Page(story, outcome=story.outcome, count=len(story.events)) for story in list(self.stories)]
        try:
            self._write(pages)
        except (OperationalError, InterfaceError):
            raise
        except Exception:
            log.exception("results-not-storable")
            for page in pages:
                self._write_alone(page)

    def _write_alone(self, page: Page) -> None:
        try:
            self._write([page])
        except (OperationalError, InterfaceError):
            raise
        except Exception as error:  # noqa: BLE001 - see above: this is the story, and its trial says so
            message = f"The results cannot be stored: {type(error).__name__}: {error}"
            outcome = Outcome(Verdict.ERROR, stop_reason=STUDIO.stop_reason, fault=STUDIO.fault, error=message)
            del page.story.events[page.story.saved :]
            page.story.outcome, page.story.is_over = outcome, True
            self._write([Page(page.story, page.story.saved, outcome)])

    def _write(self, pages: list[Page]) -> None:
        """Write pages in one transaction, but none under a lost lease."""
        with transaction.atomic():
            mine = held([page.story.trial.pk for page in pages], self.mark)
            kept = [page for page in pages if page.story.trial.pk in mine]
            if self.is_unsure:
                recount(kept)
            save(kept)
        for page in kept:
            page.story.saved = page.count
        for page in pages:
            is_lost = page.story.trial.pk not in mine
            if is_lost:
                page.story.is_over = True
            if is_lost or page.outcome:
                self.stories.pop(page.story, None)
        self.is_unsure = False


def recount(pages: Iterable[Page]) -> None:
    """Learn how many events are saved, after an answer of the database got lost."""
    stories = {page.story.trial.pk: page.story for page in pages}
    saved = Event.objects.filter(trial__in=stories).order_by().values_list("trial").annotate(total=Count("pk"))
    for story in stories.values():
        story.saved = 0
    for trial, total in saved:
        stories[trial].saved = total


def save(pages: Iterable[Page]) -> None:
    """Write new events of all stories, and the results of those that ended."""
    listed = list(pages)
    EVENTS.insert(row for page in listed for row in event_rows(page))
    ended = [page for page in listed if page.outcome is not None]
    if not ended:
        return
    GRADES.insert(row for page in ended for row in grade_rows(page))
    Replay.objects.bulk_create(
        [
            Replay(trial=page.story.trial, index=index_steps(page.story.events[: page.count]).as_dict())
            for page in ended
            if page.count >= LONG_REPLAY and not page.waits
        ]
    )
    TRIALS.update(close_row(page) for page in ended)
    keep(Trial, Trial.searched, [page.story.trial.pk for page in ended])
    keep_facts(facts_rows(ended))
    ask_reviewers((page.story.trial, page.outcome.grades) for page in ended if page.outcome)
    ask_people((page.story.trial, page.count, page.waits) for page in ended if page.waits)


def facts_rows(pages: Iterable[Page]) -> Iterator[tuple[Trial, Facts]]:
    """What gates have to know of the trials that ended."""
    for page in pages:
        if page.outcome is not None and not page.waits:
            yield page.story.trial, facts_of(page.recording, page.outcome.scorecard)


def event_rows(page: Page) -> Iterator[Row]:
    """The new events, for `EVENTS`."""
    for event in page.events:
        yield (
            page.story.trial.pk,
            event["sequence_number"],
            event["event_type"],
            event["source"][:40],
            event["occurred_at"],
            event["payload"],
        )


def grade_rows(page: Page) -> Iterator[Row]:
    """The grades, for `GRADES`."""
    assert page.outcome is not None
    for values in grade_values(page.outcome.grades):
        yield (page.story.trial.pk, *values)


def grade_values(grades: Iterable[EngineGrade]) -> Iterator[Row]:
    """Grades, for `GRADES` after the id of their trial."""
    for position, grade in enumerate(grades):
        yield (
            position,
            storable(grade.key)[:255],
            grade.kind[:60],
            grade.state.value,
            grade.verdict.value if grade.verdict else "",
            grade.outcome.value,
            grade.score,
            storable(grade.reason),
            grade_detail(grade),
        )


def grade_detail(grade: Any) -> dict[str, Any]:
    detail = {"target": grade.target, "expected_from": grade.expected_from}
    return {**detail, "source": grade.source.as_dict()} if grade.source else detail


def close_row(page: Page) -> Row:
    """The trial's result, for `TRIALS`; the trial in hand has it then too."""
    trial, outcome = page.story.trial, page.outcome
    assert outcome is not None
    trial.status = outcome.verdict.value
    trial.score = outcome.score
    trial.stop_reason = outcome.stop_reason[:40]
    trial.finish_reason = page.recording.finish_reason
    trial.fault = outcome.fault.value
    trial.error = storable(outcome.error)
    trial.final_output = storable(outcome.final_output)
    trial.scorecard = outcome.scorecard
    trial.event_count = page.count
    trial.total_tokens = outcome.usage.get("total_tokens")
    trial.cost_usd = outcome.usage.get("cost_usd")
    trial.seconds = page.recording.seconds
    for name, amount in used_by_judges(outcome.scorecard).items():
        setattr(trial, name, amount)
    trial.lease = ""
    trial.lease_until = None
    trial.finished_at = None if outcome.waits_for else timezone.now()
    if outcome.waits_for:
        # Lost workers are counted anew when the trial goes on.
        trial.attempt = 0
    return [*(getattr(trial, name) for name in RESULTS), trial.pk]


def used_by_judges(scorecard: Mapping[str, Any]) -> dict[str, float]:
    """The columns of a trial that say what the judges of its scorecard used up."""
    judging = Judging()
    judging.add_all(scorecard)
    return {"judge_tokens": round(judging.tokens), "judge_cost_usd": judging.cost_usd}
