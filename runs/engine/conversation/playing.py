"""Plays a conversation turn by turn, and goes on with one that waited for a person (challenge-pack c.6)."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from runs.engine.conversation.script import HUMAN, LLM, SCRIPTED, Phase, Script, Turn, meets
from runs.engine.conversation.simulating import Player, SimulatorFailed
from runs.engine.conversation.waiting import PersonAwaited, Resumption, Wait
from runs.engine.recorder import Recorder

# Tells the agent a turn's message, with all that was said before, and gives its reply.
Ask = Callable[[Turn, tuple[dict[str, str], ...]], str]
# Says whether the turn that was just played has failed.
Judge = Callable[[], bool]


class PersonMissing(Exception):
    """Nobody answered in time, and the conversation cannot do without."""


@dataclass(slots=True)
class Conversation:
    """How far a conversation has come. It is made of the events alone, so that it can be made again from them."""

    turn_count: int = 0
    actors: list[str] = field(default_factory=list)
    mismatches: list[int] = field(default_factory=list)
    has_mismatched: bool = False
    human_turns: int = 0
    final_output: str = ""
    history: list[dict[str, str]] = field(default_factory=list)
    actor: str = ""

    def note(self, event_type: str, payload: Mapping[str, Any]) -> None:
        """Take over what an event says."""
        if event_type == "turn.awaiting_human":
            self._meet(HUMAN)
        elif event_type == "turn.user.message":
            self._meet(payload["actor"])
            self.human_turns += self.actor == HUMAN
            self.history.append({"role": "user", "content": payload["content"]})
        elif event_type == "turn.assistant.message":
            self.final_output = payload["content"]
            self.history.append({"role": "assistant", "content": payload["content"]})
        elif event_type == "turn.completed":
            self._complete(payload)

    def _meet(self, actor: str) -> None:
        self.actor = actor
        if actor not in self.actors:
            self.actors.append(actor)

    def _complete(self, payload: Mapping[str, Any]) -> None:
        self.turn_count += 1
        if payload["mismatch"]:
            self.mismatches.append(payload["turn_index"])
        # A person's turn leaves standing what the last turn of a script or a model showed.
        if self.actor != HUMAN:
            self.has_mismatched = payload["mismatch"]

    def result(self, stop_reason: str) -> dict[str, Any]:
        """The payload of `conversation.completed`."""
        return {
            "turn_count": self.turn_count,
            "actors_used": self.actors,
            "mismatch_turns": self.mismatches,
            "human_turn_count": self.human_turns,
            "stop_reason": stop_reason,
            "final_output": self.final_output,
        }


def nothing_fails() -> bool:
    """Judges no turn."""
    return False


def converse(
    script: Script,
    ask: Ask,
    recorder: Recorder,
    player: Player,
    resumption: Resumption | None = None,
    judge: Judge = nothing_fails,
) -> str:
    """Play all phases, or those that are left; gives the last reply. `judge` is asked where a failed turn is the last.

    Raises PersonAwaited where a person is to say something, PersonMissing and SimulatorFailed where nobody played the
    user; what `ask` and the player raise comes through.
    """
    stage = Stage(script, ask, recorder, player, judge)
    try:
        stop_reason = stage.play(resumption)
    except SimulatorFailed:
        stage.close("simulator_error")
        raise
    except PersonMissing:
        stage.close("human_turn_timeout")
        raise
    stage.close(stop_reason)
    return stage.conversation.final_output


@dataclass(slots=True)
class Stage:
    """Where a conversation is played."""

    script: Script
    ask: Ask
    recorder: Recorder
    player: Player
    judge: Judge = nothing_fails
    conversation: Conversation = field(default_factory=Conversation)

    def play(self, resumption: Resumption | None) -> str:
        """Play what is left; gives the stop reason."""
        phases = list(self.script.phases)
        if resumption is not None:
            for event in resumption.events:
                self.conversation.note(event["event_type"], event["payload"])
            while phases and phases[0].key != resumption.phase:
                phases.pop(0)
            reason = self._hear(phases.pop(0), resumption)
            if reason:
                return reason
        for phase in phases:
            reason = self._play_phase(phase)
            if reason:
                return reason
        return "completed"

    def close(self, stop_reason: str) -> None:
        """Tell how the conversation ended."""
        self.recorder.tell("conversation.completed", self.conversation.result(stop_reason))

    def _play_phase(self, phase: Phase) -> str:
        """Play one phase; gives the stop reason where the conversation ends with it."""
        if not phase.is_due(has_mismatched=self.conversation.has_mismatched):
            return ""
        return {SCRIPTED: self._recite, LLM: self._simulate, HUMAN: self._await}[phase.actor](phase)

    def _is_full(self) -> bool:
        return self.conversation.turn_count >= self.script.max_turns

    def _recite(self, phase: Phase) -> str:
        for turn in phase.scripted_turns(self.conversation.turn_count):
            if self._is_full():
                return "max_turns"
            self._take_turn(turn)
            if self.script.stops_on_failure and self.judge():
                return "turn_failed"
        return ""

    def _simulate(self, phase: Phase) -> str:
        limit = phase.max_turns or self.script.max_turns
        for played in range(1, limit + 1):
            if self._is_full():
                return "max_turns"
            said = self.player.speak(phase, self.conversation.history)
            turn = Turn(self.conversation.turn_count, phase.key, said.message, actor=LLM)
            self.recorder.tell("turn.user.simulated", {"turn_index": turn.index, "phase_id": phase.key, **said.facts})
            reply = self._take_turn(turn)
            if phase.is_satisfied(played, limit, turn, reply):
                return ""
        return "max_turns" if self._is_full() and not phase.max_turns else ""

    def _await(self, phase: Phase) -> str:
        if self._is_full():
            return "max_turns"
        wait = Wait(self.conversation.turn_count, phase.key, phase.persona, phase.wait_seconds)
        raise PersonAwaited(wait)

    def _hear(self, phase: Phase, resumption: Resumption) -> str:
        """Go on with what a person said, or with their silence."""
        if resumption.answer is not None:
            self._take_turn(Turn(resumption.turn, phase.key, resumption.answer, actor=HUMAN))
            return ""
        # Without any turn there is nothing that the agent could be judged by.
        if phase.fails_on_timeout or not self.conversation.turn_count:
            raise PersonMissing(f"Nobody answered in phase {phase.key!r} within {phase.wait_seconds:g} seconds.")
        return "human_turn_timeout"

    def _take_turn(self, turn: Turn) -> str:
        """The user's message, the reply, and whether it is what was expected."""
        place = {"turn_index": turn.index, "phase_id": turn.phase}
        history = self.script.recent(self.conversation.history)
        self._tell("turn.user.message", {**place, "actor": turn.actor, "content": turn.message})
        reply = self.ask(turn, history)
        self._tell("turn.assistant.message", {**place, "content": reply})
        is_mismatch = any(not meets(entry, reply) for entry in turn.expects)
        self._tell("turn.completed", {**place, "actor": turn.actor, "mismatch": is_mismatch})
        return reply

    def _tell(self, event_type: str, payload: dict[str, Any]) -> None:
        self.recorder.tell(event_type, payload)
        self.conversation.note(event_type, payload)
