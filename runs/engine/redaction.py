"""Keeps keys and secrets out of everything that a trial leaves behind for people to read."""

from dataclasses import dataclass, field, replace
from typing import Any

from runs.engine.events import Event
from runs.engine.outcome import Outcome
from runs.engine.recorder import Recorder
from runs.grading.graders.contract import Grade
from runs.replay.redaction import Redactor


@dataclass(slots=True)
class DiscreetRecorder(Recorder):
    """A recorder that hands on no secret. Its own events, which graders read, are as they happened.

    `has_hidden` says whether anything was cut out so far.
    """

    redactor: Redactor = field(default_factory=Redactor)
    has_hidden: bool = False

    def shown(self, value: Any) -> Any:
        """A JSON value without secrets."""
        cut = self.redactor.value(value)
        self.has_hidden = self.has_hidden or (cut is not value and cut != value)
        return cut

    def shown_events(self) -> list[Event]:
        """The events as they are stored: without secrets."""
        return [self.redactor.value(event) for event in self.events] if self.has_hidden else self.events


def described(grade: Grade) -> dict[str, Any]:
    """Those members of a grade that may repeat what the agent said."""
    return {name: getattr(grade, name) for name in ("reason", "actual", "expected", "raw")}


def shown_outcome(outcome: Outcome, recorder: Recorder) -> Outcome:
    """An outcome as people may read it. What was read of the events is kept only where nothing was hidden in them."""
    shown = recorder.shown
    return replace(
        outcome,
        error=shown(outcome.error),
        final_output=shown(outcome.final_output),
        scorecard=shown(outcome.scorecard),
        grades=tuple(replace(grade, **shown(described(grade))) for grade in outcome.grades),
        recording=None if recorder.shown_events() is not recorder.events else outcome.recording,
    )
