"""Which cases of a run begin only after others, where their pack says so."""

from django.db import models

from packs.access import InRunQuerySet
from runs.models.runs import Run


class Dependency(models.Model):
    """The trials of the case at `position` begin when those of the same agent at `needed` have ended.

    Both are `Trial.case_position`. Where none of those said anything about the agent, `after` (skip, fail or run) says
    what becomes of the trials that waited; see `packs.formats.task.Schedule`.
    """

    run = models.ForeignKey(Run, models.CASCADE, related_name="dependencies", db_index=False)
    position = models.PositiveIntegerField()
    needed = models.PositiveIntegerField()
    after = models.CharField(max_length=10, default="skip")

    objects = InRunQuerySet.as_manager()

    class Meta:
        ordering = ["pk"]
        constraints = [models.UniqueConstraint(fields=["run", "position", "needed"], name="one_dependency_per_pair")]

    def __str__(self) -> str:
        return f"{self.position} after {self.needed}"
