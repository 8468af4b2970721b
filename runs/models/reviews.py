"""What people are asked to review, and the reviews that they gave."""

from typing import Any, Self

from django.conf import settings
from django.db import models

from packs.access import AnyUser, InTrialQuerySet, TeamScopedQuerySet
from packs.columns import DocumentField
from runs.models.trials import Trial


class ReviewRequestQuerySet(InTrialQuerySet):
    """Graders of trials that people are asked for."""

    def current(self) -> Self:
        """Those about the newest try of their trial."""
        return self.filter(withdrawn_at__isnull=True)

    def waiting(self) -> Self:
        """Those that take reviews now."""
        return self.current().filter(settled_at__isnull=True)

    def not_reviewed_by(self, user: AnyUser) -> Self:
        return self.exclude(pk__in=Review.objects.filter(reviewer=user.pk).values("request"))


class ReviewRequest(models.Model):
    """A grader of a trial that waits for people (task-suite 4.2, human_review).

    `needed` is how many reviews it waits for beside those that came with the trial. It is settled once they are there
    and the trial was judged with them, and withdrawn when the trial is tried again; either way it takes no more.
    """

    trial = models.ForeignKey(Trial, models.CASCADE, related_name="review_requests")
    grader_key = models.CharField(max_length=255)
    needed = models.PositiveIntegerField(default=1)
    asked_at = models.DateTimeField()
    settled_at = models.DateTimeField(null=True, blank=True)
    withdrawn_at = models.DateTimeField(null=True, blank=True)

    objects = ReviewRequestQuerySet.as_manager()

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(
                fields=["trial", "grader_key"],
                condition=models.Q(withdrawn_at__isnull=True),
                name="one_review_request_per_grader",
            )
        ]
        indexes = [
            models.Index(
                fields=["id"],
                condition=models.Q(settled_at__isnull=True, withdrawn_at__isnull=True),
                name="review_requests_that_wait",
            )
        ]

    def __str__(self) -> str:
        return f"{self.grader_key} of {self.trial}"

    @property
    def state(self) -> str:
        """waiting, settled or withdrawn."""
        if self.withdrawn_at:
            return "withdrawn"
        return "settled" if self.settled_at else "waiting"


class ReviewQuerySet(TeamScopedQuerySet):
    """Reviews of people."""

    team_path = "request__trial__run__team"
    pack_path = "request__trial__run__version__pack"


class Review(models.Model):
    """What one person says of one trial: `scores` from 0 to 4 by the key of what is scored, and why."""

    request = models.ForeignKey(ReviewRequest, models.CASCADE, related_name="reviews", db_index=False)
    reviewer = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    scores = DocumentField(default=dict)
    comment = models.TextField(blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    updated_at = models.DateTimeField(auto_now=True)

    objects = ReviewQuerySet.as_manager()

    class Meta:
        ordering = ["id"]
        constraints = [models.UniqueConstraint(fields=["request", "reviewer"], name="one_review_per_person")]

    def __str__(self) -> str:
        return f"Review of {self.request} by {self.reviewer}"

    @property
    def score(self) -> float:
        """The mean of what was scored, 0 to 4."""
        given: list[Any] = list(self.scores.values())
        return sum(given) / len(given) if given else 0.0
