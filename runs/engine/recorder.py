"""Numbers the events of one trial, hands them on as they come, and stops an agent that uses up its budget."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from runs.agents.contract import AgentFailed
from runs.engine.budgets import Spending
from runs.engine.events import AGENT_TYPES, EVENT_TYPES, EXTERNAL_SOURCE, Event
from runs.grading.graders.evidence.durations import moment

Emit = Callable[[Event], None]


def now() -> datetime:
    return datetime.now(UTC)


@dataclass(slots=True)
class Recorder:
    """The events of one trial in sequence order, numbered from 1; `source` is who tells them unless one says otherwise.

    `events` are as they happened: graders read them. What is handed on, to be stored and shown, is `shown` before.
    `spending` counts what the agent uses up, `left_out` how many events of the trial are not among these: new ones are
    numbered after all of them.
    """

    source: str
    emit_event: Emit
    spending: Spending = field(default_factory=Spending)
    events: list[Event] = field(default_factory=list)
    left_out: int = 0

    def tell(self, event_type: str, payload: dict[str, Any], source: str = "", at: datetime | None = None) -> None:
        """Append one event and hand on what may be shown of it."""
        event = {
            "sequence_number": self.left_out + len(self.events) + 1,
            "event_type": event_type,
            "source": source or self.source,
            "occurred_at": at or now(),
            "payload": payload,
        }
        self.events.append(event)
        self.emit_event(self.shown(event))

    def shown(self, value: Any) -> Any:
        """A JSON value as people, and models of other providers, may read it."""
        return value

    def shown_events(self) -> list[Event]:
        """The events as they are stored."""
        return self.events

    def take_up(self, events: Sequence[Event]) -> None:
        """Go on after events that were recorded and handed on before."""
        self.events = list(events)
        for event in events:
            self.spending.count(event["event_type"], event["payload"])

    def record(self, event_type: str, payload: dict[str, Any]) -> None:
        """Append what the agent tells of its work.

        Raises AgentFailed for a type that an agent may not tell, and where a budget ends: before what would pass it
        is recorded, and after a model call that did.
        """
        if event_type not in AGENT_TYPES:
            known = "is recorded by the engine itself" if event_type in EVENT_TYPES else "is not known"
            raise AgentFailed(f"The agent recorded an event of type {event_type!r}, which {known}.")
        self.spending.refuse(event_type)
        self.tell(event_type, payload)
        self.spending.count(event_type, payload)
        self.spending.check()

    def copy(self, given: Mapping[str, Any]) -> None:
        """Append an event that was recorded elsewhere, with its own time and source.

        Raises AgentFailed for an unknown type or an unusable shape.
        """
        event_type, payload = shape_of(given)
        source = given.get("source")
        self.tell(event_type, payload, source if isinstance(source, str) else EXTERNAL_SOURCE, time_of(given))
        self.spending.count(event_type, payload)


def shape_of(given: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
    """Type and payload of a recorded event. Raises AgentFailed for an unknown type or an unusable shape."""
    event_type, stated = given.get("event_type"), given.get("payload")
    payload = {} if stated is None else stated
    if not isinstance(event_type, str) or event_type not in EVENT_TYPES:
        raise AgentFailed(f"A recorded event has the type {event_type!r:.100}, which is not known.")
    if not isinstance(payload, dict):
        raise AgentFailed(f"The payload of a recorded event of type {event_type!r} must be an object.")
    return event_type, payload


def time_of(event: Mapping[str, Any]) -> datetime | None:
    """When a recorded event happened; None where it does not say so in a way that can be read and kept."""
    at = moment(event.get("occurred_at"))
    try:
        return None if at is None else at.astimezone(UTC)
    except OverflowError:
        # Days at either end of the calendar that are none any more in another zone.
        return None
