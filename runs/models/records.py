"""Trials that took place elsewhere, as they were imported, and uploads of such that wait."""

import uuid

from django.conf import settings
from django.db import models
from django.utils import timezone

from packs.access import InTrialQuerySet, InVersionQuerySet
from packs.columns import DocumentField
from packs.models import Blob, PackVersion
from runs.models.trials import Trial


class TrialRecord(models.Model):
    """The trial record, or the trace alone, that a trial of an imported run was made of (task-suite 8)."""

    trial = models.OneToOneField(Trial, models.CASCADE, related_name="record", primary_key=True)
    record = DocumentField()

    objects = InTrialQuerySet.as_manager()

    def __str__(self) -> str:
        return f"Record of trial {self.trial_id}"


class RecordUpload(models.Model):
    """Records that were looked at and wait for their import to be confirmed.

    `name` is what the user called the file; `wish` what the import is asked for, in the members of
    `runs.results.importing.Wish`.
    """

    token = models.UUIDField(primary_key=True, default=uuid.uuid4)
    version = models.ForeignKey(PackVersion, models.CASCADE, related_name="+")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    name = models.CharField(max_length=300)
    blob = models.ForeignKey(Blob, models.PROTECT, related_name="+")
    wish = models.JSONField(default=dict)
    expires_at = models.DateTimeField()

    objects = InVersionQuerySet.as_manager()

    def __str__(self) -> str:
        return self.name


def forget_old_uploads() -> int:
    """Drop uploads that nobody confirmed in time; gives how many."""
    return RecordUpload.objects.filter(expires_at__lte=timezone.now()).delete()[0]
