"""Who may see and touch what: one queryset method per question, used by pages, API, admin and jobs.

Everything belongs to a team. To people who may not see a thing, it does not exist.
"""

from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from typing import TYPE_CHECKING, Any, Self

from django.contrib.auth.base_user import AbstractBaseUser
from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import PermissionDenied
from django.db import models
from django.db.models import Value
from django.db.models.functions import Coalesce, Lower, NullIf

AnyUser = AbstractBaseUser | AnonymousUser


class Role(models.TextChoices):
    """What a member may do in a team."""

    VIEWER = "viewer", "Viewer"
    AUTHOR = "author", "Author"
    REVIEWER = "reviewer", "Reviewer"
    CURATOR = "curator", "Curator"
    ADMINISTRATOR = "administrator", "Administrator"


class Permission(StrEnum):
    """The questions that access is asked."""

    READ = "read"
    EDIT = "edit"
    RUN = "run"
    ANSWER = "answer"
    REVIEW = "review"
    CURATE = "curate"
    ADMINISTER = "administer"


GRANTS: dict[Role, frozenset[Permission]] = {
    Role.VIEWER: frozenset({Permission.READ}),
    Role.AUTHOR: frozenset(
        {Permission.READ, Permission.EDIT, Permission.RUN, Permission.REVIEW, Permission.ANSWER},
    ),
    Role.REVIEWER: frozenset({Permission.READ, Permission.REVIEW, Permission.ANSWER}),
    Role.CURATOR: frozenset(
        {
            Permission.READ,
            Permission.EDIT,
            Permission.RUN,
            Permission.REVIEW,
            Permission.ANSWER,
            Permission.CURATE,
        },
    ),
    Role.ADMINISTRATOR: frozenset(Permission),
}


# What each permission is, for people who read who may do what.
WORDS: dict[Permission, str] = {
    Permission.READ: "See packs, runs and replays, and export them",
    Permission.REVIEW: "Review trials, comment on drafts, approve them",
    Permission.ANSWER: "Answer as the person of a conversation",
    Permission.EDIT: "Edit drafts, propose and merge, import, try answers",
    Permission.RUN: "Start and stop runs, schedules and gates",
    Permission.CURATE: "Publish, archive, delete and restore; set baselines; share links",
    Permission.ADMINISTER: "Manage members, keys of pipelines, connections, secrets and agents; delete for ever",
}


class Scope(models.TextChoices):
    """What a key for the API may do, of what its user may."""

    READ = "read", "Read"
    EDIT = "edit", "Edit"
    RUN = "run", "Run"
    REVIEW = "review", "Review"
    ADMINISTER = "administer", "Administer"


SCOPES: dict[Scope, frozenset[Permission]] = {
    Scope.READ: frozenset({Permission.READ}),
    Scope.EDIT: frozenset({Permission.EDIT, Permission.CURATE}),
    Scope.RUN: frozenset({Permission.RUN}),
    Scope.REVIEW: frozenset({Permission.REVIEW, Permission.ANSWER}),
    Scope.ADMINISTER: frozenset({Permission.ADMINISTER}),
}


@dataclass(frozen=True, slots=True)
class Reach:
    """How far a request goes at most, whatever the role of its user is; that of a session is everything.

    `teams` and `pack` are primary keys; None stands for all. A key for one pack reaches its proposals too; it reads
    what belongs to the team and to no pack, such as agents, and changes nothing of it.
    """

    permissions: frozenset[Permission] = frozenset(Permission)
    teams: frozenset[int] | None = None
    pack: int | None = None

    def includes(self, team: models.Model) -> bool:
        return self.teams is None or team.pk in self.teams

    def demand(self, permission: Permission) -> None:
        """Raises OutOfScope where the key may not do this in any team."""
        if permission not in self.permissions:
            scope = next(scope for scope, granted in SCOPES.items() if permission in granted)
            raise OutOfScope(f"This key lacks the scope `{scope}`.")

    def demand_team(self) -> None:
        """Raises OutOfScope where the key is for one pack, and what is asked concerns its whole team."""
        if self.pack is not None:
            raise OutOfScope("This key is for one pack; this call concerns the whole team.")


class OutOfScope(PermissionDenied):
    """The user may do this, but not with this key; the message says what the key lacks."""


def reach_of(user: AnyUser) -> Reach:
    """How far the request goes that brought this user."""
    reach: Reach = getattr(user, "reach", Reach())
    return reach


def roles_with(permission: Permission) -> list[str]:
    """The roles that grant a permission."""
    return [role.value for role, granted in GRANTS.items() if permission in granted]


def permissions(user: AnyUser, team: models.Model) -> frozenset[Permission]:
    """What a user may do in a team; empty for a stranger, and where a key does not reach."""
    if not user.is_authenticated or not user.is_active or not reach_of(user).includes(team):
        return frozenset()
    return granted_by_role(user, team) & reach_of(user).permissions


def permissions_on(user: AnyUser, row: models.Model) -> frozenset[Permission]:
    """What a user may do with a row that was found `with_role`, without another query."""
    return GRANTS[Role(row.role)] & reach_of(user).permissions  # type: ignore[attr-defined]


def granted_by_role(user: AnyUser, team: models.Model) -> frozenset[Permission]:
    """What the role of a user in a team grants, whatever a key allows of it."""
    memberships = team.memberships.filter(user=user.pk)  # type: ignore[attr-defined]
    role = memberships.values_list("role", flat=True).first()
    return GRANTS[Role(role)] if role else frozenset()


def require(user: AnyUser, team: models.Model, needed: Permission) -> None:
    """Raises PermissionDenied where the role does not grant this, OutOfScope where only the key does not."""
    if needed not in permissions(user, team):
        if user.is_authenticated and user.is_active and needed in granted_by_role(user, team):
            reach_of(user).demand(needed)
        raise PermissionDenied


def without_bin(manager: models.Manager[Any]) -> models.QuerySet[Any]:
    """The rows of a manager that do not lie in the bin; only `_base_manager` finds those."""
    return models.Manager.get_queryset(manager).filter(deleted_at=None)


def keeping(managers: type[models.Manager[Any]]) -> type[models.Manager[Any]]:
    """Let managers leave out the bin. No class between: type checkers know them by what Django makes them of."""
    managers.get_queryset = without_bin  # type: ignore[assignment]
    return managers


@cache
def manager_class_of(rows: type[models.QuerySet[Any]]) -> type[models.Manager[Any]]:
    """The class of managers of such rows; most models share one with others, and each takes a millisecond to make."""
    has_bin = getattr(rows, "bin_path", "") == "deleted_at"
    return keeping(models.Manager.from_queryset(rows)) if has_bin else models.Manager.from_queryset(rows)


class TeamScopedQuerySet(models.QuerySet[Any]):
    """Rows that belong to a team, filtered by what a user may do there.

    `team_path` is the lookup that leads from the row to its team, `pack_path` the one that leads to its pack; empty for
    rows of a team that belong to no pack. `bin_path` leads to when the row was put into the bin with what it belongs
    to; empty for rows that never are.
    """

    team_path = "team"
    pack_path = ""
    bin_path = ""

    # Type checkers know the managers that Django makes.
    if not TYPE_CHECKING:

        @classmethod
        def as_manager(cls) -> models.Manager:
            return manager_class_of(cls)()

    def allowed_to(self, user: AnyUser, permission: Permission) -> Self:
        """The rows on which `user` has `permission`; none for a stranger or an inactive user.

        Raises OutOfScope where a key may not do this anywhere.
        """
        if not user.is_authenticated or not user.is_active:
            return self.none()
        reach_of(user).demand(permission)
        membership = {
            f"{self._memberships}__user": user.pk,
            f"{self._memberships}__role__in": roles_with(permission),
        }
        return self.kept().within(reach_of(user), permission).filter(**membership)

    def kept(self) -> Self:
        """The rows that are not in the bin."""
        return self.filter(**{self.bin_path: None}) if self.bin_path else self

    @property
    def _memberships(self) -> str:
        return f"{self.team_path}__memberships" if self.team_path else "memberships"

    def with_role(self) -> Self:
        """The rows that a user may see (`visible_to`), each with the user's `role` in its team."""
        return self.annotate(role=models.F(f"{self._memberships}__role"))

    def within(self, reach: Reach, permission: Permission) -> Self:
        """The rows that a key reaches."""
        rows = self if reach.teams is None else self.filter(**{f"{self.team_path or 'pk'}__in": reach.teams})
        if reach.pack is None:
            return rows
        if self.pack_path:
            # The drafts of a pack's proposals belong to the pack.
            path = self.pack_path
            proposal = "proposal__pack" if path == "pk" else f"{path}__proposal__pack"
            return rows.filter(models.Q(**{path: reach.pack}) | models.Q(**{proposal: reach.pack}))
        return rows if permission is Permission.READ else rows.none()

    def visible_to(self, user: AnyUser) -> Self:
        return self.allowed_to(user, Permission.READ)

    def editable_by(self, user: AnyUser) -> Self:
        return self.allowed_to(user, Permission.EDIT)

    def runnable_by(self, user: AnyUser) -> Self:
        return self.allowed_to(user, Permission.RUN)

    def answerable_by(self, user: AnyUser) -> Self:
        return self.allowed_to(user, Permission.ANSWER)

    def reviewable_by(self, user: AnyUser) -> Self:
        return self.allowed_to(user, Permission.REVIEW)

    def administrable_by(self, user: AnyUser) -> Self:
        return self.allowed_to(user, Permission.ADMINISTER)


class TeamQuerySet(TeamScopedQuerySet):
    """Teams themselves."""

    team_path = ""


# What lists sort packs by; databases would put all capitals first.
PACK_LABEL = Lower(Coalesce(NullIf("title", Value("")), "slug", output_field=models.CharField()))


class PackQuerySet(TeamScopedQuerySet):
    """Packs; those that a large import still writes are there for nobody, and lists leave drafts of proposals out."""

    pack_path = "pk"
    bin_path = "deleted_at"

    def allowed_to(self, user: AnyUser, permission: Permission) -> Self:
        return self.reachable_by(user, permission).filter(proposal=None)

    def reachable_by(self, user: AnyUser, permission: Permission = Permission.READ) -> Self:
        """The same with the drafts of proposals, which have addresses like all others."""
        return super().allowed_to(user, permission).exclude(status="importing")

    def by_title(self) -> Self:
        """As people look for them: by title, or by slug where there is none, capitals beside small letters."""
        return self.order_by(PACK_LABEL, "slug")


class PerhapsInPackQuerySet(TeamScopedQuerySet):
    """Rows of a team, most of which are about a pack."""

    pack_path = "pack"
    bin_path = "pack__deleted_at"


class InPackQuerySet(TeamScopedQuerySet):
    """Rows below a pack."""

    team_path = "pack__team"
    pack_path = "pack"
    bin_path = "pack__deleted_at"


class InVersionQuerySet(TeamScopedQuerySet):
    """Rows below a pack version."""

    team_path = "version__pack__team"
    pack_path = "version__pack"
    bin_path = "version__pack__deleted_at"


class FrozenError(Exception):
    """A published row was about to change: a mistake in our own code."""


class FrozenQuerySet(TeamScopedQuerySet):
    """Rows that are written once; only the columns in `MUTABLE` of their model may be updated."""

    def update(self, **values: Any) -> int:
        """Update mutable columns.

        Raises FrozenError for any other column.
        """
        if not set(values) <= self.model.MUTABLE:
            raise FrozenError(f"{self.model.__name__} is published and cannot change: {sorted(values)}")
        return super().update(**values)


class FrozenInPackQuerySet(FrozenQuerySet):
    """Published rows below a pack."""

    team_path = "pack__team"
    pack_path = "pack"
    bin_path = "pack__deleted_at"


class FrozenInVersionQuerySet(FrozenQuerySet):
    """Published rows below a pack version."""

    team_path = "version__pack__team"
    pack_path = "version__pack"
    bin_path = "version__pack__deleted_at"


class RunQuerySet(TeamScopedQuerySet):
    """Runs themselves."""

    pack_path = "version__pack"
    bin_path = "deleted_at"


class InRunQuerySet(TeamScopedQuerySet):
    """Rows below a run."""

    team_path = "run__team"
    pack_path = "run__version__pack"
    bin_path = "run__deleted_at"


class InTrialQuerySet(TeamScopedQuerySet):
    """Rows below a trial."""

    team_path = "trial__run__team"
    pack_path = "trial__run__version__pack"
    bin_path = "trial__run__deleted_at"
