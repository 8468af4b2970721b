"""Links that show one thing to everybody who has them."""

import secrets
from datetime import datetime
from typing import Self

from django.conf import settings
from django.contrib.auth.models import User
from django.db import models
from django.utils.timezone import now

from packs.access import TeamScopedQuerySet


def new_token() -> str:
    return secrets.token_urlsafe(24)


class LinkQuerySet(TeamScopedQuerySet):
    """Links of a team."""

    def live(self) -> Self:
        """Links that still show something."""
        return self.filter(models.Q(expires_at=None) | models.Q(expires_at__gt=now()), ended_at=None)


class PublicLink(models.Model):
    """An address that shows one thing, read-only, to everybody who has it, without an account.

    It cannot be guessed, ends when it expires, and can be taken back at once. Its row stays, so that one can see who
    made it and who took it back.
    """

    token = models.CharField(max_length=64, unique=True, default=new_token)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField(null=True, blank=True)
    ended_at = models.DateTimeField(null=True, blank=True)
    ended_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")

    class Meta:
        abstract = True

    def state_at(self, moment: datetime) -> str:
        """Whether it is `live`, has `expired`, or was `taken back`."""
        if self.ended_at is not None:
            return "taken back"
        return "expired" if self.expires_at is not None and self.expires_at <= moment else "live"

    @property
    def state(self) -> str:
        return self.state_at(now())

    def take_back(self, user: User) -> None:
        """From now on it shows nothing. One that was taken back stays as it is."""
        if self.ended_at is None:
            self.ended_at, self.ended_by = now(), user
            self.save(update_fields=["ended_at", "ended_by"])


class SharedPage(PublicLink):
    """A link to a run, a comparison or a replay; `subject` says which, as `runs.results.sharing` reads it."""

    team = models.ForeignKey("packs.Team", models.CASCADE, related_name="shared_pages")
    subject = models.CharField(max_length=200, db_index=True)

    objects = LinkQuerySet.as_manager()

    class Meta:
        ordering = ["-id"]

    def __str__(self) -> str:
        return self.subject

    @property
    def names(self) -> tuple[str, frozenset[int]]:
        """What it shows (run, comparison or replay), and the numbers of the runs or the trial."""
        kind, _, rest = self.subject.partition(":")
        return kind, frozenset(map(int, rest.partition("@")[0].split(",")))
