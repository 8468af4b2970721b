"""One person decides what counts where people who reviewed a trial differ."""

from collections.abc import Mapping
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction

from packs.formats.characters import storable
from runs.jobs.scores.reviewing import ReviewRefused, asked_of, read_scores
from runs.models import Adjudication, ReviewRequest


def adjudicate(request: ReviewRequest, user: User, scores: Mapping[str, Any], comment: str = "") -> None:
    """Decide what counts of a trial in a queue, in place of what was decided before. Raises ReviewRefused.

    It is gold for comparisons with people; reviews and the verdict of the trial stay.
    """
    with transaction.atomic():
        rows = ReviewRequest.objects.current().select_related("trial__run", "queue")
        found = rows.filter(pk=request.pk, queue__isnull=False, settled_at__isnull=False).first()
        if found is None:
            raise ReviewRefused("not_settled", "Only trials of a queue that have all their reviews can be adjudicated.")
        given = read_scores(asked_of(found).rubric, scores, found.trial.final_output)
        values = {"adjudicator": user, "scores": given, "comment": storable(comment)}
        Adjudication.objects.update_or_create(request=found, defaults=values)
