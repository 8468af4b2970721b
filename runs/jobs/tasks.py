"""The tasks that workers do, by the names that messages hold, and the sweeper that sends what got lost."""

import logging
from collections.abc import Callable
from datetime import datetime, timedelta

from celery import shared_task
from django.db import InterfaceError, OperationalError
from django.db.models import Max
from django.utils import timezone

from packs.audit import forget_old_events
from packs.jobs import send_lost_jobs
from runs.jobs.gating.requests import answer_request, send_due_gates
from runs.jobs.notices.noting import DELIVER, SEND_MAIL
from runs.jobs.notices.sending import deliver, forget_old_notices, mail, send_due_notices
from runs.jobs.queue.leases import OPEN_RUN, release_lost
from runs.jobs.queue.messages import DEFAULT_SLOTS, send
from runs.jobs.queue.shares import release_shares
from runs.jobs.queue.workers import alive_slots, look_after
from runs.jobs.scores.ranking import make_rankings
from runs.jobs.scores.rescoring import rescore_or_fail, send_lost_rescores
from runs.jobs.trials.answering import expire_turns
from runs.jobs.trials.dependencies import let_all_go_on
from runs.jobs.trials.execution import Shift, stop_shifts
from runs.jobs.trials.progress import close_ended_runs, waiting_runs
from runs.jobs.trials.rankings import send_lost_rankings
from runs.jobs.trials.sandboxes import sweep_workspaces
from runs.jobs.trials.tryouts import execute, send_lost_tryouts
from runs.models import OPEN_RESCORES, Rescore, Run, RunStatus, Trial, TrialStatus, Tryout
from runs.models.case_counting import keep_changed_counts
from runs.models.records import forget_old_uploads
from runs.models.replies import forget_old_replies

log = logging.getLogger(__name__)

# How long nothing may happen to a waiting run before its jobs count as lost, and a single job beside others.
LOST_SECONDS = 3
MISSED_SECONDS = 15


@shared_task(name="runs.jobs.execute_trials")  # type: ignore[untyped-decorator]  # Celery has no types
def execute_trials(run_id: int) -> None:
    """Run trials of a run, and of others that wait, until none can be claimed; send a successor when time is over."""
    run = Run.objects.filter(pk=run_id, status__in=OPEN_RUN).first()
    if run is None:
        return
    shift = Shift()
    shift.work(run)
    waiting = Trial.objects.filter(run__in=shift.unfinished, status=TrialStatus.QUEUED)
    for unfinished in waiting.order_by("run_id").values_list("run", flat=True).distinct():
        send(unfinished)


@shared_task(name="runs.jobs.execute_rescore")  # type: ignore[untyped-decorator]  # Celery has no types
def execute_rescore(rescore_id: int) -> None:
    """Score the stored trials of a run again."""
    row = Rescore.objects.filter(pk=rescore_id, status__in=OPEN_RESCORES).first()
    if row is not None:
        rescore_or_fail(row)


@shared_task(name="runs.jobs.execute_rankings")  # type: ignore[untyped-decorator]  # Celery has no types
def execute_rankings(run_id: int) -> None:
    """Have the agents of a run ranked at the cases that nobody ranks yet."""
    run = Run.objects.filter(pk=run_id, status=RunStatus.SCORING).first()
    if run is not None:
        make_rankings(run)


@shared_task(name="runs.jobs.execute_gate")  # type: ignore[untyped-decorator]  # Celery has no types
def execute_gate(request_id: int) -> None:
    """Check a run that has ended against a gate."""
    answer_request(request_id)


@shared_task(name="runs.jobs.execute_tryout")  # type: ignore[untyped-decorator]  # Celery has no types
def execute_tryout(tryout_id: int) -> None:
    """Judge an answer that somebody tries on a case."""
    row = Tryout.objects.filter(pk=tryout_id).first()
    if row is not None:
        execute(row)


@shared_task(name=DELIVER)  # type: ignore[untyped-decorator]  # Celery has no types
def execute_delivery(delivery_id: int) -> None:
    """Send a notice to a webhook."""
    deliver(delivery_id)


@shared_task(name=SEND_MAIL)  # type: ignore[untyped-decorator]  # Celery has no types
def execute_mail(notification_id: int) -> None:
    """Send a notice by mail."""
    mail(notification_id)


@shared_task(name="runs.jobs.sweep")  # type: ignore[untyped-decorator]  # Celery has no types
def sweep_up() -> None:
    """The sweeper as a job, for sites that run it by a timetable as well."""
    sweep()


# What lost workers and lost messages leave behind, and who repairs it.
REPAIRS: tuple[Callable[[], object], ...] = (
    sweep_workspaces,
    release_lost,
    release_shares,
    expire_turns,
    let_all_go_on,
    close_ended_runs,
    keep_changed_counts,
    send_lost_rescores,
    send_lost_rankings,
    send_lost_jobs,
    send_lost_tryouts,
    send_due_gates,
    send_due_notices,
    forget_old_replies,
    forget_old_uploads,
    forget_old_events,
    forget_old_notices,
)


def sweep(*, starting: bool = False) -> int:
    """Repair what lost workers and lost messages left behind; gives how many jobs were sent.

    Trials of lost leases wait again, runs without work end, and runs that wait although a slot is free get their jobs
    again. A worker that is `starting` does not wait to see whether messages are only late.
    """
    for repair in REPAIRS:
        attempt(repair)
    now = timezone.now()
    busy = live_leases()
    free = (alive_slots() or DEFAULT_SLOTS) - len({lease for lease, _ in busy})
    sent = 0
    for run in waiting_runs():
        if free <= 0:
            break
        at_work = sum(1 for _, owner in busy if owner == run.pk)
        if not starting and not is_overdue(run, at_work, now):
            continue
        Run.objects.filter(pk=run.pk).update(enqueued_at=now)
        waiting = Trial.objects.filter(run=run.pk, status=TrialStatus.QUEUED).count()
        sent += sum(send(run.pk) for _ in range(1 if at_work else min(free, waiting)))
    return sent


def attempt(repair: Callable[[], object]) -> None:
    """Make one repair. A mistake of ours in it keeps no other from being made; a lost database comes through."""
    try:
        repair()
    except (OperationalError, InterfaceError):
        raise
    except Exception:
        log.exception("repair-broke", extra={"repair": repair.__name__})


def is_overdue(run: Run, at_work: int, now: datetime) -> bool:
    """Whether the jobs of a run must have got lost: nobody works on it, or fewer than could, and that for too long."""
    latest = run.enqueued_at or run.created_at
    if at_work:
        return now - latest > timedelta(seconds=MISSED_SECONDS)
    claimed = Trial.objects.filter(run=run.pk).aggregate(newest=Max("started_at"))["newest"]
    latest = max(latest, claimed or latest)
    return now - latest > timedelta(seconds=LOST_SECONDS)


def live_leases() -> list[tuple[str, int]]:
    """The live leases, with each run that their trials belong to."""
    running = Trial.objects.filter(status=TrialStatus.RUNNING, lease_until__gte=timezone.now())
    return list(running.order_by().values_list("lease", "run").distinct())


look_after(sweep, stop_shifts)
