"""What the script of a simulated user says, as values (challenge-pack c.6)."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from runs.grading.graders.values import TooDeep, as_count, to_text

DEFAULT_MAX_TURNS = 50
DEFAULT_WAIT_SECONDS = 30 * 60.0
SCRIPTED, LLM, HUMAN = "scripted", "llm", "human"
# The name under which a run says who plays the user in phases that name no model.
ROLE = "user"


@dataclass(frozen=True, slots=True)
class Turn:
    """What the user says, who says it, and what the reply is expected to be or to hold."""

    index: int
    phase: str
    message: str
    expects: tuple[Mapping[str, Any], ...] = ()
    actor: str = SCRIPTED

    def wanted(self) -> tuple[tuple[str, ...], bool]:
        """The expected texts, and whether the reply must be just that text."""
        exact = [value_of(entry) for entry in self.expects if entry.get("kind") == "exact_match"]
        held = [value_of(entry) for entry in self.expects if entry.get("kind") == "contains"]
        found = exact[:1] or held
        return tuple(text for text in found if text is not None), bool(exact)


@dataclass(frozen=True, slots=True)
class Phase:
    """A part of a conversation that one actor plays. `turns` are a script's; `wait_seconds` is a person's time."""

    key: str
    actor: str
    trigger: str = "always"
    turns: tuple[Mapping[str, Any], ...] = ()
    persona: str = ""
    max_turns: int = 0
    until: tuple[str, ...] = ()
    model: str = ""
    wait_seconds: float = DEFAULT_WAIT_SECONDS
    fails_on_timeout: bool = False

    def is_due(self, *, has_mismatched: bool) -> bool:
        """Whether the phase is played; every trigger but these two just lets it run."""
        if self.trigger == "on_assistant_mismatch":
            return has_mismatched
        return self.trigger != "never"

    def scripted_turns(self, first: int) -> Iterator[Turn]:
        """The turns of a script, numbered from `first`."""
        for offset, turn in enumerate(self.turns):
            expects = tuple(entry for entry in turn.get("expects") or () if isinstance(entry, Mapping))
            yield Turn(first + offset, self.key, str(turn.get("message", "")), expects)

    def is_satisfied(self, played: int, limit: int, turn: Turn, reply: str) -> bool:
        """Whether all conditions of `until` hold after the phase's turn number `played`; without any they never do.

        Texts are sought in the turn that was just played.
        """
        facts = {"assistant_emitted": reply, "user_token": turn.message}
        return bool(self.until) and all(holds(condition, played >= limit, facts) for condition in self.until)


@dataclass(frozen=True, slots=True)
class Script:
    """All phases of a conversation in their order, and how many turns it may have.

    `window` is how many of the earlier turns the agent is told, None for all; where it `stops_on_failure`, a turn that
    its graders fail is the last one (agentv C.7).
    """

    phases: tuple[Phase, ...]
    max_turns: int = DEFAULT_MAX_TURNS
    window: int | None = None
    stops_on_failure: bool = False

    @classmethod
    def read(cls, document: Mapping[str, Any]) -> "Script":
        """The script that a user simulator's document states."""
        phases = tuple(read_phase(phase) for phase in document.get("phases") or () if isinstance(phase, Mapping))
        return cls(
            phases,
            document.get("max_turns") or DEFAULT_MAX_TURNS,
            max(as_count(document.get("window_size")) or 0, 0) or None,
            document.get("on_turn_failure") == "stop",
        )

    def recent(self, history: Sequence[dict[str, str]]) -> tuple[dict[str, str], ...]:
        """What the agent is told of a talk: all messages, or those of the last turns. A turn has two."""
        return tuple(history if self.window is None else history[-2 * self.window :])

    def playable(self, actor: str) -> list[Phase]:
        """The phases of an actor that may come to be played."""
        return [phase for phase in self.phases if phase.actor == actor and phase.trigger != "never"]


def read_phase(document: Mapping[str, Any]) -> Phase:
    until: Sequence[Any] = document.get("until") or ()
    return Phase(
        key=str(document.get("id", "")),
        actor=str(document.get("actor", "")),
        trigger=document.get("trigger") or "always",
        turns=tuple(turn for turn in document.get("turns") or () if isinstance(turn, Mapping)),
        persona=str(document.get("persona") or "").strip(),
        max_turns=document.get("max_turns") or 0,
        until=tuple(str(condition) for condition in until),
        model=str(document.get("model") or "").strip(),
        wait_seconds=(document.get("timeout_ms") or 0) / 1000 or DEFAULT_WAIT_SECONDS,
        fails_on_timeout=document.get("on_timeout") == "fail",
    )


def holds(condition: str, is_at_limit: bool, facts: Mapping[str, str]) -> bool:
    """Whether a condition of `until` holds; an unknown one never does."""
    name, _, wanted = condition.strip().partition(":")
    if name == "max_turns":
        return is_at_limit
    return name in facts and wanted.strip().casefold() in facts[name].casefold()


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
