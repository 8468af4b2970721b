"""A trial as a chat: who said what, which tools were called and how they answered, turn by turn."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from runs.replay.steps import Event, shows_trouble, text_of, whole_number
from runs.replay.telling import call_text, command_text, output_of, result_of, trouble_in

# Kinds of step that have something to say in a chat; of all other events those of these types.
KINDS = ("model_call", "tool_call", "sandbox_command", "output")
TYPES = ("turn.user.message", "turn.assistant.message", "turn.completed", "turn.awaiting_human")


@dataclass(frozen=True, slots=True)
class Said:
    """Something said or done: `who` is system, user, agent, call (of a tool or a command) or trouble.

    `answer` is what a call gave; `sequence` the number of the event that began it.
    """

    who: str
    text: str
    sequence: int
    answer: str = ""
    is_trouble: bool = False


@dataclass(slots=True)
class Turn:
    """A turn of a conversation; a trial without turns is one turn without a number."""

    sequence: int
    number: int | None = None
    phase: str = ""
    actor: str = ""
    has_mismatch: bool = False
    awaits_person: bool = False
    said: list[Said] = field(default_factory=list)

    def add(self, said: Said) -> None:
        """Note what was said; what was just said already comes of another event again."""
        last = next((each for each in reversed(self.said) if each.who != "call"), None)
        if said.text.strip() and not (last and (last.who, last.text.strip()) == (said.who, said.text.strip())):
            self.said.append(said)


def talk(steps: Iterable[Sequence[Event]]) -> list[Turn]:
    """The turns that steps make, each step given as its one or two events."""
    turns = [Turn(sequence=0)]
    for own in steps:
        payload: dict[str, Any] = {}
        for event in own:
            payload |= event["payload"]
        number = whole_number(payload.get("turn_index")) if own[0]["event_type"] in TYPES else None
        if number is not None and number != turns[-1].number:
            turns.append(Turn(own[0]["sequence_number"], number))
        _tell(turns[-1], own, payload)
    return [turn for turn in turns if turn.said or turn.awaits_person]


def _tell(turn: Turn, own: Sequence[Event], payload: Mapping[str, Any]) -> None:
    event_type = own[0]["event_type"]
    if event_type.startswith("turn."):
        turn.phase = text_of(payload, "phase_id") or turn.phase
        turn.actor = turn.actor if event_type == "turn.completed" else text_of(payload, "actor") or turn.actor
        turn.has_mismatch |= payload.get("mismatch") is True
        turn.awaits_person |= event_type == "turn.awaiting_human"
    for said in _said(own, payload):
        turn.add(said)
        turn.awaits_person &= said.who != "user"


def _said(own: Sequence[Event], payload: Mapping[str, Any]) -> Iterator[Said]:
    event_type, at = own[0]["event_type"], own[0]["sequence_number"]
    room = event_type.rpartition(".")[0]
    if event_type == "turn.user.message":
        yield Said("user", text_of(payload, "content"), at)
    elif event_type == "turn.assistant.message":
        yield Said("agent", text_of(payload, "content"), at)
    elif room == "model.call":
        yield from _call_of_model(payload, at)
    elif room == "tool.call":
        called = call_text(text_of(payload, "tool_name") or "tool", payload.get("arguments"))
        yield Said("call", called, at, result_of(payload) or trouble_in(payload), shows_trouble(payload))
    elif room == "sandbox.command":
        yield Said("call", command_text(payload) or "command", at, output_of(payload), shows_trouble(payload))
    elif event_type == "system.output.finalized":
        yield Said("agent", text_of(payload, "final_output", "output"), at)


def _call_of_model(payload: Mapping[str, Any], at: int) -> Iterator[Said]:
    """What a model got since it last spoke, and what it answered; calls that it asked for follow as steps."""
    for message in _news(payload.get("messages")):
        if message.get("role") in ("system", "user"):
            yield Said(str(message["role"]), _words(message.get("content")), at)
    yield Said("agent", text_of(payload, "output_text"), at)
    if trouble_in(payload):
        yield Said("trouble", trouble_in(payload), at, is_trouble=True)


def _news(messages: Any) -> list[Mapping[str, Any]]:
    """The messages after the last one of a model or a tool."""
    listed = [each for each in messages if isinstance(each, Mapping)] if isinstance(messages, list) else []
    heard = (place for place in range(len(listed), 0, -1) if listed[place - 1].get("role") not in ("system", "user"))
    return listed[next(heard, 0) :]


def _words(content: Any) -> str:
    """The text of a message, or of its parts."""
    parts = content if isinstance(content, list) else [content]
    texts = (part.get("text", "") if isinstance(part, Mapping) else part for part in parts)
    return "\n".join(text for text in texts if isinstance(text, str))
