"""Notices as rows: who gets which, in the studio and by mail, and webhooks with what was sent to them."""

from typing import Any, Self

from django.conf import settings
from django.contrib.auth.models import User
from django.db import models
from django.db.models.functions import Coalesce

from packs.access import TeamScopedQuerySet
from packs.columns import DocumentField
from packs.models import Membership, Team
from packs.notices import KINDS
from runs.models.sealing import SealedField

# Counting ends there: pages show `99+`.
MOST_UNREAD = 100


class StoredNotice(models.Model):
    """Something that happened in a team, or without one to the account of who gets it.

    `place` and `args` name the page that shows it.
    """

    team = models.ForeignKey(Team, models.CASCADE, related_name="+", null=True)
    kind = models.CharField(max_length=40)
    title = models.CharField(max_length=300)
    place = models.CharField(max_length=60)
    args = DocumentField(default=list)
    facts = DocumentField(default=dict)
    created_at = models.DateTimeField(auto_now_add=True, db_index=True)

    objects = TeamScopedQuerySet.as_manager()

    def __str__(self) -> str:
        return self.title


class NotificationQuerySet(models.QuerySet["Notification"]):
    """Notices for people."""

    def shown_to(self, user: Any) -> Self:
        """What a user sees in the studio, as row, key or reference of a query; nothing of teams that they have left."""
        membership = Membership.objects.filter(team=models.OuterRef("notice__team"), user=models.OuterRef("user"))
        is_own = models.Q(notice__team=None) | models.Q(models.Exists(membership))
        return self.filter(is_own, user=user, in_studio=True)


class Notification(models.Model):
    """A notice for a person. Mail is due at `mail_at`, after `mail_tries` tries; empty where none is, or any more."""

    notice = models.ForeignKey(StoredNotice, models.CASCADE, related_name="notifications")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="notifications")
    in_studio = models.BooleanField(default=True)
    read_at = models.DateTimeField(null=True, blank=True)
    mail_at = models.DateTimeField(null=True, blank=True, db_index=True)
    mail_tries = models.PositiveSmallIntegerField(default=0)

    objects = NotificationQuerySet.as_manager()

    class Meta:
        ordering = ["-id"]
        indexes = [
            models.Index(fields=["user"], condition=models.Q(in_studio=True, read_at=None), name="unread_of_person")
        ]

    def __str__(self) -> str:
        return f"{self.notice} for {self.user}"


def with_unread(users: models.QuerySet[User]) -> models.QuerySet[User]:
    """Users who know how many of their notices are unread (`unread`, at most `MOST_UNREAD`), in the query that reads
    them: pages show it all the time."""
    outer: Any = models.OuterRef(models.OuterRef("pk"))
    unread = Notification.objects.shown_to(outer).filter(read_at=None).order_by().values("pk")[:MOST_UNREAD]
    counted = Notification.objects.filter(pk__in=unread).order_by().values("user").annotate(count=models.Count("pk"))
    return users.annotate(unread=Coalesce(models.Subquery(counted.values("count")), 0))


class NotificationChoice(models.Model):
    """How a person wants notices of a kind; without a row in the studio, and not by mail."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="notification_choices")
    kind = models.CharField(max_length=40)
    in_studio = models.BooleanField(default=True)
    by_mail = models.BooleanField(default=False)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["user", "kind"], name="one_choice_per_kind")]

    def __str__(self) -> str:
        return f"{self.kind} for {self.user}"


class Webhook(models.Model):
    """An address of a team that gets notices of some kinds, signed with its secret."""

    team = models.ForeignKey(Team, models.CASCADE, related_name="webhooks")
    url = models.CharField(max_length=500)
    sealed_secret = SealedField(editable=False)
    kinds = DocumentField(default=list)
    is_active = models.BooleanField(default=True)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)

    objects = TeamScopedQuerySet.as_manager()

    class Meta:
        ordering = ["id"]

    def __str__(self) -> str:
        return self.url

    @property
    def events(self) -> list[str]:
        return [kind.event for code, kind in KINDS.items() if code in self.kinds]


class Delivery(models.Model):
    """A notice on its way to a webhook: the next try is at `next_at`; empty where it arrived or was given up."""

    webhook = models.ForeignKey(Webhook, models.CASCADE, related_name="deliveries")
    notice = models.ForeignKey(StoredNotice, models.CASCADE, related_name="deliveries")
    tries = models.PositiveSmallIntegerField(default=0)
    next_at = models.DateTimeField(null=True, db_index=True)
    tried_at = models.DateTimeField(null=True)
    delivered_at = models.DateTimeField(null=True)
    status = models.PositiveSmallIntegerField(null=True)
    error = models.CharField(max_length=500, blank=True)

    class Meta:
        ordering = ["-id"]

    def __str__(self) -> str:
        return f"{self.notice} to {self.webhook}"
