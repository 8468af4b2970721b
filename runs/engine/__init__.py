"""The engine: runs one task with one agent, records what happens and has it graded. Pure: it knows no database."""

from runs.engine.entrant import Entrant
from runs.engine.events import EVENT_TYPES, SCHEMA_VERSION, Event, summarise
from runs.engine.given import grade_given
from runs.engine.outcome import Outcome, Verdict
from runs.engine.trial import grade_recording, run_trial
from runs.replay.causes import Fault

__all__ = [
    "EVENT_TYPES",
    "SCHEMA_VERSION",
    "Entrant",
    "Event",
    "Fault",
    "Outcome",
    "Verdict",
    "grade_given",
    "grade_recording",
    "run_trial",
    "summarise",
]
