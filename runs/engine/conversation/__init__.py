"""A conversation with a simulated user: a script, a model or a person plays its phases (challenge-pack c.6)."""

from runs.engine.conversation.playing import Ask, PersonMissing, Resumption, converse
from runs.engine.conversation.script import ROLE, Phase, Script, Turn
from runs.engine.conversation.simulating import Player, SimulatorFailed
from runs.engine.conversation.waiting import PersonAwaited, Wait

__all__ = [
    "ROLE",
    "Ask",
    "PersonAwaited",
    "PersonMissing",
    "Phase",
    "Player",
    "Resumption",
    "Script",
    "SimulatorFailed",
    "Turn",
    "Wait",
    "converse",
]
