"""One run within a job: the trials that were claimed of it, those at work, and how many more to claim."""

import threading
import time
from collections import deque
from dataclasses import dataclass

from runs.engine.limiter import Limiter
from runs.engine.outcome import Outcome, Verdict
from runs.jobs.queue.leases import claim, give_back
from runs.jobs.trials.batches import Batch
from runs.jobs.trials.budgets import stop_at_limits
from runs.jobs.trials.dependencies import let_go_on
from runs.jobs.trials.saving import Ledger, Story
from runs.models import Run, Trial

# Claim as much as will be begun within so many seconds, but not much more than was done so far.
AHEAD_SECONDS = 0.5
GROWTH = 8
MAX_BATCH = 250
# How long a run without queued trials is not asked for more.
DRY_SECONDS = 0.5
# The same where trials ended in the meantime, and others of their agents may begin.
ROOM_SECONDS = 0.05
# An agent that has not noticed by then that its run was cancelled is not waited for.
GRACE_SECONDS = 0.8


@dataclass(frozen=True, slots=True, eq=False)
class Work:
    """A claimed trial with the batch that it was claimed in."""

    trial: Trial
    batch: Batch


class Lane:
    """The part of a job that belongs to one run.

    `share` is what the job has of the run's concurrency, and `only_waits` whether the trials that were claimed last do
    nothing but wait for their agents: until that is known, and where it is not so, no more are at work than `limiter`
    gives turns. Its job's main thread claims and gives back; `begin` and `leave` are called by any thread. Callers
    of these two and of `drain` hold the job's `lock`; `claim` takes it for what it adds. Where the run `holds` trials
    back, those that end let others go on; where it `limits` agents, others of the same agent may begin.
    """

    def __init__(
        self,
        run: Run,
        ledger: Ledger,
        share: int,
        limiter: Limiter,
        lock: threading.Lock,
        *,
        holds: bool = False,
        limits: bool = False,
    ) -> None:
        self.run = run
        self.ledger = ledger
        self.share = share
        self.limiter = limiter
        self.lock = lock
        self.holds = holds
        self.limits = limits
        self.only_waits = False
        self.finished_at_release = 0
        self.waiting: deque[Work] = deque()
        self.active: set[Story] = set()
        self.finished = 0
        self.pace = 0.0
        self.claimed_at = time.monotonic()
        self.finished_at_claim = 0
        self.dry_at: float | None = None
        self.is_resting = False
        self.is_closing = False
        self.cancelled = threading.Event()
        self.cancelled_at = 0.0

    @property
    def free(self) -> int:
        """How many more of its trials may be at work."""
        most = self.share if self.only_waits else min(self.share, self.limiter.most)
        return max(0, most - len(self.active))

    @property
    def startable(self) -> int:
        """How many of the claimed trials may begin."""
        return min(len(self.waiting), self.free)

    @property
    def is_over(self) -> bool:
        """Whether nothing is at work or claimed, and nothing will be."""
        if self.holds and self.finished != self.finished_at_release:
            return False
        is_dry = self.dry_at is not None and not self._has_made_room()
        is_done = self.is_closing or self.is_resting or self.cancelled.is_set() or is_dry
        return is_done and not self.waiting and not self.active

    def begin(self) -> tuple[Work, Story]:
        """Take the next trial to work."""
        work = self.waiting.popleft()
        story = self.ledger.open(work.trial)
        self.active.add(story)
        return work, story

    def leave(self, story: Story) -> None:
        """Note that a trial is at work no more."""
        self.active.discard(story)
        self.finished += 1

    def wanted(self, free: int) -> int:
        """How many more trials to claim now, with so many threads of the job free."""
        if self.is_closing or self.is_resting or self.cancelled.is_set() or not self._may_ask():
            return 0
        # With a budget, what the next trial costs must be known before the one after it begins.
        ahead = 0 if self.run.has_limits else int(self._pace() * AHEAD_SECONDS)
        backlog = min(ahead, self.finished * GROWTH, MAX_BATCH)
        if self.waiting and len(self.waiting) >= backlog // 2:
            return 0
        room = max(0, min(self.free, free))
        return room + backlog - len(self.waiting)

    def _pace(self) -> float:
        """Trials a second: the mean of what it was before the last claim and of what it has been since then."""
        fresh = (self.finished - self.finished_at_claim) / max(time.monotonic() - self.claimed_at, 0.001)
        return (self.pace + fresh) / 2 if self.pace else fresh

    def _may_ask(self) -> bool:
        pause = ROOM_SECONDS if self._has_made_room() else DRY_SECONDS
        return self.dry_at is None or time.monotonic() - self.dry_at >= pause

    def _has_made_room(self) -> bool:
        """Whether trials ended since the last claim of an agent that could have no more at work then."""
        return self.limits and self.finished != self.finished_at_claim

    def release(self) -> None:
        """Let trials go on that waited for those which ended since the last time."""
        finished = self.finished
        if not self.holds or finished == self.finished_at_release:
            return
        self.ledger.flush()
        self.finished_at_release = finished
        if let_go_on(self.run.pk):
            self.dry_at = None

    def claim(self, limit: int) -> bool:
        """Claim up to `limit` trials and prepare them; gives whether it turns out only now that they just wait."""
        now = time.monotonic()
        self.pace, self.claimed_at, self.finished_at_claim = self._pace(), now, self.finished
        if self.limits or self.run.has_limits or self.dry_at is not None:
            # What is done but not saved still counts against the limits of agents, and not yet as spent.
            self.ledger.flush()
        trials = [] if stop_at_limits(self.run) else claim(self.run, limit, self.ledger.mark)
        self.dry_at = now if len(trials) < limit else None
        if trials:
            batch = Batch(self.run, trials, self.ledger, self.cancelled.is_set, self.limiter)
            with self.lock:
                self.waiting.extend(Work(trial, batch) for trial in trials)
                # Where something is limited, what is at work when nothing is left of it comes on top.
                before, self.only_waits = self.only_waits, batch.only_waits and not self.run.has_limits
            return self.only_waits and not before
        return False

    def hear(self, *, is_cancelled: bool, is_resting: bool) -> None:
        """Learn what people want of the run."""
        if is_cancelled and not self.cancelled.is_set():
            self.cancelled_at = time.monotonic()
            self.cancelled.set()
        self.is_resting = is_resting

    def drain(self) -> list[Trial]:
        """Take out the trials that were claimed and not begun."""
        return [self.waiting.popleft().trial for _ in range(len(self.waiting))]

    def let_go(self, trials: list[Trial]) -> None:
        """End or give back trials that are not to begin, and end those whose agent does not hear that it is over."""
        if not self.cancelled.is_set():
            give_back([trial.pk for trial in trials], self.ledger.mark)
            return
        for trial in trials:
            self.ledger.open(trial).end(cancelled())
        if time.monotonic() - self.cancelled_at >= GRACE_SECONDS:
            for story in list(self.active):
                story.end(cancelled())
                self.active.discard(story)


def cancelled() -> Outcome:
    """The outcome of a trial that was stopped together with its run."""
    return Outcome(Verdict.CANCELLED, stop_reason="cancelled", error="The run was cancelled.")
