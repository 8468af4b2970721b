"""What one job does: its threads run trials of one run, and of others that wait, until nothing is left to claim.

The main thread alone talks to the database: it claims, saves and gives back. The other threads ask agents.
"""

import logging
import mmap
import threading
import time
from collections.abc import Collection

from django.conf import settings
from django.db import InterfaceError, OperationalError, connection

from runs.jobs.queue.heartbeats import Heartbeat
from runs.jobs.queue.leases import new_mark
from runs.jobs.queue.shares import drop_share, take_share
from runs.jobs.queue.workers import alive_slots
from runs.jobs.trials.claiming import Lane, Work
from runs.jobs.trials.dependencies import holds_trials
from runs.jobs.trials.progress import begin, refresh, waiting_runs
from runs.jobs.trials.repeating import repeat_as_wanted
from runs.jobs.trials.saving import Ledger, Story
from runs.models import Run
from runs.sandbox.slots import STOCK

log = logging.getLogger(__name__)

# How long a job claims trials before its successor does. One without threads lets other runs have their turn sooner.
SHIFT_SECONDS = 300.0
TURN_SECONDS = 0.5
LOOK_SECONDS = 0.05
# How often a job looks whether other runs wait, and whether its share may grow.
SURVEY_SECONDS = 0.5
MAX_LANES = 4
# How long to leave a database alone that did not answer.
PAUSE_SECONDS = 0.25

# One byte that a worker's process shares with its children, so that they hear of its end.
STOPPING = mmap.mmap(-1, 1)


def stop_shifts() -> None:
    """Let the jobs of this worker begin no more trials; those at work go on."""
    STOPPING[0] = 1


def is_stopping() -> bool:
    return STOPPING[0] == 1


class Shift:
    """One job's work. `unfinished` lists the runs of which it left trials in the queue."""

    def __init__(self, threads: int | None = None) -> None:
        self.mark = new_mark()
        self.ledger = Ledger(self.mark)
        self.threads = settings.TRIAL_THREADS if threads is None else threads
        self.lanes: list[Lane] = []
        self.unfinished: list[int] = []
        self.lock = threading.Lock()
        self.is_needed = threading.Event()
        self.at_work = 0
        self.seconds = SHIFT_SECONDS if self.threads > 1 else TURN_SECONDS
        self.surveyed_at = time.monotonic()

    def work(self, run: Run) -> None:
        """Run trials of a run, and with several threads also of others that wait, until there are none to claim."""
        end = time.monotonic() + self.seconds
        self._join(run)
        heartbeat = Heartbeat(self)
        heartbeat.start()
        try:
            with STOCK.open():
                while self.lanes:
                    self._tend(is_late=time.monotonic() >= end or is_stopping())
                    self._work_or_wait()
        finally:
            heartbeat.stop()
            self.ledger.flush()
            for lane in list(self.lanes):
                self._part(lane)

    def held_trials(self) -> Collection[int]:
        """The claimed trials that are not saved as ended."""
        with self.lock:
            waiting = [work.trial.pk for lane in self.lanes for work in lane.waiting]
        return [*waiting, *(story.trial.pk for story in list(self.ledger.stories))]

    def runs_at_work(self) -> Collection[int]:
        """The runs that the job works on."""
        return [lane.run.pk for lane in list(self.lanes)]

    def hear(self, cancelled: Collection[int], resting: Collection[int]) -> None:
        """Learn which of the runs were cancelled, and which are not to begin trials."""
        for lane in list(self.lanes):
            lane.hear(is_cancelled=lane.run.pk in cancelled, is_resting=lane.run.pk in resting)
        self.is_needed.set()

    def _tend(self, *, is_late: bool) -> None:
        """Everything that the main thread does between two looks."""
        try:
            for lane in list(self.lanes):
                self._tend_lane(lane, is_late)
            self.ledger.flush_when_due()
            if time.monotonic() - self.surveyed_at >= SURVEY_SECONDS:
                self._survey(is_late)
        except (OperationalError, InterfaceError):
            if connection.in_atomic_block:
                raise
            log.warning("database-not-reached", exc_info=True)
            connection.close()
            time.sleep(PAUSE_SECONDS)
        self._staff()

    def _tend_lane(self, lane: Lane, is_late: bool) -> None:
        lane.is_closing = lane.is_closing or is_late
        if lane.cancelled.is_set() or lane.is_resting or is_stopping():
            with self.lock:
                trials = lane.drain()
            lane.let_go(trials)
        lane.release()
        limit = lane.wanted(self.threads - self._busy())
        if limit > 0:
            if lane.dry_at is not None or lane.run.has_limits:
                # What is done but not saved still counts against the limits of agents, and not yet as spent.
                self.ledger.flush()
            lane.claim(limit)
        with self.lock:
            is_over = lane.is_over
        if is_over:
            self._part(lane)

    def _busy(self) -> int:
        return sum(len(lane.active) for lane in self.lanes)

    def _survey(self, is_late: bool) -> None:
        """Note how far the runs are, let other runs in, and use room that others left."""
        self.surveyed_at = time.monotonic()
        for lane in self.lanes:
            refresh(lane.run.pk)
        if is_late or self.threads == 1:
            return
        known = {lane.run.pk for lane in self.lanes}
        for run in waiting_runs():
            if run.pk not in known and len(self.lanes) < MAX_LANES:
                self._join(run)
        for lane in self.lanes:
            fair = max(1, self.threads // len(self.lanes))
            if len(lane.active) >= lane.threads and lane.threads < fair:
                lane.threads = take_share(lane.run, fair, self.mark)
            lane.threads = min(lane.threads, fair) if len(self.lanes) > 1 else lane.threads

    def _join(self, run: Run) -> None:
        """Open a lane for a run, unless others use all of its concurrency."""
        others = max(1, alive_slots())
        wanted = min(self.threads, -(-run.concurrency // others))
        share = take_share(run, wanted, self.mark)
        if share:
            begin(run)
            run.refresh_from_db(fields=["started_at"])
            lane = Lane(run, self.ledger, share, holds=holds_trials(run.pk))
            with self.lock:
                self.lanes.append(lane)

    def _part(self, lane: Lane) -> None:
        """Close the lane of a run."""
        self.ledger.flush()
        with self.lock:
            self.lanes.remove(lane)
        drop_share(lane.run, self.mark)
        repeat_as_wanted(lane.run)
        refresh(lane.run.pk)
        if lane.is_closing:
            self.unfinished.append(lane.run.pk)

    def _work_or_wait(self) -> None:
        if self.threads == 1:
            self._serve_once()
        else:
            self.is_needed.wait(LOOK_SECONDS)
            self.is_needed.clear()

    def _staff(self) -> None:
        """Start threads for what can begin."""
        if self.threads == 1:
            return
        with self.lock:
            can_begin = sum(min(len(lane.waiting), lane.threads - len(lane.active)) for lane in self.lanes)
            missing = min(can_begin, self.threads - self.at_work)
            self.at_work += max(0, missing)
        for _ in range(missing):
            threading.Thread(target=self._serve, name="trial", daemon=True).start()

    def _serve(self) -> None:
        """What a thread does: one trial after the other, as long as there are any."""
        try:
            while self._serve_once():
                pass
        finally:
            connection.close()
            with self.lock:
                self.at_work -= 1
            self.is_needed.set()

    def _serve_once(self) -> bool:
        """Run the next trial. False when there is none to begin."""
        with self.lock:
            found = self._next()
        if found is None:
            return False
        lane, work, story = found
        try:
            work.batch.run(story)
        finally:
            with self.lock:
                lane.leave(story)
        if not lane.waiting:
            self.is_needed.set()
        return True

    def _next(self) -> tuple[Lane, Work, Story] | None:
        """The next trial, of the run that has the fewest at work."""
        ready = [lane for lane in self.lanes if lane.may_begin]
        if not ready:
            return None
        lane = min(ready, key=lambda lane: len(lane.active))
        return lane, *lane.begin()
