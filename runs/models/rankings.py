"""Rankings: what the n_wise judges of a run say of all agents at one case."""

from django.db import models

from packs.access import InRunQuerySet
from packs.columns import DocumentField
from runs.models.runs import Run


class Ranking(models.Model):
    """One case and trial number of a run whose agents are ranked, by all judges of the version that rank.

    A worker claims it by a conditional update that sets `lease` and `lease_until`. `trials` are the trials that are
    ranked, as `[id, attempt]`: where one of them is tried again, the ranking is made anew. `calls` maps the key of a
    judge to its calls, each with what was asked and what was replied. `finished_at` is set once the scorecards hold
    the result.
    """

    run = models.ForeignKey(Run, models.CASCADE, related_name="rankings", db_index=False)
    case_position = models.PositiveIntegerField(default=0)
    number = models.PositiveIntegerField(default=1)
    trials = models.JSONField(default=list)
    calls = DocumentField(default=dict, blank=True)
    error = models.TextField(blank=True)
    lease = models.CharField(max_length=64, blank=True)
    lease_until = models.DateTimeField(null=True, blank=True)
    claims = models.PositiveIntegerField(default=0)
    finished_at = models.DateTimeField(null=True, blank=True)

    objects = InRunQuerySet.as_manager()

    class Meta:
        ordering = ["case_position", "number"]
        constraints = [
            models.UniqueConstraint(fields=["run", "case_position", "number"], name="one_ranking_per_case_and_number")
        ]

    def __str__(self) -> str:
        return f"Ranking of case {self.case_position} #{self.number} in {self.run}"
