"""Jobs: the Celery tasks that run trials.

A job works on one run for about half a second and then sends its successor, so that the queue stays short and runs
take turns. Messages may get lost or be doubled: the rows say what is to be done, and the sweeper sends what is missing.
"""

import logging
from datetime import datetime, timedelta

from celery import shared_task
from django.db import transaction
from django.db.models import Exists, Max, OuterRef, Q
from django.utils import timezone
from kombu.exceptions import OperationalError

from runs.jobs.batches import work
from runs.jobs.leases import release_lost
from runs.jobs.progress import OPEN_RUN, OPEN_TRIAL, cancel, conclude, finish, refresh
from runs.jobs.workers import WorkerHealth, look_after, worker_health
from runs.models import Run, RunStatus, Trial, TrialStatus

__all__ = ["WorkerHealth", "cancel", "enqueue", "execute_trials", "sweep", "sweep_up", "worker_health"]

log = logging.getLogger(__name__)

FIRST_SIZE = 1
DEFAULT_SLOTS = 2
# How long nothing may happen to a waiting run before its jobs count as lost, and a single job beside others.
LOST_SECONDS = 3
MISSED_SECONDS = 15


@shared_task(name="runs.jobs.execute_trials")  # type: ignore[untyped-decorator]  # Celery has no types
def execute_trials(run_id: int, size: int = FIRST_SIZE) -> None:
    """Run trials of a run for about half a second, `size` at a time at first; send a successor while any wait."""
    run = Run.objects.filter(pk=run_id, status__in=OPEN_RUN).first()
    if run is None:
        return
    if run.status == RunStatus.QUEUED:
        Run.objects.filter(pk=run_id, status=RunStatus.QUEUED).update(
            status=RunStatus.RUNNING, started_at=timezone.now()
        )
    size, may_wait = work(run, size)
    refresh(run_id)
    if may_wait and Trial.objects.filter(run=run_id, status=TrialStatus.QUEUED).exists():
        send(run_id, size)


@shared_task(name="runs.jobs.sweep")  # type: ignore[untyped-decorator]  # Celery has no types
def sweep_up() -> None:
    """The sweeper as a job, for sites that run it by a timetable as well."""
    sweep()


def send(run_id: int, size: int = FIRST_SIZE) -> bool:
    """Send one job. False when the broker cannot be reached; the sweeper then sends it later."""
    try:
        execute_trials.apply_async((run_id, size), retry=False)
    except (OperationalError, OSError):
        log.warning("broker-unreachable", extra={"run": run_id}, exc_info=True)
        return False
    return True


def enqueue(run: Run) -> None:
    """Send the first jobs of a run, once the transaction that made it is over."""
    transaction.on_commit(lambda: start(run.pk))


def start(run_id: int) -> None:
    jobs = min(worker_health().slots or DEFAULT_SLOTS, Trial.objects.filter(run=run_id).count())
    Run.objects.filter(pk=run_id).update(enqueued_at=timezone.now())
    for _ in range(jobs):
        send(run_id)


def sweep(*, starting: bool = False) -> int:
    """Repair what lost workers and lost messages left behind; gives how many jobs were sent.

    Trials of lost leases wait again, runs without work end, and runs that wait although a slot is free get their jobs
    again. A worker that is `starting` does not wait to see whether messages are only late.
    """
    release_lost()
    close_ended_runs()
    now = timezone.now()
    busy = leases()
    free = (worker_health().slots or DEFAULT_SLOTS) - len(busy)
    sent = 0
    for run in waiting_runs():
        if free <= 0:
            break
        at_work = sum(1 for owner in busy.values() if owner == run.pk)
        if not starting and not is_overdue(run, at_work, now):
            continue
        Run.objects.filter(pk=run.pk).update(enqueued_at=now)
        waiting = Trial.objects.filter(run=run.pk, status=TrialStatus.QUEUED).count()
        sent += sum(send(run.pk) for _ in range(1 if at_work else min(free, waiting)))
    return sent


def is_overdue(run: Run, at_work: int, now: datetime) -> bool:
    """Whether the jobs of a run must have got lost: nobody works on it, or fewer than could, and that for too long."""
    latest = run.enqueued_at or run.created_at
    if at_work:
        return now - latest > timedelta(seconds=MISSED_SECONDS)
    claimed = Trial.objects.filter(run=run.pk).aggregate(newest=Max("started_at"))["newest"]
    latest = max(latest, claimed or latest)
    return now - latest > timedelta(seconds=LOST_SECONDS)


def leases() -> dict[str, int]:
    """The live leases with the run that each works on."""
    running = Trial.objects.filter(status=TrialStatus.RUNNING, lease_until__gte=timezone.now())
    return dict(running.order_by().values_list("lease", "run").distinct())


def waiting_runs() -> list[Run]:
    """Open runs with trials that wait, oldest first."""
    queued = Trial.objects.filter(run=OuterRef("pk"), status=TrialStatus.QUEUED)
    return list(Run.objects.filter(Exists(queued), status__in=OPEN_RUN).order_by("pk"))


def close_ended_runs() -> None:
    """End runs whose last trial ended while nobody could take note of it."""
    open_trials = Trial.objects.filter(run=OuterRef("pk"), status__in=OPEN_TRIAL)
    ended = Run.objects.filter(~Exists(open_trials), Q(status__in=OPEN_RUN) | Q(status=RunStatus.SCORING))
    for run in ended:
        if not finish(run.pk):
            conclude(run.pk)


look_after(sweep)
