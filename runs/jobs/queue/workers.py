"""Signs of life of the worker processes, and what a worker looks after beside its jobs."""

import gc
import logging
import os
import threading
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cached_property
from typing import TYPE_CHECKING, Any

from django.db import DatabaseError, InterfaceError, connection
from django.utils import timezone

from packs.formats.later import Later
from runs.jobs.queue.leases import new_mark
from runs.models import Trial, TrialStatus, WorkerBeat

if TYPE_CHECKING:
    from celery import signals
else:
    # Commands and pages ask who is at work; only workers hear signals.
    signals = Later("celery.signals")

log = logging.getLogger(__name__)

BEAT_SECONDS = 1.0
SWEEP_SECONDS = 2.0
# A worker that was not heard of for this long takes no part in what is planned; pages notice within five seconds.
SILENCE_SECONDS = 4.0
# For so long it may be at work all the same: its signs of life wait for others who write into the database.
LATE_SECONDS = 25.0
FORGET_SECONDS = 3600


@dataclass(frozen=True)
class WorkerHealth:
    """Whether anybody works: workers alive, those whose sign of life is late, jobs that the living can run at once, the
    newest sign of life; trials that wait are counted when they are asked for."""

    workers: int
    late: int
    slots: int
    newest: datetime | None

    @cached_property
    def queued(self) -> int:
        """How many trials wait."""
        return Trial.objects.filter(status=TrialStatus.QUEUED).count()

    @property
    def is_nobody(self) -> bool:
        """Whether no worker has lived recently."""
        return self.workers + self.late == 0

    @property
    def is_stuck(self) -> bool:
        """Trials wait and no worker is there to take them."""
        return self.is_nobody and self.queued > 0


def worker_health() -> WorkerHealth:
    """The state of the workers now."""
    now = timezone.now()
    alive_since, late_since = (now - timedelta(seconds=seconds) for seconds in (SILENCE_SECONDS, LATE_SECONDS))
    beats = list(WorkerBeat.objects.values_list("seen_at", "slots"))
    alive = [slots for seen_at, slots in beats if seen_at >= alive_since]
    return WorkerHealth(
        workers=len(alive),
        late=sum(late_since <= seen_at < alive_since for seen_at, _ in beats),
        slots=sum(alive),
        newest=max((seen_at for seen_at, _ in beats), default=None),
    )


def alive_slots() -> int:
    """How many jobs the living workers run at once."""
    since = timezone.now() - timedelta(seconds=SILENCE_SECONDS)
    return sum(WorkerBeat.objects.filter(seen_at__gte=since).values_list("slots", flat=True))


def is_at_work() -> bool:
    """Whether a worker of this host has trials at work."""
    running = Trial.objects.filter(status=TrialStatus.RUNNING, lease__startswith=new_mark().partition("|")[0] + "|")
    return running.exists()


class Caretaker(threading.Thread):
    """Runs in a worker's main process: says that it lives, and sweeps up what dead workers left behind."""

    def __init__(self, name: str, slots: int, sweep: Any) -> None:
        super().__init__(name="caretaker", daemon=True)
        self.worker = name[:255]
        self.slots = slots
        self.sweep = sweep
        self.stopped = threading.Event()
        self.started_at = timezone.now()
        self.swept_at: datetime | None = None

    def run(self) -> None:
        while True:
            try:
                self.beat()
            except (DatabaseError, InterfaceError):
                # A busy or absent database is no reason to stop living.
                log.warning("caretaker-database-trouble", exc_info=True)
            except Exception:
                # Nor is a mistake of ours: without signs of life all that the worker does would count as lost.
                log.exception("caretaker-broke")
            finally:
                connection.close()
            if self.stopped.wait(BEAT_SECONDS):
                return

    def beat(self) -> None:
        """One sign of life, and a sweep when it is time for one."""
        now = timezone.now()
        WorkerBeat.objects.update_or_create(
            name=self.worker, defaults={"seen_at": now, "started_at": self.started_at, "slots": self.slots}
        )
        if self.swept_at is None or now - self.swept_at >= timedelta(seconds=SWEEP_SECONDS):
            self.sweep(starting=self.swept_at is None)
            WorkerBeat.objects.filter(seen_at__lt=now - timedelta(seconds=FORGET_SECONDS)).delete()
            self.swept_at = now

    def stop(self) -> None:
        """End the thread and take back the sign of life, so that pages see at once that the worker is gone."""
        self.stopped.set()
        self.join(timeout=5)
        WorkerBeat.objects.filter(name=self.worker).delete()
        connection.close()


def look_after(sweep: Any, stop_shifts: Any) -> None:
    """Let every worker that starts from here run a caretaker, and its jobs hear when it is to end.

    Called once, where the jobs are defined.
    """
    keepers: list[Caretaker] = []

    def begin(sender: Any, **more: Any) -> None:
        # Two workers of one host may have been given the same name.
        name = f"{sender.hostname} {os.getpid()}"
        keepers.append(Caretaker(name, sender.controller.concurrency, sweep))
        keepers[-1].start()

    def end(**more: Any) -> None:
        for keeper in keepers:
            keeper.stop()

    def warn(**more: Any) -> None:
        stop_shifts()

    signals.worker_process_init.connect(keep_loaded, weak=False, dispatch_uid="runs.jobs.caretaker")
    signals.worker_shutting_down.connect(warn, weak=False, dispatch_uid="runs.jobs.caretaker")
    signals.worker_ready.connect(begin, weak=False, dispatch_uid="runs.jobs.caretaker")
    signals.worker_shutdown.connect(end, weak=False, dispatch_uid="runs.jobs.caretaker")


def keep_loaded(**more: Any) -> None:
    """Have the collector of a new process pass over all that is loaded by now.

    It is there for good, and to look through it stops every trial of the process for a tenth of a second.
    """
    gc.freeze()
