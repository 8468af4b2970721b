"""Who has which trial of those that wait for people: places that are taken for a while, and what is skipped."""

from datetime import timedelta

from django.contrib.auth.models import User
from django.db import connection, transaction
from django.utils import timezone

from packs.formats.characters import storable
from runs.jobs.scores.reviewing import ReviewRefused, waiting
from runs.models import ReviewClaim, ReviewRequest

# How long a place is kept for a person who opened a trial.
LEASE = timedelta(minutes=15)
MAX_REASON = 500


def claim(request: ReviewRequest, user: User) -> bool:
    """Keep a place among the reviewers of a request for a person, so that two do not take the last one.

    False where none is left for them.
    """
    with transaction.atomic():
        lock(request)
        now = timezone.now()
        free = ReviewRequest.objects.waiting().open_to(user).free_for(user, now).filter(pk=request.pk).exists()
        if free:
            own, _ = ReviewClaim.objects.get_or_create(request=request, reviewer=user, defaults={"until": now + LEASE})
            ReviewClaim.objects.filter(pk=own.pk, until__isnull=False).update(until=now + LEASE)
    return bool(free)


def lock(request: ReviewRequest) -> None:
    """Keep others from taking a place of a request until the transaction ends."""
    if connection.features.has_select_for_update:
        list(ReviewRequest.objects.filter(pk=request.pk).select_for_update().values_list("pk"))


def skip(request: ReviewRequest, user: User, reason: str) -> None:
    """Let others review a trial in a person's place, who says why. Raises ReviewRefused."""
    reason = storable(reason).strip()
    if not reason or len(reason) > MAX_REASON:
        raise ReviewRefused("no_reason", f"Say in at most {MAX_REASON} characters why you skip this trial.")
    with transaction.atomic():
        lock(request)
        found = waiting(request)
        if found.reviews.filter(reviewer=user).exists():
            raise ReviewRefused("reviewed_already", "You have reviewed this trial already.")
        values = {"skipped_at": timezone.now(), "reason": reason}
        ReviewClaim.objects.update_or_create(
            request=found, reviewer=user, defaults=values, create_defaults={**values, "until": timezone.now()}
        )
