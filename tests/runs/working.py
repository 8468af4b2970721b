"""Runs that tests work off in their own process."""

from datetime import timedelta

from django.utils import timezone

from runs.jobs.tasks import execute_trials
from runs.models import Trial, TrialStatus


def work_off(run):
    """Run jobs until the run has ended."""
    for _ in range(100):
        execute_trials(run.pk)
        run.refresh_from_db()
        if run.finished_at:
            return run
    raise AssertionError(f"the run is still {run.status}")


def lose(run, **changes):
    """Let the leases of a run's trials run out, as if their worker were gone."""
    Trial.objects.filter(run=run, status=TrialStatus.RUNNING).update(
        lease_until=timezone.now() - timedelta(seconds=1), **changes
    )
