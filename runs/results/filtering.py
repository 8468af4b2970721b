"""Trials of a run that filters mean."""

from django.db.models import Q, QuerySet

from runs.models import Trial

MOST_WORDS = 8


def with_words(rows: QuerySet[Trial], text: str) -> QuerySet[Trial]:
    """The trials with each word in the key of their case or of its challenge."""
    for word in text.split()[:MOST_WORDS]:
        rows = rows.filter(Q(case_key__icontains=word) | Q(challenge_key__icontains=word))
    return rows
