"""How many trials of a run each job may have at work."""

from django.db import models

from runs.models.runs import Run


class Share(models.Model):
    """What one job took of a run's concurrency: so many of its trials at once, until its lease runs out."""

    run = models.ForeignKey(Run, models.CASCADE, related_name="shares", db_index=False)
    lease = models.CharField(max_length=64)
    threads = models.PositiveIntegerField()
    until = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["run", "lease"], name="one_share_per_lease")]

    def __str__(self) -> str:
        return f"{self.threads} of run {self.run_id} for {self.lease}"
