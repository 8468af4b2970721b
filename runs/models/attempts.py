"""What earlier tries of a trial left behind."""

from django.conf import settings
from django.db import models

from packs.access import InTrialQuerySet
from packs.columns import DocumentField
from runs.models.trials import OutcomeColumns, Trial, TrialStatus


class Attempt(OutcomeColumns):
    """A try of a trial that was replaced by a later one, whole: its outcome, its events and its grades.

    `number` counts the tries of the trial from 1. `events` has the shape of `Event.as_event`, `grades` that of the API.
    The trial's own row always shows the newest try.
    """

    trial = models.ForeignKey(Trial, models.CASCADE, related_name="attempts", db_index=False)
    number = models.PositiveIntegerField()
    status = models.CharField(max_length=20, choices=TrialStatus.choices)
    events = DocumentField(default=list, blank=True)
    grades = DocumentField(default=list, blank=True)
    replaced_at = models.DateTimeField(auto_now_add=True)
    replaced_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")

    objects = InTrialQuerySet.as_manager()

    class Meta:
        ordering = ["number"]
        constraints = [models.UniqueConstraint(fields=["trial", "number"], name="one_attempt_per_number")]

    def __str__(self) -> str:
        return f"Try {self.number} of {self.trial}"
