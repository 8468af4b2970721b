"""What people are asked to review, and the reviews that they gave."""

from datetime import datetime
from typing import Any, Self

from django.conf import settings
from django.db import models
from django.db.models import Count, Exists, F, OuterRef, Q, Subquery
from django.db.models.functions import Coalesce

from packs.access import AnyUser, InTrialQuerySet
from packs.columns import DocumentField
from runs.models.review_queues import InRequestQuerySet, ReviewClaim, ReviewQueue
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

    def open_to(self, user: AnyUser) -> Self:
        """Those that a person may review as far as their queue says who may."""
        closed = ReviewQueue.objects.filter(people__isnull=False).exclude(people=user.pk)
        return self.exclude(queue__in=closed.values("pk"))

    def free_for(self, user: AnyUser, now: datetime) -> Self:
        """Those that have a place for a person: one that they hold, or one that nobody else holds or has used.

        Who skipped a request has none.
        """
        own = ReviewClaim.objects.filter(request=OuterRef("pk"), reviewer=user.pk)
        held = Q(until__isnull=True) | Q(until__gt=now)
        given = Review.objects.filter(request=OuterRef("request"), reviewer=OuterRef("reviewer"))
        others = ReviewClaim.objects.filter(held, ~Exists(given), request=OuterRef("pk"), skipped_at__isnull=True)
        taken = _count(Review.objects.filter(request=OuterRef("pk"))) + _count(others.exclude(reviewer=user.pk))
        rows = self.annotate(taken=taken).exclude(Exists(own.filter(skipped_at__isnull=False)))
        return rows.filter(Exists(own.filter(held)) | Q(taken__lt=F("needed")))


def _count(rows: models.QuerySet[Any]) -> Coalesce:
    """How many rows below a request there are, as a column."""
    counted = rows.order_by().values("request").annotate(total=Count("pk")).values("total")
    return Coalesce(Subquery(counted), 0)


class ReviewRequest(models.Model):
    """A trial that waits for people: for a grader of its pack (task-suite 4.2, human_review), or in a queue.

    `needed` is how many reviews it waits for beside those that came with the trial. It is settled once they are there
    (and, for a grader, the trial was judged with them), and withdrawn when the trial is tried again; either way it
    takes no more.
    """

    trial = models.ForeignKey(Trial, models.CASCADE, related_name="review_requests")
    queue = models.ForeignKey(ReviewQueue, models.CASCADE, null=True, blank=True, related_name="requests")
    grader_key = models.CharField(max_length=255, blank=True)
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
                condition=models.Q(withdrawn_at__isnull=True, queue__isnull=True),
                name="one_review_request_per_grader",
            ),
            models.UniqueConstraint(
                fields=["queue", "trial"], condition=models.Q(queue__isnull=False), name="one_review_request_per_queue"
            ),
        ]
        indexes = [
            models.Index(
                fields=["id"],
                condition=models.Q(settled_at__isnull=True, withdrawn_at__isnull=True),
                name="review_requests_that_wait",
            )
        ]

    def __str__(self) -> str:
        return f"{self.title} of {self.trial}"

    @property
    def title(self) -> str:
        """What asks for it: the name of the queue, or the key of the grader."""
        return self.queue.name if self.queue else self.grader_key

    @property
    def state(self) -> str:
        """waiting, settled or withdrawn."""
        if self.withdrawn_at:
            return "withdrawn"
        return "settled" if self.settled_at else "waiting"


class Review(models.Model):
    """What one person says of one trial: `scores` by the key of what is scored, and why.

    Graders ask for numbers from 0 to 4; what queues ask for is in `runs.grading.graders.reviews`.
    """

    request = models.ForeignKey(ReviewRequest, models.CASCADE, related_name="reviews", db_index=False)
    reviewer = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    scores = DocumentField(default=dict)
    comment = models.TextField(blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    updated_at = models.DateTimeField(auto_now=True)

    objects = InRequestQuerySet.as_manager()

    class Meta:
        ordering = ["id"]
        constraints = [models.UniqueConstraint(fields=["request", "reviewer"], name="one_review_per_person")]

    def __str__(self) -> str:
        return f"Review of {self.request} by {self.reviewer}"

    @property
    def score(self) -> float:
        """The mean of what was scored for a grader, 0 to 4."""
        given: list[Any] = list(self.scores.values())
        return sum(given) / len(given) if given else 0.0


class Adjudication(models.Model):
    """What one person decided of a trial that people had reviewed: `scores` as in a review, and why."""

    request = models.OneToOneField(ReviewRequest, models.CASCADE, related_name="adjudication")
    adjudicator = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    scores = DocumentField(default=dict)
    comment = models.TextField(blank=True)
    decided_at = models.DateTimeField(auto_now=True)

    objects = InRequestQuerySet.as_manager()

    def __str__(self) -> str:
        return f"Adjudication of {self.request}"
