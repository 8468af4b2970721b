"""Numbers the events of one trial, hands them on as they come, and stops an agent that uses up its budget."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from packs.formats.task import Budgets
from runs.agents.contract import AgentFailed
from runs.engine.events import AGENT_TYPES, EVENT_TYPES, EXTERNAL_SOURCE, Event

Emit = Callable[[Event], None]


def now() -> datetime:
    return datetime.now(UTC)


@dataclass(slots=True)
class Recorder:
    """The events of one trial in sequence order, numbered from 1; `source` is who tells them unless one says otherwise.

    `tokens` adds up the usage of the model calls: input, output, total.
    """

    source: str
    emit_event: Emit
    budgets: Budgets = field(default_factory=Budgets)
    events: list[Event] = field(default_factory=list)
    steps: int = 0
    tool_calls: int = 0
    tokens: dict[str, int] = field(default_factory=dict)

    def tell(self, event_type: str, payload: dict[str, Any], source: str = "", at: datetime | None = None) -> None:
        """Append one event and hand it on."""
        event = {
            "sequence_number": len(self.events) + 1,
            "event_type": event_type,
            "source": source or self.source,
            "occurred_at": at or now(),
            "payload": payload,
        }
        self.events.append(event)
        self.emit_event(event)

    def record(self, event_type: str, payload: dict[str, Any]) -> None:
        """Append what the agent tells of its work.

        Raises AgentFailed for a type that an agent may not tell, and when a budget is used up.
        """
        if event_type not in AGENT_TYPES:
            known = "is told by the engine itself" if event_type in EVENT_TYPES else "is not known"
            raise AgentFailed(f"The agent recorded an event of type {event_type!r}, which {known}.")
        self.tell(event_type, payload)
        self._count(event_type, payload)
        self._check()

    def copy(self, given: Mapping[str, Any]) -> None:
        """Append an event that was recorded elsewhere, with its own time and source.

        Raises AgentFailed for an unknown type or an unusable shape.
        """
        event_type, payload = given.get("event_type"), given.get("payload", {})
        if event_type not in EVENT_TYPES:
            raise AgentFailed(f"A recorded event has the type {event_type!r}, which is not known.")
        if not isinstance(payload, dict):
            raise AgentFailed(f"The payload of a recorded event of type {event_type!r} must be an object.")
        source = given.get("source")
        self.tell(event_type, payload, source if isinstance(source, str) else EXTERNAL_SOURCE, time_of(given))
        self._count(event_type, payload)

    def _count(self, event_type: str, payload: Mapping[str, Any]) -> None:
        if event_type == "system.step.started":
            self.steps += 1
        elif event_type in ("tool.call.completed", "tool.call.failed"):
            self.tool_calls += 1
        elif event_type == "model.call.completed" and isinstance(payload.get("usage"), dict):
            for name in ("input_tokens", "output_tokens", "total_tokens"):
                used = payload["usage"].get(name)
                if isinstance(used, int):
                    self.tokens[name] = self.tokens.get(name, 0) + used

    def _check(self) -> None:
        budgets = self.budgets
        if budgets.steps is not None and self.steps > budgets.steps:
            raise AgentFailed(f"The agent took more than {budgets.steps} steps.", "step_limit")
        if budgets.tool_calls is not None and self.tool_calls > budgets.tool_calls:
            raise AgentFailed(f"The agent made more than {budgets.tool_calls} tool calls.", "tool_limit")
        if budgets.total_tokens is not None and self.tokens.get("total_tokens", 0) > budgets.total_tokens:
            raise AgentFailed(f"The agent used more than {budgets.total_tokens} tokens.", "token_limit")


def time_of(event: Mapping[str, Any]) -> datetime | None:
    """When a recorded event happened; None where it does not say so in a way that can be read."""
    given = event.get("occurred_at")
    try:
        at = given if isinstance(given, datetime) else datetime.fromisoformat(str(given))
    except ValueError:
        return None
    return at if at.tzinfo else at.replace(tzinfo=UTC)
