"""Who is tried."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from runs.agents.contract import Agent
from runs.agents.endpoints.contract import Endpoint
from runs.replay.redaction import Redactor

if TYPE_CHECKING:
    from runs.agents.endpoints.exchange import Web


@dataclass(frozen=True, slots=True)
class Entrant:
    """The agent of a trial: its kind as a module, the kind's name, and its configuration.

    `endpoint`, `web` and `secrets` are what `Request` says; `redactor` cuts keys and secrets out of what is recorded.
    `name` is what the team calls it, by which packs can mean it; empty where nobody named it.
    """

    agent: Agent
    kind: str
    config: Mapping[str, Any] = field(default_factory=dict)
    endpoint: Endpoint | None = None
    web: "Web | None" = None
    secrets: Mapping[str, str] = field(default_factory=dict, repr=False)
    redactor: Redactor = field(default_factory=Redactor)
    name: str = ""
