"""Leases: which worker works on which trial, and what happens when that worker is gone.

A trial is claimed by a conditional update, so two workers never get the same one. The holder of a lease extends it
while at work; the results of a lease that was lost are thrown away.
"""

import os
import socket
import uuid
from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path

from django.db import connection, transaction
from django.db.models import Case, Count, F, QuerySet, Value, When
from django.db.models.functions import Coalesce
from django.utils import timezone

from runs.jobs.queue.turns import kept_events
from runs.models import Agent, Event, Grade, Run, RunAgent, RunStatus, Trial, TrialStatus
from runs.replay.causes import CANCELLED, STUDIO

LEASE_SECONDS = 12
# Runs whose trials may begin.
OPEN_RUN = (RunStatus.QUEUED, RunStatus.RUNNING)
# What a trial has only once it has ended, and nobody who works on it needs to read.
UNTOLD = ("scorecard", "final_output", "error", "lease_until", "finished_at")
# A trial whose worker died this often is not handed out again: it probably is what kills the worker.
MAX_ATTEMPTS = 5
HOST_LENGTH = 24


def new_mark() -> str:
    """The mark of one lease: host, process, and what tells it from the process's other leases."""
    return f"{socket.gethostname()[:HOST_LENGTH]}|{os.getpid()}|{uuid.uuid4().hex[:16]}"


def is_abandoned(mark: str) -> bool:
    """Whether the process behind a mark is known to be gone. Of other hosts nothing is known."""
    host, _, rest = mark.partition("|")
    pid = rest.partition("|")[0]
    if host != socket.gethostname()[:HOST_LENGTH] or not pid.isdigit():
        return False
    try:
        status = Path("/proc", pid, "stat").read_text()
    except FileNotFoundError:
        return Path("/proc/self").exists()
    except OSError:
        return False
    # A process that has ended but was not yet reaped by its parent.
    return status.rpartition(")")[2].split()[0] == "Z"


def claim(run: Run, limit: int, mark: str) -> list[Trial]:
    """Take up to `limit` queued trials of a run; none once it was paused or asked to stop."""
    now = timezone.now()
    with transaction.atomic():
        open_run = Run.objects.filter(pk=run.pk, status__in=OPEN_RUN, cancel_requested_at__isnull=True)
        if not open_run.exists():
            return []
        keys = choose(run, limit)
        Trial.objects.filter(pk__in=keys, status=TrialStatus.QUEUED).update(
            status=TrialStatus.RUNNING,
            lease=mark,
            lease_until=now + timedelta(seconds=LEASE_SECONDS),
            attempt=F("attempt") + 1,
            # One that waited for a person goes on; everything else begins.
            started_at=Case(When(event_count__gt=0, then=Coalesce("started_at", Value(now))), default=Value(now)),
        )
        trials = list(Trial.objects.filter(pk__in=keys, lease=mark).defer(*UNTOLD).order_by("id"))
        forget_attempts([trial.pk for trial in trials if trial.attempt > 1])
    return trials


def choose(run: Run, limit: int) -> list[int]:
    """The next queued trials, oldest first, of agents that may have more of theirs at work."""
    queued = Trial.objects.filter(run=run, status=TrialStatus.QUEUED).order_by("id")
    if connection.features.has_select_for_update_skip_locked:
        queued = queued.select_for_update(skip_locked=True)
    rooms = rooms_of_agents(run)
    free = queued.exclude(run_agent__in=list(rooms)) if rooms else queued
    keys = list(free.values_list("pk", flat=True)[:limit])
    for entry, room in rooms.items():
        if room > 0:
            keys += queued.filter(run_agent=entry).values_list("pk", flat=True)[: min(room, limit)]
    return sorted(keys)[:limit]


def limited_agents(run: Run) -> QuerySet[RunAgent]:
    """The agents of a run that have a limit of their own."""
    return RunAgent.objects.filter(run=run, agent__concurrency__isnull=False)


def limits_agents(run: Run) -> bool:
    """Whether any agent of a run has a limit of its own."""
    return limited_agents(run).exists()


def rooms_of_agents(run: Run) -> dict[int, int]:
    """How many more trials may begin, by the id of each run agent whose agent has a limit of its own."""
    entries = list(limited_agents(run).values_list("pk", "agent", "agent__concurrency"))
    if not entries:
        return {}
    if connection.features.has_select_for_update:
        agents = Agent.objects.filter(pk__in=[agent for _, agent, _ in entries]).order_by("pk")
        list(agents.select_for_update().values_list("pk"))
    at_work = Trial.objects.filter(run_agent__agent__in=[agent for _, agent, _ in entries], status=TrialStatus.RUNNING)
    busy = dict(at_work.order_by().values_list("run_agent__agent").annotate(total=Count("pk")))
    return {entry: concurrency - busy.get(agent, 0) for entry, agent, concurrency in entries}


def give_back(trials: Sequence[int], mark: str) -> int:
    """Put claimed trials that were not begun back into the queue, as if nobody had claimed them."""
    mine = Trial.objects.filter(pk__in=trials, lease=mark, status=TrialStatus.RUNNING)
    begun = Case(When(event_count__gt=0, then=F("started_at")), default=None)
    return mine.update(
        status=TrialStatus.QUEUED, lease="", lease_until=None, started_at=begun, attempt=F("attempt") - 1
    )


def forget_attempts(trials: Sequence[int]) -> None:
    """Remove what earlier, lost attempts left behind, so that nothing is recorded twice.

    What a trial had recorded when it waited for a person is not lost.
    """
    if not trials:
        return
    kept = kept_events(trials)
    Event.objects.filter(trial__in=[trial for trial in trials if trial not in kept]).delete()
    for trial, last in kept.items():
        Event.objects.filter(trial=trial, sequence__gt=last).delete()
    Grade.objects.filter(trial__in=trials).delete()


def held(trials: Sequence[int], mark: str) -> set[int]:
    """Which of these trials the lease still holds; they are locked until the transaction ends."""
    rows = Trial.objects.filter(pk__in=trials, lease=mark, status=TrialStatus.RUNNING)
    if connection.features.has_select_for_update:
        rows = rows.select_for_update()
    return set(rows.values_list("pk", flat=True))


def release_lost(*, only_abandoned: bool = False) -> int:
    """Put trials whose lease ran out, or whose worker is known to be gone, back into the queue; gives how many."""
    now = timezone.now()
    running = Trial.objects.filter(status=TrialStatus.RUNNING)
    marks = running.values_list("lease", flat=True).order_by().distinct()
    gone = [mark for mark in marks if is_abandoned(mark)]
    lost = running.filter(lease__in=gone)
    if not only_abandoned:
        lost = lost | running.filter(lease_until__lt=now)
    # Closed by their keys, not by the lost lease: their worker may finish them in the meantime.
    lost.filter(attempt__gte=MAX_ATTEMPTS).update(
        status=TrialStatus.ERROR,
        fault=STUDIO.fault.value,
        stop_reason=STUDIO.stop_reason,
        error=f"The worker was lost {MAX_ATTEMPTS} times while it was at work on this trial.",
        lease="",
        lease_until=None,
        finished_at=now,
    )
    lost.filter(run__cancel_requested_at__isnull=False).update(
        status=TrialStatus.CANCELLED, stop_reason=CANCELLED, lease="", lease_until=None, finished_at=now
    )
    return lost.update(status=TrialStatus.QUEUED, lease="", lease_until=None)
