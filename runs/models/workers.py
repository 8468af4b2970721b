"""Signs of life of workers."""

from django.db import models


class WorkerBeat(models.Model):
    """A sign of life of one worker process, written every few seconds."""

    name = models.CharField(max_length=255, unique=True)
    seen_at = models.DateTimeField()
    started_at = models.DateTimeField()
    slots = models.PositiveIntegerField(default=1)

    def __str__(self) -> str:
        return self.name
