"""The audit log: one row for each act that matters."""

from typing import Any, Self

from django.conf import settings
from django.db import models

from packs.access import AnyUser, FrozenQuerySet, Permission, reach_of
from packs.columns import DocumentField
from packs.models.teams import Team


class AuditQuerySet(FrozenQuerySet):
    """What happened; written once."""

    def readable_by(self, user: AnyUser) -> Self:
        """The events of teams in which the user curates; superusers read all, also those of no team.

        Raises OutOfScope for a key that may do nothing of what curators may.
        """
        reach_of(user).demand(Permission.CURATE)
        if user.is_active and getattr(user, "is_superuser", False) and reach_of(user).teams is None:
            return self.all()
        return self.allowed_to(user, Permission.CURATE)


class AuditEvent(models.Model):
    """Who did what, when, from where: `kind` is a code of `packs.audit`, `changes` has old and new by name of a field.

    The names of people and things stay when these are deleted.
    """

    MUTABLE: frozenset[str] = frozenset()

    at = models.DateTimeField(auto_now_add=True, db_index=True)
    kind = models.CharField(max_length=60)
    team = models.ForeignKey(Team, models.SET_NULL, null=True, related_name="+")
    actor = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    actor_name = models.CharField(max_length=150, blank=True)
    address = models.CharField(max_length=64, blank=True)
    key_prefix = models.CharField(max_length=12, blank=True)
    subject = models.CharField(max_length=300, blank=True)
    changes = DocumentField(default=dict)

    objects = AuditQuerySet.as_manager()

    class Meta:
        ordering = ["-id"]
        indexes = [models.Index(fields=["team", "-id"])]

    def __str__(self) -> str:
        return f"{self.kind}: {self.subject}"

    def as_dict(self) -> dict[str, Any]:
        """The event as exports have it."""
        return {
            "id": self.pk,
            "at": self.at.isoformat(),
            "kind": self.kind,
            "team": self.team.slug if self.team else None,
            "person": self.actor_name,
            "key": self.key_prefix,
            "address": self.address,
            "subject": self.subject,
            "changes": self.changes,
        }
