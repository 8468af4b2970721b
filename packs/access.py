"""Who may see and touch what: one queryset method per question, used by pages, API, admin and jobs.

Everything belongs to a team. Whoever may not see a thing is answered as if it did not exist.
"""

from enum import StrEnum
from typing import Any, Self

from django.contrib.auth.base_user import AbstractBaseUser
from django.contrib.auth.models import AnonymousUser
from django.db import models

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


def roles_with(permission: Permission) -> list[str]:
    """The roles that grant a permission."""
    return [role.value for role, granted in GRANTS.items() if permission in granted]


def permissions(user: AnyUser, team: models.Model) -> frozenset[Permission]:
    """What a user may do in a team; empty for a stranger."""
    if not user.is_authenticated or not user.is_active:
        return frozenset()
    memberships = team.memberships.filter(user=user.pk)  # type: ignore[attr-defined]
    role = memberships.values_list("role", flat=True).first()
    return GRANTS[Role(role)] if role else frozenset()


class TeamScopedQuerySet(models.QuerySet[Any]):
    """Rows that belong to a team, filtered by what a user may do there.

    `team_path` is the lookup that leads from the row to its team.
    """

    team_path = "team"

    def allowed_to(self, user: AnyUser, permission: Permission) -> Self:
        """The rows on which `user` has `permission`; none for a stranger or an inactive user."""
        if not user.is_authenticated or not user.is_active:
            return self.none()
        prefix = f"{self.team_path}__" if self.team_path else ""
        membership = {f"{prefix}memberships__user": user.pk, f"{prefix}memberships__role__in": roles_with(permission)}
        return self.filter(**membership)

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

    def curatable_by(self, user: AnyUser) -> Self:
        return self.allowed_to(user, Permission.CURATE)

    def administrable_by(self, user: AnyUser) -> Self:
        return self.allowed_to(user, Permission.ADMINISTER)


class TeamQuerySet(TeamScopedQuerySet):
    """Teams themselves."""

    team_path = ""


class PackQuerySet(TeamScopedQuerySet):
    """Packs; those that a large import is still writing are there for nobody."""

    def allowed_to(self, user: AnyUser, permission: Permission) -> Self:
        return super().allowed_to(user, permission).exclude(status="importing")


class InPackQuerySet(TeamScopedQuerySet):
    """Rows below a pack."""

    team_path = "pack__team"


class InVersionQuerySet(TeamScopedQuerySet):
    """Rows below a pack version."""

    team_path = "version__pack__team"


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


class FrozenInVersionQuerySet(FrozenQuerySet):
    """Published rows below a pack version."""

    team_path = "version__pack__team"


class InRunQuerySet(TeamScopedQuerySet):
    """Rows below a run."""

    team_path = "run__team"


class InTrialQuerySet(TeamScopedQuerySet):
    """Rows below a trial."""

    team_path = "trial__run__team"
