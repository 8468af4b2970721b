"""Who plays the user of a conversation: the model that a phase names, one chosen for it, or the agent's own."""

from collections.abc import Mapping, Sequence
from typing import Any

from packs.models import Team
from runs.agents import AGENTS
from runs.agents.contract import asks_models
from runs.engine.conversation.script import LLM, ROLE, Script
from runs.models.agents import Agent
from runs.models.answerers import find_answerer


def casting_trouble(
    conversation: Mapping[str, Any], team: Team, chosen: Mapping[str, Any], agents: Sequence[Agent]
) -> str:
    """Why a phase that a model plays cannot be played; empty when all can. `chosen` is that of `Run.connections`."""
    # What was recorded elsewhere is not played here.
    playing = [agent for agent in agents if agent.kind != "recorded"]
    for phase in Script.read(conversation).playable(LLM) if playing else ():
        if find_answerer(team, chosen, phase.model or ROLE) is not None:
            continue
        if phase.model:
            return (
                f"In phase {phase.key!r} the model {phase.model!r} plays the user, and no active connection of this "
                "team lists it. An administrator adds it to a connection, or another model is chosen for it at launch."
            )
        for agent in playing:
            if agent.kind not in AGENTS or not asks_models(AGENTS[agent.kind]):
                return (
                    f"In phase {phase.key!r} a model plays the user. The pack names none, and {agent.name!r} is no "
                    f"model that could do so: choose a connection and model for {ROLE!r} at launch."
                )
    return ""
