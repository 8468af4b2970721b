"""What one job does: its threads run trials of one run, and of others that wait, until nothing is left to claim.

The main thread claims, saves and gives back; the clerk keeps places at connections. The other threads ask agents, and
need no connection to the database while they wait.
"""

import logging
import mmap
import threading
import time
from collections.abc import Collection
from contextlib import nullcontext

from django.conf import settings
from django.db import InterfaceError, OperationalError, connection

from runs.engine.limiter import Limiter
from runs.jobs.queue.heartbeats import Heartbeat
from runs.jobs.queue.leases import limits_agents, new_mark
from runs.jobs.queue.shares import drop_share, take_share
from runs.jobs.queue.workers import alive_slots
from runs.jobs.trials.claiming import Lane, Work
from runs.jobs.trials.dependencies import holds_trials
from runs.jobs.trials.progress import begin, refresh, waiting_runs
from runs.jobs.trials.repeating import repeat_as_wanted
from runs.jobs.trials.saving import Ledger, Story
from runs.models import Run, RunAgent
from runs.models.clerk import CLERK
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
    """One job's work. `unfinished` lists the runs of which it left trials in the queue.

    `threads` is how many trials it has at work at most; `limiter` how many of them do more than wait for their agents.
    """

    def __init__(self, threads: int | None = None) -> None:
        self.mark = new_mark()
        self.ledger = Ledger(self.mark)
        self.threads = settings.TRIAL_THREADS if threads is None else threads
        self.limiter = Limiter(min(self.threads, settings.BUSY_THREADS))
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
            with STOCK.open(), CLERK.at_work() if self.threads > 1 else nullcontext():
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
        limit = lane.wanted(self._free(lane))
        if limit > 0 and lane.claim(limit):
            self._grow(lane)
            self.is_needed.set()
        with self.lock:
            is_over = lane.is_over
        if is_over:
            self._part(lane)

    def _free(self, lane: Lane) -> int:
        """How many more trials of a lane may begin, with all that are at work in the job."""
        free = self.threads - sum(len(lane.active) for lane in self.lanes)
        return free if lane.only_waits else min(free, self._turns())

    def _turns(self) -> int:
        """How many more trials may begin that do more than wait."""
        return self.limiter.most - sum(len(lane.active) for lane in self.lanes if not lane.only_waits)

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
            if len(lane.active) >= lane.share:
                self._grow(lane)
            lane.share = min(lane.share, self._fair(lane)) if len(self.lanes) > 1 else lane.share

    def _fair(self, lane: Lane) -> int:
        """How many trials of a lane may be at work beside those of the job's other lanes."""
        return max(1, (self.threads if lane.only_waits else self.limiter.most) // len(self.lanes))

    def _grow(self, lane: Lane) -> None:
        """Take more of a run's concurrency where there is any, but not much of what belongs to other workers."""
        most = max(self.limiter.most, min(part_of(lane.run), useful(lane.run)))
        wanted = min(self._fair(lane), most)
        if lane.share < wanted:
            lane.share = take_share(lane.run, wanted, self.mark)

    def _join(self, run: Run) -> None:
        """Open a lane for a run, unless others use all of its concurrency."""
        share = take_share(run, min(self.limiter.most, part_of(run)), self.mark)
        if share:
            begin(run)
            run.refresh_from_db(fields=["started_at"])
            holds, limits = holds_trials(run.pk), limits_agents(run)
            lane = Lane(run, self.ledger, share, self.limiter, self.lock, holds=holds, limits=limits)
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
            waiting = sum(lane.startable for lane in self.lanes if lane.only_waits)
            others = sum(lane.startable for lane in self.lanes if not lane.only_waits)
            missing = min(waiting + min(others, self._turns()), self.threads - self.at_work)
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
        ready = [lane for lane in self.lanes if lane.startable and self._free(lane) > 0]
        if not ready:
            return None
        lane = min(ready, key=lambda lane: len(lane.active))
        return lane, *lane.begin()


def part_of(run: Run) -> int:
    """What each of the living workers may have of a run's concurrency."""
    return -(-run.concurrency // max(1, alive_slots()))


def useful(run: Run) -> int:
    """How many trials of a run can get on at once, as far as the connections of its agents let them.

    While one trial uses its place at a connection, another may do what needs none.
    """
    connections = RunAgent.objects.filter(run=run, connection__isnull=False).order_by()
    places = dict(connections.values_list("connection", "connection__max_concurrent"))
    return 2 * sum(places.values()) if places else run.concurrency
