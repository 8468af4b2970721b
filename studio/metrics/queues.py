"""What waits for a worker, and for how long: for `/readyz`, `/metrics` and the page of operations."""

from dataclasses import dataclass
from datetime import datetime

from django.db.models import Min, Sum
from django.utils import timezone

from packs.models import Job, JobStatus
from runs.models import Run, RunStatus, TrialCount, TrialStatus


@dataclass(frozen=True, slots=True)
class Queue:
    """Things of one kind that wait: how many, and for how many seconds the oldest of them does."""

    name: str
    depth: int
    seconds: float


def queues() -> list[Queue]:
    """Trials that wait in runs that are not paused, runs of which none has begun, and jobs on packs.

    A trial waits since its run was made while none of the run has begun; those of a run that is at work wait for
    nobody but the others.
    """
    waiting = TrialCount.objects.filter(status=TrialStatus.QUEUED).exclude(run__status=RunStatus.PAUSED)
    trials = waiting.aggregate(total=Sum("trials"))["total"] or 0
    runs = Run.objects.filter(status=RunStatus.QUEUED)
    jobs = Job.objects.filter(status=JobStatus.QUEUED)
    oldest_run = runs.aggregate(oldest=Min("created_at"))["oldest"]
    oldest_job = jobs.aggregate(oldest=Min("created_at"))["oldest"]
    return [
        Queue("trials", trials, seconds_since(oldest_run)),
        Queue("runs", runs.count(), seconds_since(oldest_run)),
        Queue("jobs", jobs.count(), seconds_since(oldest_job)),
    ]


def seconds_since(moment: datetime | None) -> float:
    return max(0.0, (timezone.now() - moment).total_seconds()) if moment else 0.0
