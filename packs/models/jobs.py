"""Work on packs that is too long for a request: it waits for a worker, and a page shows how far it is."""

from datetime import timedelta

from django.conf import settings
from django.db import models
from django.utils import timezone

from packs.access import PerhapsInPackQuerySet
from packs.columns import DocumentField
from packs.models.drafts import Pack
from packs.models.teams import Blob, Team

YOUNG = timedelta(seconds=5)


class JobStatus(models.TextChoices):
    """The life of a job. Refused is what the content forbids, failed what our own machine could not do."""

    QUEUED = "queued", "Queued"
    RUNNING = "running", "Running"
    COMPLETED = "completed", "Completed"
    REFUSED = "refused", "Refused"
    FAILED = "failed", "Failed"
    CANCELLED = "cancelled", "Cancelled"


OPEN_JOBS = (JobStatus.QUEUED, JobStatus.RUNNING)


class Job(models.Model):
    """One piece of long work. `kind` names its act in `packs.jobs`; `parameters` and `outcome` are the act's own.

    `done` and `total` count what the `phase` works through; a total of 0 is one that nobody knows. `blob` holds what
    was uploaded, or what the job made. `touched_at` is the last sign of life, `attempts` how often a worker began.
    """

    kind = models.CharField(max_length=40)
    team = models.ForeignKey(Team, models.CASCADE, related_name="jobs")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    pack = models.ForeignKey(Pack, models.CASCADE, null=True, blank=True, related_name="jobs")
    title = models.CharField(max_length=300)
    status = models.CharField(max_length=20, choices=JobStatus.choices, default=JobStatus.QUEUED)
    phase = models.CharField(max_length=80, blank=True)
    done = models.PositiveBigIntegerField(default=0)
    total = models.PositiveBigIntegerField(default=0)
    parameters = DocumentField(default=dict, blank=True)
    outcome = DocumentField(default=dict, blank=True)
    blob = models.ForeignKey(Blob, models.PROTECT, null=True, blank=True, related_name="+")
    error = models.TextField(blank=True)
    attempts = models.PositiveSmallIntegerField(default=0)
    created_at = models.DateTimeField(auto_now_add=True)
    started_at = models.DateTimeField(null=True, blank=True)
    touched_at = models.DateTimeField(auto_now_add=True)
    finished_at = models.DateTimeField(null=True, blank=True)
    cancel_requested_at = models.DateTimeField(null=True, blank=True)

    objects = PerhapsInPackQuerySet.as_manager()

    class Meta:
        ordering = ["-id"]
        indexes = [models.Index(fields=["status", "touched_at"])]

    def __str__(self) -> str:
        return self.title

    @property
    def is_open(self) -> bool:
        return self.status in OPEN_JOBS

    @property
    def look_again(self) -> str:
        """After which time pages look again how far it is: soon at first, for most jobs end within seconds."""
        return "300ms" if timezone.now() - self.created_at < YOUNG else "1s"
