"""Which connection answers for a model that a pack names: for its judges, and for its simulated users."""

import logging
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from django.db.models import Q

from packs.models import Team
from runs.agents.endpoints.contract import Endpoint, EndpointFailed, ModelReply, ModelRequest, Trouble
from runs.models.connections import Connection
from runs.models.opening import open_endpoint
from runs.models.runs import Run
from runs.models.sealing import Unsealable

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Answerer:
    """A connection and the name that it has for a model."""

    connection: Connection
    model: str


@dataclass(slots=True)
class Stand:
    """An endpoint that is asked for a model by the pack's name for it, and asks for its own `model` instead."""

    endpoint: Endpoint
    model: str
    name: str = field(init=False)
    provider: str = field(init=False)
    address: str = field(init=False)
    has_responses: bool = field(init=False)

    def __post_init__(self) -> None:
        self.name, self.provider = self.endpoint.name, self.endpoint.provider
        self.address, self.has_responses = self.endpoint.address, self.endpoint.has_responses

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


class UnknownConnection(Exception):
    """Somebody was chosen to answer for a model who is no active connection; `choices` are those that are."""

    def __init__(self, message: str, choices: list[dict[str, Any]]) -> None:
        super().__init__(message)
        self.choices = choices


def read_choices(team: Team, chosen: Mapping[str, Any]) -> dict[str, Any]:
    """Who was chosen to answer for models, in the shape of `Run.connections`. Raises UnknownConnection.

    A choice names the connection, by name or id, and may name its model.
    """
    found: dict[str, Any] = {}
    active = Connection.objects.active().filter(team=team)
    for name, choice in chosen.items():
        stated = choice if isinstance(choice, Mapping) else {}
        given, model = str(stated.get("connection", "")), str(stated.get("model") or name)
        wanted = Q(name=given) | Q(pk=int(given)) if given.isdecimal() and len(given) < 19 else Q(name=given)
        row = active.filter(wanted).first()
        if row is None:
            message = f"{given!r} is no active connection of this team, to answer for {name!r}."
            raise UnknownConnection(message, [{"id": known.pk, "name": known.name} for known in active])
        found[name] = {"connection": row.pk, "model": model}
    return found


def find_answerer(team: Team, chosen: Mapping[str, Any], model: str) -> Answerer | None:
    """Who answers for a model: what was chosen at launch, else the first active connection that lists it, else nobody.

    `chosen` has the shape of `Run.connections`. A choice whose connection is gone or switched off is nobody.
    """
    choice = chosen.get(model)
    if choice is None:
        listed = Connection.objects.answering(team, model)
        return None if listed is None else Answerer(listed, model)
    found = Connection.objects.active().filter(team=team, pk=choice["connection"]).first()
    return None if found is None else Answerer(found, choice["model"])


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
