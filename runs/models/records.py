"""Trials that took place elsewhere, as they were imported."""

from django.db import models

from packs.access import InTrialQuerySet
from packs.columns import DocumentField
from runs.models.trials import Trial


class TrialRecord(models.Model):
    """The trial record, or the trace alone, that a trial of an imported run was made of (task-suite 8)."""

    trial = models.OneToOneField(Trial, models.CASCADE, related_name="record", primary_key=True)
    record = DocumentField()

    objects = InTrialQuerySet.as_manager()

    def __str__(self) -> str:
        return f"Record of trial {self.trial_id}"
