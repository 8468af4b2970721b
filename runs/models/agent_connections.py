"""The connection that an agent's configuration names, and why it may not be usable."""

from collections.abc import Mapping
from typing import Any

from packs.models import Team
from runs.agents import AGENTS
from runs.agents.contract import asks_models
from runs.models.connections import Connection


def connection_of(team: Team, kind: str, config: Any) -> Connection | None:
    """The connection that an agent's configuration names; None where it needs none or names none that exists."""
    if kind not in AGENTS or not asks_models(AGENTS[kind]) or not isinstance(config, Mapping):
        return None
    return Connection.objects.filter(team=team, name=config.get("connection", "")).first()


def connection_trouble(team: Team, kind: str, config: Any) -> str:
    """Why an agent cannot ask its model; empty when it can, or needs none."""
    if kind not in AGENTS or not asks_models(AGENTS[kind]):
        return ""
    connection = connection_of(team, kind, config)
    if connection is None:
        return "It names no connection of this team. An administrator chooses one in its configuration."
    if not connection.is_active:
        return f"Its connection {connection.name!r} is switched off."
    return ""
