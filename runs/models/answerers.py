"""Which connection answers for a model that a pack names: for its judges, and for its simulated users."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.db.models import Q

from packs.models import Team
from runs.models.connections import Connection


@dataclass(frozen=True, slots=True)
class Answerer:
    """A connection and the name that it has for a model."""

    connection: Connection
    model: str


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
            message = f"{given!r} is not an active connection of this team, to answer for {name!r}."
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
