"""`--wait`: a command that stays until a run has ended."""

import time

from django.core.management import BaseCommand

from packs.management.answers import complain
from runs.jobs.queue.workers import worker_health
from runs.management import FAILED, FINE
from runs.management.acts import Given
from runs.management.acts.showing import describe, describe_anew
from runs.models import Run, TrialStatus
from runs.models.trials import UNWANTED

POLL_SECONDS = 0.2
NO_WORKER_SECONDS = 4


def follow(command: BaseCommand, run: Run, options: Given) -> int:
    """Wait for the end of a run; a line on standard error for every change."""
    shown, warned, started = "", False, time.monotonic()
    while run.finished_at is None:
        time.sleep(POLL_SECONDS)
        run.refresh_from_db()
        line = ", ".join(f"{count} {status}" for status, count in sorted(run.counts.items()))
        if line != shown:
            complain(command, line)
            shown = line
        if not warned and time.monotonic() - started > NO_WORKER_SECONDS:
            warned = complain_of_nobody(command)
    describe(command, run, options)
    return verdict_code(run)


def complain_of_nobody(command: BaseCommand) -> bool:
    """Say what to do where no worker is running; whether that is so."""
    if is_nobody := worker_health().is_nobody:
        complain(command, "No worker is running, so nothing happens. Start one: manage.py up")
    return is_nobody


def set_off(command: BaseCommand, run: Run, options: Given) -> int:
    """Describe a run whose trials were just put into the queue."""
    describe_anew(command, run, options)
    complain_of_nobody(command)
    return FINE


def verdict_code(run: Run) -> int:
    """0 when every trial passed that the pack wanted."""
    wanted = run.trials.exclude(stop_reason__in=UNWANTED)
    return FINE if wanted.exists() and not wanted.exclude(status=TrialStatus.PASSED).exists() else FAILED
