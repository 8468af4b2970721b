"""What an agent takes into a trial: its connection, its way out, the team's secrets, and what must not be recorded."""

import logging
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from packs.models import Team
from runs.agents import AGENTS
from runs.agents.endpoints.contract import Endpoint
from runs.engine.entrant import Entrant
from runs.models.connections import Connection, Secret
from runs.models.opening import open_endpoint, open_web
from runs.models.sealing import Unsealable, unseal
from runs.replay.redaction import Redactor

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Means:
    """What a team gives all of its agents: secrets by name, and the redactor that knows them and all keys."""

    secrets: Mapping[str, str] = field(default_factory=dict, repr=False)
    redactor: Redactor = field(default_factory=Redactor)

    @classmethod
    def of(cls, team: Team) -> "Means":
        """The means of a team. A secret that cannot be opened any more is left out, as if it had not been set."""
        secrets = dict(opened(Secret.objects.filter(team=team).values_list("name", "sealed_value")))
        keys = dict(opened(Connection.objects.filter(team=team).exclude(sealed_key="").values_list("pk", "sealed_key")))
        return cls(secrets, Redactor([*secrets.values(), *keys.values()]))

    def entrant(self, kind: str, config: Mapping[str, Any], connection: Connection | None, name: str = "") -> Entrant:
        """An agent that is ready for trials; without its endpoint when the key of its connection cannot be opened."""
        asked = endpoint_of(connection)
        return Entrant(AGENTS[kind], kind, config, asked, open_web(), self.secrets, self.redactor, name)


def endpoint_of(connection: Connection | None) -> Endpoint | None:
    """The endpoint of a connection. One that cannot be opened breaks the trials of its agent, not those of others."""
    try:
        return None if connection is None else open_endpoint(connection)
    except Unsealable:
        log.warning("connection-not-opened", extra={"connection": connection.pk if connection else None})
        return None


def opened(rows: Iterable[tuple[Any, str]]) -> Iterable[tuple[Any, str]]:
    """The names with their texts in clear, without those that no key opens."""
    for name, sealed in rows:
        try:
            yield name, unseal(sealed)
        except Unsealable:
            log.warning("sealed-text-not-opened", extra={"name_of_text": name})
