"""Runs that tests work off in their own process."""

from runs.jobs import execute_trials


def work_off(run):
    """Run jobs until the run has ended."""
    for _ in range(100):
        execute_trials(run.pk)
        run.refresh_from_db()
        if run.finished_at:
            return run
    raise AssertionError(f"the run is still {run.status}")
