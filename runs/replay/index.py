"""A replay in short: kind, state and the two sequence numbers of every step.

A step is made of one event, or of the event that opened it and the one that closed it. So a small index is enough to
page, filter and jump through a replay of any length: only the events of the steps that are shown need to be read.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from runs.replay.steps import (
    Event,
    artifacts_of,
    fields_of,
    headline_of,
    interrupted,
    moment,
    shows_trouble,
    terminal_state,
    whole_number,
)
from runs.replay.vocabulary import (
    COMPLETED,
    COUNTERS,
    ENDS,
    FAILED,
    KINDS,
    LETTERS,
    MOMENT,
    MOMENTS,
    OPEN,
    SCHEMA_VERSION,
    STARTS,
    STATE_LETTERS,
    TERMINAL,
)


@dataclass(slots=True)
class StepIndex:
    """All steps of a replay in short: one letter or number a step, in the order of the steps.

    `ends` holds 0 for a step that is still open; `errors` the positions of steps that show trouble; `summary` is the
    replay's summary without its steps.
    """

    kinds: str = ""
    states: str = ""
    starts: list[int] = field(default_factory=list)
    ends: list[int] = field(default_factory=list)
    errors: list[int] = field(default_factory=list)
    summary: dict[str, Any] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.kinds)

    def as_dict(self) -> dict[str, Any]:
        """JSON values from which `StepIndex(**values)` makes the index again."""
        return {
            "kinds": self.kinds,
            "states": self.states,
            "starts": self.starts,
            "ends": self.ends,
            "errors": self.errors,
            "summary": self.summary,
        }

    def select(self, kinds: Iterable[str] = (), sequences: Iterable[int] | None = None) -> Sequence[int]:
        """Positions of the steps of these kinds (all kinds when empty) that hold one of `sequences` (any when None)."""
        letters = {KINDS[kind] for kind in kinds if kind in KINDS}
        positions: Sequence[int] = range(len(self))
        if sequences is not None:
            places = self.places()
            positions = sorted({places[sequence] for sequence in sequences if sequence in places})
        if letters:
            positions = [position for position in positions if self.kinds[position] in letters]
        return positions

    def position_of(self, sequence: int) -> int | None:
        """The step that the event with this sequence number opened, closed or is."""
        return self.places().get(sequence)

    def places(self) -> dict[int, int]:
        """Sequence number of an event -> position of its step."""
        places = {end: position for position, end in enumerate(self.ends) if end}
        places.update((start, position) for position, start in enumerate(self.starts))
        return places

    def sequences(self, positions: Iterable[int]) -> set[int]:
        """The sequence numbers of the events that these steps are made of."""
        chosen = list(positions)
        return ({self.starts[position] for position in chosen} | {self.ends[position] for position in chosen}) - {0}

    def minimap(self, width: int) -> list[dict[str, Any]]:
        """At most `width` stripes: first position, number of steps, the commonest kind, and whether any has trouble."""
        total = len(self)
        size = max(1, -(-total // max(1, width)))
        troubled = {position // size for position in self.errors}
        stripes = []
        for number, first in enumerate(range(0, total, size)):
            letters = self.kinds[first : first + size]
            commonest = max(dict.fromkeys(letters), key=letters.count)
            kind = LETTERS[commonest]
            stripes.append({"first": first, "count": len(letters), "kind": kind, "error": number in troubled})
        return stripes


def index_steps(events: Iterable[Event]) -> StepIndex:
    """The index of the steps that these events, in sequence order, make."""
    builder = Builder()
    for event in events:
        builder.add(event)
    return builder.index()


def build_steps(index: StepIndex, positions: Iterable[int], events: Mapping[int, Event]) -> list[dict[str, Any]]:
    """The steps at these positions; `events` maps the numbers of `index.sequences(positions)` to their events."""
    return [_step(index, position, events) for position in positions]


class Builder:
    """Reads events one by one and keeps the steps that are still open, by category."""

    def __init__(self) -> None:
        self.kinds: list[str] = []
        self.states: list[str] = []
        self.starts: list[int] = []
        self.ends: list[int] = []
        self.troubled: set[int] = set()
        self.artifacts: dict[str, None] = {}
        self.open: dict[tuple[str, Any], list[int]] = {}
        self.event_count = 0
        self.terminal: Event | None = None
        self.last_event_of_step: dict[int, Event] = {}

    def add(self, event: Event) -> None:
        event_type, payload = event["event_type"], event["payload"]
        self.event_count += 1
        if event_type in TERMINAL:
            self.terminal = event
        if event_type in STARTS:
            position = self._append(STARTS[event_type], OPEN, event)
            self.open.setdefault(_category(STARTS[event_type], payload), []).append(position)
        elif event_type in ENDS:
            position = self._close(event, *ENDS[event_type])
        else:
            position = self._append(MOMENTS.get(event_type, "event"), MOMENT, event)
        if self.states[position] == FAILED or shows_trouble(payload):
            self.troubled.add(position)
        for artifact in artifacts_of(payload):
            self.artifacts[artifact] = None
        if position == len(self.kinds) - 1:
            self.last_event_of_step = {position: event}

    def _append(self, kind: str, state: str, event: Event) -> int:
        sequence = event["sequence_number"]
        self.kinds.append(KINDS[kind])
        self.states.append(state)
        self.starts.append(sequence)
        self.ends.append(0 if state == OPEN else sequence)
        return len(self.kinds) - 1

    def _close(self, event: Event, kind: str, status: str) -> int:
        waiting = self.open.get(_category(kind, event["payload"]))
        if not waiting:
            return self._append(kind, STATE_LETTERS[status], event)
        position = waiting.pop()
        self.states[position] = STATE_LETTERS[status]
        self.ends[position] = event["sequence_number"]
        return position

    def index(self) -> StepIndex:
        return StepIndex(
            kinds="".join(self.kinds),
            states="".join(self.states),
            starts=self.starts,
            ends=self.ends,
            errors=sorted(self.troubled),
            summary=self._summary(),
        )

    def _summary(self) -> dict[str, Any]:
        status, headline = self._state()
        counts = {"events": self.event_count, "replay_steps": len(self.kinds)}
        for name, letters in COUNTERS.items():
            counts[name] = sum(self.kinds.count(letter) for letter in letters)
        summary: dict[str, Any] = {
            "schema_version": SCHEMA_VERSION,
            "status": status,
            "headline": headline,
            "counts": counts,
        }
        if self.artifacts:
            summary["artifact_ids"] = list(self.artifacts)
        if self.terminal is not None:
            summary["terminal_state"] = terminal_state(self.terminal)
        return summary

    def _state(self) -> tuple[str, str]:
        if self.terminal is not None:
            return TERMINAL[self.terminal["event_type"]], headline_of(self.terminal)
        if not self.kinds:
            return "not_started", "Replay not started"
        [(position, event)] = self.last_event_of_step.items()
        if self.states[position] == OPEN:
            return "running", interrupted(LETTERS[self.kinds[position]], event["payload"])
        return "running", headline_of(event)


def _category(kind: str, payload: Mapping[str, Any]) -> tuple[str, Any]:
    """What an end event must share with the start that it closes."""
    return (kind, whole_number(payload.get("step_index")) if kind == "agent_step" else None)


def _step(index: StepIndex, position: int, events: Mapping[int, Event]) -> dict[str, Any]:
    kind, state = LETTERS[index.kinds[position]], index.states[position]
    start, end = index.starts[position], index.ends[position]
    first = events[start]
    last = events[end] if end else first
    own = [first] if first is last else [first, last]
    step: dict[str, Any] = {
        "type": kind,
        "status": {COMPLETED: "completed", FAILED: "failed"}.get(state, "running"),
        "headline": interrupted(kind, first["payload"]) if state == OPEN else headline_of(last),
        "source": first["source"],
        "started_sequence": start,
    }
    if end:
        step["completed_sequence"] = end
    step["occurred_at"] = moment(first["occurred_at"])
    if end:
        step["completed_at"] = moment(last["occurred_at"])
    step["event_count"] = len(own)
    step["event_types"] = [event["event_type"] for event in own]
    for event in own:
        step.update(fields_of(event["payload"]))
    found = dict.fromkeys(artifact for event in own for artifact in artifacts_of(event["payload"]))
    if found:
        step["artifact_ids"] = list(found)
    return step
