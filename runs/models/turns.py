"""What people are asked in conversations, and what they said."""

import base64
from collections.abc import Mapping
from datetime import datetime
from typing import Any, Self

from django.conf import settings
from django.db import models
from django.utils import timezone

from packs.access import InTrialQuerySet
from packs.columns import DocumentField
from runs.models.trials import Trial, TrialStatus


class HumanTurnQuerySet(InTrialQuerySet):
    """Turns of people."""

    def waiting(self) -> Self:
        """Turns that can be answered now."""
        return self.filter(
            answered_at__isnull=True,
            expired_at__isnull=True,
            due_at__gt=timezone.now(),
            trial__status=TrialStatus.WAITING,
            trial__run__cancel_requested_at__isnull=True,
        )

    def overdue(self, now: datetime) -> Self:
        """Turns whose time is over and of which the trial does not know yet."""
        return self.filter(
            answered_at__isnull=True, expired_at__isnull=True, due_at__lte=now, trial__status=TrialStatus.WAITING
        )


class HumanTurn(models.Model):
    """A turn of a conversation that a person plays (challenge-pack c.6).

    `sequence` is that of the event `turn.awaiting_human`: what the trial recorded up to it is kept whatever happens to
    workers. `files` is the agent's workspace meanwhile, path -> content in base64. Once it is answered or expired, it
    stays so.
    """

    trial = models.ForeignKey(Trial, models.CASCADE, related_name="human_turns", db_index=False)
    turn_index = models.PositiveIntegerField()
    phase_id = models.CharField(max_length=255)
    hint = models.TextField(blank=True)
    sequence = models.PositiveIntegerField()
    asked_at = models.DateTimeField()
    due_at = models.DateTimeField()
    answered_at = models.DateTimeField(null=True, blank=True)
    answered_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    text = models.TextField(blank=True)
    expired_at = models.DateTimeField(null=True, blank=True)
    files = DocumentField(default=dict, blank=True)

    objects = HumanTurnQuerySet.as_manager()

    class Meta:
        ordering = ["due_at"]
        constraints = [models.UniqueConstraint(fields=["trial", "turn_index"], name="one_person_per_turn")]
        indexes = [models.Index(fields=["answered_at", "expired_at", "due_at"])]

    def __str__(self) -> str:
        return f"Turn {self.turn_index + 1} of {self.trial}"

    @property
    def state(self) -> str:
        """waiting, answered, expired, or withdrawn where the trial does not wait any more."""
        if self.answered_at:
            return "answered"
        if self.expired_at or self.due_at <= timezone.now():
            return "expired"
        is_asked = self.trial.status == TrialStatus.WAITING and self.trial.run.cancel_requested_at is None
        return "waiting" if is_asked else "withdrawn"

    @property
    def seconds_left(self) -> int:
        """Whole seconds until the time is over."""
        return max(0, round((self.due_at - timezone.now()).total_seconds()))

    def kept_files(self) -> dict[str, bytes]:
        """The workspace's files."""
        return {path: base64.b64decode(content) for path, content in self.files.items()}


def storable_files(files: Mapping[str, bytes]) -> dict[str, Any]:
    """Files in the shape of `HumanTurn.files`."""
    return {path: base64.b64encode(content).decode() for path, content in files.items()}
