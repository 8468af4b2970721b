"""Messages to the workers. They are hints: whatever gets lost is sent again by the sweeper."""

from django.db import transaction
from django.utils import timezone

from packs.messages import send_job
from runs.jobs.queue.workers import alive_slots
from runs.models import Rescore, Run, Trial, TrialStatus

EXECUTE_TRIALS = "runs.jobs.execute_trials"
EXECUTE_RESCORE = "runs.jobs.execute_rescore"
EXECUTE_RANKINGS = "runs.jobs.execute_rankings"
EXECUTE_TRYOUT = "runs.jobs.execute_tryout"
DEFAULT_SLOTS = 2


def send(run_id: int) -> bool:
    """Send one job for a run. False when the broker cannot be reached; the sweeper then sends it later."""
    return send_job(EXECUTE_TRIALS, run_id)


def enqueue_rescore(row: Rescore) -> None:
    """Send the job of a rescore once its transaction is over."""
    transaction.on_commit(lambda: send_job(EXECUTE_RESCORE, row.pk))


def enqueue(run: Run) -> None:
    """Send the first jobs of a run, once the transaction that made its trials wait is over."""
    transaction.on_commit(lambda: start(run.pk))


def start(run_id: int) -> None:
    """Send as many jobs as can be of use now."""
    waiting = Trial.objects.filter(run=run_id, status=TrialStatus.QUEUED).count()
    Run.objects.filter(pk=run_id).update(enqueued_at=timezone.now())
    for _ in range(min(alive_slots() or DEFAULT_SLOTS, waiting)):
        send(run_id)
