"""Queues of trials that a person chose for review, who has which of them, and what was decided where people differ."""

from django.conf import settings
from django.db import models

from packs.access import InRunQuerySet, TeamScopedQuerySet
from packs.columns import DocumentField
from runs.models.runs import Run


class ReviewQueue(models.Model):
    """Trials of a run that people review by a rubric of its own, each by `needed` people.

    `rubric` is as `runs.grading.graders.own_rubrics` keeps it, `chosen` says by which filters and draw the trials were
    chosen, in the members of `runs.results.queues.Choice`. `people` may review; everybody who may where it is empty.
    """

    run = models.ForeignKey(Run, models.CASCADE, related_name="review_queues")
    name = models.CharField(max_length=120)
    rubric = DocumentField(default=list)
    needed = models.PositiveIntegerField(default=1)
    chosen = models.JSONField(default=dict)
    people = models.ManyToManyField(settings.AUTH_USER_MODEL, related_name="+")
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)

    objects = InRunQuerySet.as_manager()

    class Meta:
        ordering = ["-id"]

    def __str__(self) -> str:
        return self.name


class InRequestQuerySet(TeamScopedQuerySet):
    """Rows below a review request."""

    team_path = "request__trial__run__team"
    pack_path = "request__trial__run__version__pack"
    bin_path = "request__trial__run__deleted_at"


class ReviewClaim(models.Model):
    """The place of a person among the reviewers of a request.

    It is dealt to them (`until` is empty), or theirs until a moment after they opened it. Who skipped the request,
    `skipped_at` and why, has no place any more and gets none.
    """

    request = models.ForeignKey("runs.ReviewRequest", models.CASCADE, related_name="claims", db_index=False)
    reviewer = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    until = models.DateTimeField(null=True, blank=True)
    skipped_at = models.DateTimeField(null=True, blank=True)
    reason = models.CharField(max_length=500, blank=True)

    objects = InRequestQuerySet.as_manager()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["request", "reviewer"], name="one_claim_per_person")]

    def __str__(self) -> str:
        return f"{self.reviewer} on {self.request}"
