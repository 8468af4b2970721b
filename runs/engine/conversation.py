"""A conversation with a scripted user (challenge-pack c.6).

Phases played by a model or a person need what this engine does not have; `obstacle` says so before a run starts.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from runs.agents.contract import PackProblem
from runs.engine.recorder import Recorder
from runs.graders.values import TooDeep, to_text

DEFAULT_MAX_TURNS = 50
Script = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Turn:
    """What the user says, and what the reply is expected to be or to hold."""

    index: int
    phase: str
    message: str
    expects: tuple[Mapping[str, Any], ...] = ()

    def wanted(self) -> tuple[tuple[str, ...], bool]:
        """The expected texts, and whether the reply must be just that text."""
        exact = [value_of(entry) for entry in self.expects if entry.get("kind") == "exact_match"]
        held = [value_of(entry) for entry in self.expects if entry.get("kind") == "contains"]
        found = exact[:1] or held
        return tuple(text for text in found if text is not None), bool(exact)


@dataclass(slots=True)
class Conversation:
    """How far a conversation has come."""

    recorder: Recorder
    turn_count: int = 0
    actors: list[str] = field(default_factory=list)
    mismatches: list[int] = field(default_factory=list)
    last_mismatched: bool = False
    stop_reason: str = "completed"
    final_output: str = ""
    history: list[dict[str, str]] = field(default_factory=list)

    def play(self, turn: Turn, ask: "Ask") -> None:
        """One turn: the user's message, the reply, and whether it is what was expected."""
        place = {"turn_index": turn.index, "phase_id": turn.phase}
        self.recorder.tell("turn.user.message", {**place, "actor": "scripted", "content": turn.message})
        reply = ask(turn, tuple(self.history))
        self.recorder.tell("turn.assistant.message", {**place, "content": reply})
        self.last_mismatched = any(not meets(entry, reply) for entry in turn.expects)
        self.recorder.tell("turn.completed", {**place, "mismatch": self.last_mismatched})
        self.turn_count += 1
        self.final_output = reply
        if self.last_mismatched:
            self.mismatches.append(turn.index)
        self.history += [{"role": "user", "content": turn.message}, {"role": "assistant", "content": reply}]

    def result(self) -> dict[str, Any]:
        """The payload of `conversation.completed`."""
        return {
            "turn_count": self.turn_count,
            "actors_used": self.actors,
            "mismatch_turns": self.mismatches,
            "human_turn_count": 0,
            "stop_reason": self.stop_reason,
            "final_output": self.final_output,
        }


Ask = Callable[[Turn, tuple[dict[str, str], ...]], str]


def converse(script: Script, ask: Ask, recorder: Recorder) -> Conversation:
    """Play all phases; what `ask` raises comes through. Raises PackProblem for a phase that cannot be played here."""
    reason = obstacle(script)
    if reason:
        raise PackProblem(reason)
    conversation = Conversation(recorder)
    limit = script.get("max_turns") or DEFAULT_MAX_TURNS
    for phase in script.get("phases") or ():
        if not is_due(phase, conversation):
            continue
        if "scripted" not in conversation.actors:
            conversation.actors.append("scripted")
        for turn in turns_of(phase, conversation.turn_count):
            if conversation.turn_count >= limit:
                conversation.stop_reason = "max_turns"
                break
            conversation.play(turn, ask)
    recorder.tell("conversation.completed", conversation.result())
    return conversation


def is_due(phase: Script, conversation: Conversation) -> bool:
    """Whether a phase is played; every trigger but these two just lets it run."""
    trigger = phase.get("trigger") or "always"
    if trigger == "on_assistant_mismatch":
        return conversation.last_mismatched
    return bool(trigger != "never")


def turns_of(phase: Script, first: int) -> Iterator[Turn]:
    for offset, turn in enumerate(phase.get("turns") or ()):
        expects = tuple(entry for entry in turn.get("expects") or () if isinstance(entry, Mapping))
        yield Turn(first + offset, str(phase.get("id", "")), str(turn.get("message", "")), expects)


def obstacle(script: Script) -> str:
    """Why this conversation cannot be played by this studio; empty when it can."""
    for phase in script.get("phases") or ():
        if phase.get("actor") != "scripted" and (phase.get("trigger") or "always") != "never":
            return (
                f"Phase {phase.get('id')!r} is played by actor {phase.get('actor')!r}; "
                "only scripted phases can be run so far."
            )
    return ""


def meets(entry: Mapping[str, Any], reply: str) -> bool:
    """Whether a reply meets one expectation; what has no inline value or another kind is never met."""
    value = value_of(entry)
    if value is None:
        return False
    if entry.get("kind") == "exact_match":
        return reply.strip() == value.strip()
    return entry.get("kind") == "contains" and value in reply


def value_of(entry: Mapping[str, Any]) -> str | None:
    """The text of an inline value; None where there is none."""
    value = entry.get("value")
    try:
        return None if value is None else to_text(value)
    except TooDeep:
        return None
