"""The endpoints that answer for the models that a pack names."""

import logging
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from packs.models import Team
from runs.agents.endpoints.contract import Around, Endpoint, EndpointFailed, ModelReply, ModelRequest, Trouble
from runs.models.answerers import find_answerer
from runs.models.opening import open_endpoint
from runs.models.runs import Run
from runs.models.sealing import Unsealable

log = logging.getLogger(__name__)


@dataclass(slots=True)
class Stand(Around):
    """An endpoint that is asked for a model by the pack's name for it, and asks for its own `model` instead."""

    model: str

    def ask(self, request: ModelRequest) -> ModelReply:
        """One answer of the connection's model. Raises EndpointFailed."""
        return self.endpoint.ask(replace(request, model=self.model))

    def respond(self, request: ModelRequest) -> ModelReply:
        """One call of the endpoint's own agent with that model. Raises EndpointFailed."""
        return self.endpoint.respond(replace(request, model=self.model))


@dataclass(slots=True)
class Locked:
    """An endpoint that nobody can ask, since the key of its connection cannot be opened any more."""

    name: str
    provider: str
    address: str = ""
    has_responses: bool = False

    def ask(self, request: ModelRequest) -> ModelReply:
        """Raises EndpointFailed."""
        message = f"The key of the connection {self.name!r} cannot be opened; an administrator sets it anew."
        raise EndpointFailed(Trouble.AUTHENTICATION, message)

    def respond(self, request: ModelRequest) -> ModelReply:
        """Raises EndpointFailed."""
        return self.ask(request)


def endpoints_of(run: Run) -> Callable[[str], Endpoint | None]:
    """Gives the endpoint that answers for a model in a run, None where nobody does; several threads may ask."""
    return endpoints_for(run.team, run.connections)


def endpoints_for(team: Team, chosen: Mapping[str, Any]) -> Callable[[str], Endpoint | None]:
    """Gives the endpoint that answers for a model in a team, None where nobody does; several threads may ask.

    `chosen` has the shape of `Run.connections`.
    """
    opened: dict[str, Endpoint | None] = {}
    lock = threading.Lock()

    def endpoint_for(model: str) -> Endpoint | None:
        with lock:
            if model not in opened:
                opened[model] = open_for(team, chosen, model)
            return opened[model]

    return endpoint_for


def open_for(team: Team, chosen: Mapping[str, Any], model: str) -> Endpoint | None:
    """The endpoint for one model; None where nobody answers for it."""
    found = find_answerer(team, chosen, model)
    if found is None:
        return None
    connection = found.connection
    try:
        return Stand(open_endpoint(connection), found.model)
    except Unsealable:
        log.warning("key-not-opened", extra={"connection": connection.pk})
        return Locked(connection.name, connection.provider)
