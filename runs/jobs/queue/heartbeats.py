"""The thread beside a job that keeps its leases alive and learns what people want of its runs."""

import logging
import threading
from collections.abc import Collection
from datetime import timedelta
from typing import Protocol

from django.db import DatabaseError, InterfaceError, connection
from django.utils import timezone

from runs.jobs.queue.leases import LEASE_SECONDS, OPEN_RUN
from runs.models import Run, Share, Trial, TrialStatus

log = logging.getLogger(__name__)

# Twice as quick as people must be able to stop a trial, and a fifth of what a lease can do without.
BEAT_SECONDS = 0.5
EXTENSION_SECONDS = 2.0


class Holder(Protocol):
    """Whose leases are kept."""

    mark: str

    def held_trials(self) -> Collection[int]:
        """The claimed trials that are not saved as ended."""

    def runs_at_work(self) -> Collection[int]:
        """The runs that the job works on."""

    def hear(self, cancelled: Collection[int], resting: Collection[int]) -> None:
        """Learn which of the runs were cancelled, and which are not to begin trials."""


class Heartbeat(threading.Thread):
    """Extends the leases and shares of a job until it is stopped.

    A database that does not answer is asked again: whether a lease was lost meanwhile shows when results are saved.
    A mistake of ours does not end it either.
    """

    def __init__(self, holder: Holder) -> None:
        super().__init__(name="lease", daemon=True)
        self.holder = holder
        self.finished = threading.Event()
        self.extended_at = timezone.now()

    def run(self) -> None:
        try:
            while not self.finished.wait(BEAT_SECONDS):
                self._beat_once()
        finally:
            connection.close()

    def stop(self) -> None:
        """End the thread."""
        self.finished.set()
        self.join()

    def _beat_once(self) -> None:
        try:
            self.beat()
        except (DatabaseError, InterfaceError):
            log.warning("lease-not-extended", exc_info=True)
            connection.close()
        except Exception:
            # Without this thread every lease of the job would run out, and nobody would hear of a cancel.
            log.exception("heartbeat-broke")

    def beat(self) -> None:
        """Ask what is wanted of the runs, and extend everything when it is time to."""
        now = timezone.now()
        runs = Run.objects.filter(pk__in=self.holder.runs_at_work())
        facts = list(runs.values_list("pk", "status", "cancel_requested_at"))
        cancelled = [pk for pk, _, asked_at in facts if asked_at is not None]
        self.holder.hear(cancelled, [pk for pk, status, _ in facts if status not in OPEN_RUN])
        if now - self.extended_at >= timedelta(seconds=EXTENSION_SECONDS):
            self.extend()

    def extend(self) -> None:
        """Extend what the job holds by a whole lease from now."""
        now = timezone.now()
        until = now + timedelta(seconds=LEASE_SECONDS)
        trials = Trial.objects.filter(pk__in=self.holder.held_trials(), lease=self.holder.mark)
        trials.filter(status=TrialStatus.RUNNING).update(lease_until=until)
        Share.objects.filter(lease=self.holder.mark).update(until=until)
        self.extended_at = now
