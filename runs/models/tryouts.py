"""Answers that people try on a case of a draft, with what its graders said of each."""

from django.conf import settings
from django.db import models

from packs.access import InPackQuerySet
from packs.columns import DocumentField
from packs.models import Pack


class TryoutStatus(models.TextChoices):
    """The life of a tried answer. Graders that run programs, and judges, work on a worker; others at once."""

    QUEUED = "queued", "Waits for a worker"
    RUNNING = "running", "Is being judged"
    COMPLETED = "completed", "Judged"
    FAILED = "failed", "Not judged"


class Tryout(models.Model):
    """An answer tried on a case of a draft; no run, and no trial.

    `node` is the id of the case's row, and `revision` that of the draft that judged. `files` (path to text) stand in
    the workspace, None where there is none; `judges` are the keys of the judges that were to be asked. `verdict`,
    `score`, `fault`, `error` and `scorecard` are those of a trial's outcome; `calls` are the events of judges' calls.
    """

    pack = models.ForeignKey(Pack, models.CASCADE, related_name="tryouts")
    node = models.PositiveBigIntegerField()
    case_key = models.CharField(max_length=255)
    revision = models.PositiveIntegerField(default=0)
    output = models.TextField(blank=True)
    files = DocumentField(null=True, blank=True)
    judges = DocumentField(default=list, blank=True)
    status = models.CharField(max_length=20, choices=TryoutStatus.choices, default=TryoutStatus.QUEUED)
    verdict = models.CharField(max_length=20, blank=True)
    score = models.FloatField(null=True)
    fault = models.CharField(max_length=20, blank=True)
    error = models.TextField(blank=True)
    scorecard = DocumentField(default=dict, blank=True)
    calls = DocumentField(default=list, blank=True)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    touched_at = models.DateTimeField(auto_now_add=True)
    finished_at = models.DateTimeField(null=True, blank=True)

    objects = InPackQuerySet.as_manager()

    class Meta:
        ordering = ["-id"]
        indexes = [models.Index(fields=["pack", "node"], name="tryouts_of_a_case")]

    def __str__(self) -> str:
        return f"Answer {self.pk} to {self.case_key}"

    @property
    def is_open(self) -> bool:
        """Whether a verdict is still to come."""
        return self.status in OPEN_TRYOUT


OPEN_TRYOUT = (TryoutStatus.QUEUED, TryoutStatus.RUNNING)
