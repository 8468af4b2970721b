"""What the events of one trial say: a single pass over them in sequence order (challenge-pack h.3, d.5)."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from runs.grading.graders.contract import Source
from runs.grading.graders.evidence.calls import ToolCall, read_tool_call
from runs.grading.graders.evidence.captures import CapturedFile, Execution, Listing, read_file, read_listing
from runs.grading.graders.evidence.durations import milliseconds
from runs.grading.graders.evidence.transcript import Turn, Turns
from runs.grading.graders.evidence.usage import Tokens, Usage
from runs.grading.graders.values import as_count, as_number, loose_text
from runs.replay.causes import cut_off

# Who tells what happens in scoring (challenge-pack h.1).
SCORING_SOURCE = "worker_scoring"

Event = Mapping[str, Any]
Payload = Mapping[str, Any]


@dataclass(slots=True)
class Recording:
    """The facts of one trial. Times are what the events carry; None while nothing was said.

    `reviews` are what people said of the trial after it had ended, by the keys of the graders that had asked them;
    `overrulings` what they last said in place of graders and judges, by the keys of these.
    `steps` counts the turns that the agent made, `model_calls` are the payloads of its completed ones, `supplied` is
    evidence that came with a trial that took place elsewhere (task-suite 8.2). `replies` are the replies of models to
    what graders asked, by the keys of the questions; `workspace` tells where the agent worked and what became of the
    files there. `parts` are recordings of single turns of a conversation, by the turns' indices: what the agent did and
    used up in each. `agent` is the name of who was tried, as a pack may call it.
    """

    final_output: str | None = None
    output_source: Source | None = None
    model_source: Source | None = None
    started_at: Any = None
    first_output_at: Any = None
    ended_at: Any = None
    reported_latency_ms: float | None = None
    completed: bool | None = None
    failures: int = 0
    race_tokens: float = 0.0
    tool_call_count: float | None = None
    tokens: Tokens = field(default_factory=Tokens)
    usage: Usage = field(default_factory=Usage)
    tool_calls: list[ToolCall] = field(default_factory=list)
    files: dict[str, CapturedFile] = field(default_factory=dict)
    listings: dict[str, Listing] = field(default_factory=dict)
    executions: dict[str, Execution] = field(default_factory=dict)
    turns: list[Turn] = field(default_factory=list)
    stop_reason: str = ""
    steps: int = 0
    model_calls: list[Payload] = field(default_factory=list)
    supplied: dict[str, Any] = field(default_factory=dict)
    replies: dict[str, Payload] = field(default_factory=dict)
    reviews: dict[str, list[Any]] = field(default_factory=dict)
    overrulings: dict[str, Payload] = field(default_factory=dict)
    workspace: Payload = field(default_factory=dict)
    agent: str = ""
    parts: dict[int, "Recording"] = field(default_factory=dict)

    @property
    def milliseconds(self) -> float | None:
        """How long the agent worked: as the end of the run reports it, else the whole milliseconds from start to end;
        None where nobody knows."""
        if self.reported_latency_ms is not None:
            return self.reported_latency_ms
        return milliseconds(self.started_at, self.ended_at)

    @property
    def seconds(self) -> float | None:
        """The same in seconds; the clocks of recorded events may go back, which counts as no time."""
        return None if self.milliseconds is None else max(0.0, self.milliseconds / 1000)

    @property
    def finish_reason(self) -> str:
        """Why the last reply of a model was cut off that was; empty while none was."""
        reasons = (cut_off(payload.get("finish_reason")) for payload in reversed(self.model_calls))
        return next(filter(None, reasons), "")


def record(events: Iterable[Event]) -> Recording:
    """Read events, in any order, into a recording; what an event says in an odd shape is skipped."""
    reported = [event for event in in_sequence(events) if not is_of_judges(event)]
    recording = _read(reported)
    recording.parts = {index: _read_turn(part) for index, part in _by_turn(reported).items()}
    for part in recording.parts.values():
        part.agent = recording.agent
        if recording.started_at is None:
            part.started_at = part.ended_at = None
    return recording


def _by_turn(events: Iterable[Event]) -> dict[int, list[Event]]:
    """The events of each turn, from the user's message to the reply."""
    found: dict[int, list[Event]] = {}
    current = None
    for event in events:
        kind = event.get("event_type")
        if kind == "turn.user.message":
            current = as_count(_payload(event).get("turn_index"))
        if current is not None:
            found.setdefault(current, []).append(event)
        if kind in ("turn.assistant.message", "turn.completed"):
            current = None
    return found


def _read_turn(events: list[Event]) -> Recording:
    """A turn as a recording; its time is that until the reply."""
    recording = _read(events)
    recording.started_at, recording.ended_at = events[0].get("occurred_at"), events[-1].get("occurred_at")
    return recording


def _payload(event: Event) -> Payload:
    payload = event.get("payload")
    return payload if isinstance(payload, Mapping) else {}


def _read(events: Iterable[Event]) -> Recording:
    """Events in their order as a recording."""
    recording = Recording()
    turns = Turns()
    for event in events:
        payload = _payload(event)
        kind = event.get("event_type", "")
        reader = _READERS.get(kind)
        if reader is not None:
            reader(recording, event, payload)
        if "turn_index" in payload:
            turns.read(kind, payload)
    recording.turns = turns.in_order()
    recording.tokens = recording.usage.complete(recording.tokens)
    return recording


def is_of_judges(event: Event) -> bool:
    """Whether an event tells of a call that a judge made: it says nothing of the agent, nor of what it used up."""
    return event.get("source") == SCORING_SOURCE and str(event.get("event_type")).startswith("model.call.")


def in_sequence(events: Iterable[Event]) -> list[Event]:
    """Events in order: by sequence number, unnumbered ones last by time and type."""
    listed = list(events)
    numbers = [sequence_of(event) for event in listed]
    if all(number > 0 for number in numbers) and all(map(int.__lt__, numbers, numbers[1:])):
        return listed
    return sorted(listed, key=_rank)


def _rank(event: Event) -> tuple[bool, int, str, str]:
    number = max(sequence_of(event), 0)
    moment = event.get("occurred_at")
    stamp = moment.isoformat() if isinstance(moment, datetime) else str(moment or "")
    return number <= 0, number, stamp, str(event.get("event_type", ""))


def sequence_of(event: Event) -> int:
    """The sequence number of an event, 0 where it has none."""
    number = event.get("sequence_number")
    return number if isinstance(number, int) else 0


def source_of(event: Event, kind: str, field_path: str) -> Source | None:
    """A pointer to an event, None for one without a sequence number."""
    number = sequence_of(event)
    return Source(kind, number, event["event_type"], field_path) if number > 0 else None


def _time(event: Event, payload: Payload) -> Any:
    """When the agent began or ended; None for an event that was recorded elsewhere without its time."""
    return None if payload.get("is_untimed") is True else event.get("occurred_at")


def _run_started(recording: Recording, event: Event, payload: Payload) -> None:
    if recording.started_at is None:
        recording.started_at = _time(event, payload)
        recording.agent = str(payload.get("agent_name") or "")


def _output(recording: Recording, event: Event, payload: Payload) -> None:
    if recording.first_output_at is None:
        recording.first_output_at = event.get("occurred_at")


def _output_finalized(recording: Recording, event: Event, payload: Payload) -> None:
    _output(recording, event, payload)
    if recording.final_output is not None:
        return
    text = loose_text(payload.get("final_output"))
    recording.final_output = loose_text(payload.get("output")) if text is None else text
    if recording.final_output is not None:
        recording.output_source = source_of(event, "final_output", "final_output")


def _run_completed(recording: Recording, event: Event, payload: Payload) -> None:
    recording.ended_at = _time(event, payload)
    recording.completed = True
    recording.reported_latency_ms = as_number(payload.get("latency_ms"))
    text = loose_text(payload.get("final_output"))
    if text is not None:
        recording.final_output = text
    count = as_number(payload.get("tool_call_count"))
    if count is not None:
        recording.tool_call_count = count
    recording.tokens.read(payload)


def _run_failed(recording: Recording, event: Event, payload: Payload) -> None:
    recording.ended_at = _time(event, payload)
    recording.stop_reason = loose_text(payload.get("stop_reason")) or ""
    recording.reported_latency_ms = as_number(payload.get("latency_ms"))
    recording.completed = False
    recording.failures += 1


def _tool_call(recording: Recording, event: Event, payload: Payload) -> None:
    call = read_tool_call(event["event_type"], sequence_of(event), payload)
    if call is not None:
        recording.tool_calls.append(call)
    if call.failed if call is not None else event["event_type"] == "tool.call.failed":
        recording.failures += 1


def _command_failed(recording: Recording, event: Event, payload: Payload) -> None:
    recording.failures += 1


def _model_started(recording: Recording, event: Event, payload: Payload) -> None:
    recording.usage.see(payload, "model", "provider_model_id")


def _model_completed(recording: Recording, event: Event, payload: Payload) -> None:
    recording.model_source = source_of(event, "model_call", "final_output") or recording.model_source
    recording.usage.add(payload, recording.usage.see(payload, "provider_model_id", "model"))
    recording.model_calls.append(payload)


def _step_started(recording: Recording, event: Event, payload: Payload) -> None:
    recording.steps += 1


def _supplied(recording: Recording, event: Event, payload: Payload) -> None:
    recording.supplied.update(payload)


def _reply(recording: Recording, event: Event, payload: Payload) -> None:
    key = payload.get("validator_key")
    if isinstance(key, str) and key:
        recording.replies[key] = payload


def _review(recording: Recording, event: Event, payload: Payload) -> None:
    key, said = payload.get("validator_key"), payload.get("human")
    if isinstance(key, str) and isinstance(said, list):
        recording.reviews[key] = said


def _overruling(recording: Recording, event: Event, payload: Payload) -> None:
    key = payload.get("validator_key")
    if isinstance(key, str):
        recording.overrulings[key] = payload


def _workspace(recording: Recording, event: Event, payload: Payload) -> None:
    recording.workspace = payload


def _standings(recording: Recording, event: Event, payload: Payload) -> None:
    recording.race_tokens += as_number(payload.get("tokens_added")) or 0.0


def _file_captured(recording: Recording, event: Event, payload: Payload) -> None:
    captured = read_file(payload)
    if captured is not None:
        captured.source = source_of(event, "tool_call", f"file:{captured.key}")
        recording.files[captured.key] = captured


def _directory_listed(recording: Recording, event: Event, payload: Payload) -> None:
    listing = read_listing(payload)
    if listing is not None:
        listing.source = source_of(event, "tool_call", f"file:{listing.key}")
        recording.listings[listing.key] = listing


def _code_executed(recording: Recording, event: Event, payload: Payload) -> None:
    key = payload.get("validator_key")
    if isinstance(key, str) and key:
        target = payload.get("target")
        source = source_of(event, "tool_call", target if isinstance(target, str) else "")
        recording.executions[key] = Execution(dict(payload), source)


_READERS: dict[str, Callable[[Recording, Event, Payload], None]] = {
    "system.run.started": _run_started,
    "model.output.delta": _output,
    "system.output.finalized": _output_finalized,
    "system.run.completed": _run_completed,
    "system.run.failed": _run_failed,
    "tool.call.completed": _tool_call,
    "tool.call.failed": _tool_call,
    "sandbox.command.failed": _command_failed,
    "model.call.started": _model_started,
    "model.call.completed": _model_completed,
    "race.standings.injected": _standings,
    "system.step.started": _step_started,
    "grader.evidence.supplied": _supplied,
    "grader.opinion.recorded": _reply,
    "grader.review.recorded": _review,
    "grader.verdict.overruled": _overruling,
    "workspace.changed": _workspace,
    "grader.verification.file_captured": _file_captured,
    "grader.verification.directory_listed": _directory_listed,
    "grader.verification.code_executed": _code_executed,
}
