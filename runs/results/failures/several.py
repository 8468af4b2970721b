"""Cases made of several failures at once, in the words that each trial suggests."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from django.contrib.auth.models import User

from packs.editing import EditRefused
from packs.models import Case, Pack
from runs.models import Trial
from runs.results.failures.drafting import TargetSet, draft, keep
from runs.results.failures.duplicates import duplicates_of
from runs.results.failures.reading import failure_of

# How many cases one act makes: each is an edit with its checks.
MOST_CASES = 20


@dataclass(slots=True)
class Made:
    """The cases that were made, the trials of which the draft had a case already, and why others were refused."""

    cases: list[Case] = field(default_factory=list)
    known: list[int] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)


def make_cases(pack: Pack, place: TargetSet, trials: Iterable[Trial], author: User | None) -> Made:
    """Put a case of each trial into the draft, unless one was made of it before or holds the same request."""
    made = Made()
    for trial in trials:
        failure = failure_of(trial)
        drafted = draft(pack, place, failure)
        if any(not found.is_source for found in duplicates_of(pack, drafted.document, failure)):
            made.known.append(trial.pk)
            continue
        try:
            made.cases.append(keep(pack, place, failure, author))
        except EditRefused as refusal:
            made.refused.append(refusal.message)
    return made
