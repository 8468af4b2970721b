"""How long recordings are kept. A team can have those of its runs removed after so many days.

A recording is all that a replay is made of: the events of a trial with the files that they hold, those of its replaced
tries, and the record that an imported trial was made of. Answers, scorecards, grades and verdicts stay. Runs that
something still needs keep theirs: releases, baselines of gates, trials that wait for reviews, re-scores at work.
"""

import logging
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from celery import shared_task
from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet, Sum
from django.utils import timezone

from packs.audit import record
from packs.models import Pack, Team
from runs.jobs.gating.checks import pinned_baselines
from runs.models import (
    ENDED_RUNS,
    OPEN_RESCORES,
    Attempt,
    Event,
    Release,
    Replay,
    Rescore,
    ReviewRequest,
    Run,
    Trial,
    TrialRecord,
)

log = logging.getLogger(__name__)
# Trials whose recordings go in one transaction: others write meanwhile.
BATCH = 100


@dataclass(frozen=True, slots=True)
class Forecast:
    """What a rule would remove now."""

    runs: int
    trials: int
    events: int


def due(team: Team, days: int) -> QuerySet[Run]:
    """The ended runs of a team with recordings that are older than so many days, but for those that are needed."""
    needed = pinned_baselines(Pack.objects.filter(team=team))
    old = Run.objects.filter(team=team, status__in=ENDED_RUNS, finished_at__lt=moment_before(days))
    is_needed = (
        Exists(Release.objects.filter(run=OuterRef("pk"))),
        Exists(ReviewRequest.objects.waiting().filter(trial__run=OuterRef("pk"))),
        Exists(Rescore.objects.filter(run=OuterRef("pk"), status__in=OPEN_RESCORES)),
    )
    kept = old.exclude(pk__in=needed)
    for needs in is_needed:
        kept = kept.exclude(needs)
    found: QuerySet[Run] = kept.filter(Exists(recorded(days).filter(run=OuterRef("pk")))).order_by("pk")
    return found


def moment_before(days: int) -> datetime:
    return timezone.now() - timedelta(days=days)


def recorded(days: int) -> QuerySet[Trial]:
    """Trials of any run that have a recording older than so many days."""
    rows: QuerySet[Trial] = Trial.objects.filter(event_count__gt=0, finished_at__lt=moment_before(days))
    return rows


def forecast(team: Team, days: int) -> Forecast:
    """What a rule of so many days would remove now."""
    runs = list(due(team, days).values_list("pk", flat=True))
    trials = recorded(days).filter(run__in=runs)
    return Forecast(len(runs), trials.count(), trials.aggregate(total=Sum("event_count"))["total"] or 0)


def remove_recordings(run: Run, days: int) -> int:
    """Remove the recordings of a run that are older than so many days; gives of how many trials.

    The run is marked first: where a worker ends before all is gone, the next sweep goes on.
    """
    Run.objects.filter(pk=run.pk).update(recordings_removed_at=timezone.now(), recorded_bytes=None)
    return sum(len(batch) for batch in removed(recorded(days).filter(run=run)))


def removed(trials: QuerySet[Trial]) -> Iterator[list[int]]:
    """Remove the recordings of these trials, batch by batch; gives the ids of each."""
    while batch := list(trials.order_by("pk").values_list("pk", flat=True)[:BATCH]):
        with transaction.atomic():
            forget(batch)
        yield batch


def forget(trials: Iterable[int]) -> None:
    keys = list(trials)
    of_them: dict[str, Any] = {"trial__in": keys}
    for model in (Event, Replay, TrialRecord):
        model.objects.filter(**of_them)._raw_delete(model.objects.db)
    Attempt.objects.filter(**of_them).update(events=[])
    Trial.objects.filter(pk__in=keys).update(event_count=0)


@shared_task(name="runs.retention.remove_old")  # type: ignore[untyped-decorator]  # Celery has no types
def remove_old() -> None:
    """Remove what the rules of teams say is too old."""
    for team in Team.objects.exclude(recording_days=None):
        days = team.recording_days
        for run in due(team, days):
            count = remove_recordings(run, days)
            log.info("recordings-removed", extra={"run": run.pk, "trials": count})
            record("sweep.recordings", run, team=team, changes={"trials": count, "older_than_days": days})
