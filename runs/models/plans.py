"""How often cases of a run are tried, where their pack says so."""

from django.db import models

from packs.access import InRunQuerySet
from packs.models import VersionCase
from runs.models.runs import Run


class TrialPlan(models.Model):
    """What the pack says of the trials of one case of a run: `count` attempts become one verdict by `rule`.

    `rule` is one of `packs.formats.task.Trials`. Cases of which their pack says nothing have no row: their first trial
    decides. The run may have made more or fewer trials than `count`, as its launch asked for. `threshold` is the score
    from which on the case is passed, where its pack says it. Once the trials of an agent have cost `cost_usd` together,
    no further one begins.
    """

    run = models.ForeignKey(Run, models.CASCADE, related_name="plans", db_index=False)
    case = models.ForeignKey(VersionCase, models.PROTECT, related_name="plans")
    count = models.PositiveIntegerField()
    rule = models.CharField(max_length=40)
    threshold = models.FloatField(null=True, blank=True)
    cost_usd = models.FloatField(null=True, blank=True)

    objects = InRunQuerySet.as_manager()

    class Meta:
        ordering = ["pk"]
        constraints = [models.UniqueConstraint(fields=["run", "case"], name="one_plan_per_case")]

    def __str__(self) -> str:
        return f"{self.case_id}: {self.rule} of {self.count}"


def terms_of(plan: TrialPlan | None) -> tuple[str, int, float | None]:
    """The rule, the count and the threshold by which the trials of a case are joined; without a plan one decides."""
    return (plan.rule, plan.count, plan.threshold) if plan else ("", 1, None)
