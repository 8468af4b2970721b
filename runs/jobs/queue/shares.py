"""Shares of a run's concurrency: how many of its trials each job may have at work, so that all keep within it."""

from datetime import timedelta

from django.db import connection, transaction
from django.utils import timezone

from runs.jobs.queue.leases import LEASE_SECONDS, is_abandoned
from runs.models import Run, Share


def take_share(run: Run, wanted: int, mark: str) -> int:
    """Take up to `wanted` of a run's concurrency, so that all jobs together never have more at work; gives how many.

    Asked again, the share grows where there is room; it never shrinks.
    """
    now = timezone.now()
    with transaction.atomic():
        rows = Run.objects.filter(pk=run.pk)
        if connection.features.has_select_for_update:
            rows = rows.select_for_update()
        concurrency: int = rows.values_list("concurrency", flat=True).get()
        shares = Share.objects.filter(run=run, until__gte=now)
        taken = dict(shares.values_list("lease", "threads"))
        mine: int = taken.pop(mark, 0)
        granted = max(mine, min(wanted, concurrency - sum(taken.values())))
        if granted > mine:
            until = now + timedelta(seconds=LEASE_SECONDS)
            Share.objects.update_or_create(run=run, lease=mark, defaults={"threads": granted, "until": until})
    return max(granted, 0)


def drop_share(run: Run, mark: str) -> None:
    """Let others have this job's part of a run's concurrency."""
    Share.objects.filter(run=run, lease=mark).delete()


def release_shares() -> None:
    """Remove the shares of jobs that are gone."""
    Share.objects.filter(until__lt=timezone.now()).delete()
    marks = Share.objects.values_list("lease", flat=True).order_by().distinct()
    Share.objects.filter(lease__in=[mark for mark in marks if is_abandoned(mark)]).delete()
