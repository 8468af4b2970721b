"""Members and their roles: who may do what, and the acts that change it.

A team always has somebody who administers it.
"""

from collections.abc import Iterable

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.text import slugify

from packs.access import GRANTS, WORDS, AnyUser, Permission, Role
from packs.models import Membership, ServiceAccount, Team, Token

LONGEST_SLUG = 50


class Kept(Exception):
    """The role of a member cannot be changed so; the text says what to do."""


class LastAdministrator(Kept):
    """The act would leave a team that nobody administers."""


class FromDirectory(Kept):
    """The role follows from groups of the directory."""


def grants() -> list[tuple[str, list[tuple[Role, bool]]]]:
    """What each permission is in words, with the roles and whether they have it."""
    return [(WORDS[each], [(role, each in GRANTS[role]) for role in Role]) for each in WORDS]


def who_can_help(teams: Iterable[Team]) -> list[tuple[Team, list[str]]]:
    """The names of those who administer each team."""
    rows = Membership.objects.who_administer().filter(team__in=teams).select_related("team", "user")
    found: dict[Team, list[str]] = {}
    for row in rows.order_by("team__name", "user__username"):
        found.setdefault(row.team, []).append(str(row.user))
    return list(found.items())


def may_make_teams(user: AnyUser) -> bool:
    """Whether a user may make a team: those who administer one, and superusers."""
    return bool(getattr(user, "is_superuser", False)) or Team.objects.administrable_by(user).exists()


@transaction.atomic
def make_team(name: str, user: User) -> Team:
    """A new team with this user as its administrator."""
    team = Team.objects.create(name=name, slug=free_slug(name))
    Membership.objects.create(team=team, user=user, role=Role.ADMINISTRATOR)
    return team


def free_slug(name: str) -> str:
    """A slug for a team of this name that no other has."""
    base = slugify(name)[: LONGEST_SLUG - 4] or "team"
    taken = set(Team.objects.filter(slug__startswith=base).values_list("slug", flat=True))
    numbered = (f"{base}-{number}" for number in range(2, len(taken) + 3))
    return next(slug for slug in (base, *numbered) if slug not in taken)


@transaction.atomic
def change_role(member: Membership, role: Role) -> None:
    """Give a member another role. Raises LastAdministrator and FromDirectory."""
    if member.is_from_directory:
        raise FromDirectory(f"The role of {member.user} comes from the directory. Change the groups there.")
    keep_an_administrator(member, becoming=role)
    member.role = role
    member.save(update_fields=["role"])


@transaction.atomic
def remove(member: Membership) -> None:
    """Take a member out of a team; the account of a program is closed with that. Raises LastAdministrator."""
    keep_an_administrator(member, becoming=None)
    member.delete()
    if ServiceAccount.objects.filter(user=member.user, team=member.team).exists():
        Token.objects.filter(user=member.user).delete()
        member.user.is_active = False
        member.user.save(update_fields=["is_active"])


@transaction.atomic
def hand_over(member: Membership, other: Membership) -> None:
    """Make another member administrator, and the one who was it a curator. Raises FromDirectory."""
    change_role(other, Role.ADMINISTRATOR)
    change_role(member, Role.CURATOR)


def keep_an_administrator(member: Membership, becoming: Role | None) -> None:
    """Raises LastAdministrator where the team would have none after this member gets another role, or leaves it."""
    # Two who leave at the same moment must see each other.
    Team.objects.select_for_update().get(pk=member.team_id)
    if becoming is not None and Permission.ADMINISTER in GRANTS[becoming]:
        return
    rows = Membership.objects.who_administer().filter(team=member.team_id)
    if rows.filter(pk=member.pk).exists() and not rows.exclude(pk=member.pk).exists():
        raise LastAdministrator(
            f"{member.user} is the last administrator of {member.team}. Make another member administrator first."
        )
