"""What a trial leaves behind whose graders wait for people."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from django.utils import timezone

from packs.formats.characters import storable
from runs.models import ReviewRequest, Trial

if TYPE_CHECKING:
    from runs.grading.graders.contract import Grade

KEY_LENGTH = 255


def ask_reviewers(ended: Iterable[tuple[Trial, Sequence["Grade"]]]) -> None:
    """Note which graders of these trials wait for people."""
    now = timezone.now()
    rows = [
        ReviewRequest(
            trial=trial,
            grader_key=storable(grade.key)[:KEY_LENGTH],
            needed=grade.raw.get("needed", 1),
            asked_at=now,
        )
        for trial, grades in ended
        for grade in grades
        if grade.raw.get("pending")
    ]
    if rows:
        ReviewRequest.objects.bulk_create(rows, ignore_conflicts=True)


def withdraw_requests(trials: Sequence[int]) -> None:
    """Ask nobody any more about trials that begin anew; what was said stays."""
    ReviewRequest.objects.current().filter(trial__in=trials).update(withdrawn_at=timezone.now())
