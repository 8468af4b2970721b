"""What people want of a run: stop it, let it rest, go on."""

from django.db import transaction
from django.utils import timezone

from runs.jobs.queue.leases import OPEN_RUN
from runs.jobs.queue.messages import enqueue
from runs.jobs.trials.progress import refresh
from runs.models import ACTIVE_RUNS, IDLE_STATUSES, Run, RunStatus, Trial, TrialStatus


def cancel(run: Run) -> bool:
    """Stop a run: trials that wait are cancelled, those at work asked to stop. False when it has ended already."""
    now = timezone.now()
    with transaction.atomic():
        # A run that is being scored may still ask judges.
        asked = Run.objects.filter(pk=run.pk, status__in=ACTIVE_RUNS, cancel_requested_at__isnull=True)
        if not asked.update(cancel_requested_at=now):
            return False
        waiting = Trial.objects.filter(run=run.pk, status__in=IDLE_STATUSES)
        waiting.update(status=TrialStatus.CANCELLED, finished_at=now, stop_reason="cancelled")
    refresh(run.pk)
    return True


def pause(run: Run) -> bool:
    """Let no more trials of a run begin; those at work end as usual. False when there is nothing to pause."""
    resting = Run.objects.filter(pk=run.pk, status__in=OPEN_RUN, cancel_requested_at__isnull=True)
    return resting.update(status=RunStatus.PAUSED) == 1


def resume(run: Run) -> bool:
    """Let a paused run go on. False when it is not paused."""
    with transaction.atomic():
        paused = Run.objects.filter(pk=run.pk, status=RunStatus.PAUSED)
        if not paused.update(status=RunStatus.RUNNING if run.started_at else RunStatus.QUEUED):
            return False
        enqueue(run)
    return True
