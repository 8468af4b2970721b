"""What a route may ask of its callers, and the row that says it."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from packs.access import Permission
from tests.access.world import World


class Need(StrEnum):
    """Needs that are no permission in the team of a thing."""

    NOTHING = "nothing"  # even without an account
    LINK = "link"  # even without an account: who has the address was shown it
    ACCOUNT = "account"  # answers about the teams of the caller
    OWNER = "owner"  # the one user whose thing it is
    STAFF = "staff"  # users of curation


@dataclass(frozen=True, slots=True)
class InSomeTeam:
    """A permission in any team: for pages from which something new is made."""

    permission: Permission


AnyNeed = Need | InSomeTeam | Permission
Place = dict[str, Any]
Body = Callable[[World], dict[str, Any]]


def nowhere(world: World) -> Iterable[Place]:
    """The one address of a route that takes no arguments."""
    return [{}]


@dataclass(frozen=True, slots=True)
class Row:
    """A route: what each of its methods needs, where it leads to the things of a world, what is sent there.

    `absent` is the answer to those who may not see the thing; `content` are answers that speak of the content sent
    although everything was allowed. `key` is the permission that a key needs whatever the method.
    """

    needs: Mapping[str, AnyNeed]
    places: Callable[[World], Iterable[Place]] = nowhere
    sends: Mapping[str, Body] = field(default_factory=dict)
    absent: int = 404
    content: frozenset[int] = frozenset()
    key: str = ""


def shown(places: Callable[[World], Iterable[Place]] = nowhere, **more: Any) -> Row:
    """A route that only shows, to those who may read."""
    return Row({"GET": Permission.READ}, places, **more)


def act(
    need: AnyNeed, places: Callable[[World], Iterable[Place]] = nowhere, send: Body | None = None, **more: Any
) -> Row:
    """A route that only does something."""
    return Row({"POST": need}, places, {"POST": send} if send else {}, **more)
