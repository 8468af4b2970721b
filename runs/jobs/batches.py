"""Runs batches of trials: claim some, run them with the engine, save what they left behind."""

import logging
import time
from collections.abc import Callable

from packs.formats.task import Task
from runs.engine import Entrant, Fault, Outcome, Verdict, run_trial
from runs.jobs.leases import Heartbeat, claim, new_mark
from runs.jobs.loading import Frozen, entrants_of, frozen_version, tasks_of
from runs.jobs.saving import LeaseLost, Ledger, Story
from runs.models import Run, Trial
from runs.sandbox import SANDBOXES

log = logging.getLogger(__name__)

JOB_SECONDS = 0.5
MAX_BATCH = 250
GROWTH = 8


def work(run: Run, size: int) -> tuple[int, bool]:
    """Run trials for about half a second, `size` of them at first.

    Gives the size of batch that takes that long, and whether more trials may be waiting.
    """
    started = time.monotonic()
    while True:
        began = time.monotonic()
        done = work_batch(run, size)
        now = time.monotonic()
        if done < size:
            return size, False
        size = next_size(size, now - began)
        if now - started >= JOB_SECONDS:
            return size, True


def next_size(size: int, seconds: float) -> int:
    """How many trials to claim next, so that a batch takes about as long as a job should."""
    fitting = int(size * JOB_SECONDS / max(seconds, 0.001))
    return max(1, min(fitting, size * GROWTH, MAX_BATCH))


def work_batch(run: Run, size: int) -> int:
    """Claim and run up to `size` trials; gives how many there were."""
    mark = new_mark()
    trials = claim(run, size, mark)
    if not trials:
        return 0
    ledger = Ledger(mark)
    with Heartbeat(run, trials, mark) as heartbeat:
        batch = Batch(run, trials, ledger, heartbeat.cancelled.is_set)
        for trial in trials:
            batch.run(trial)
        ledger.flush()
    return len(trials)


class Batch:
    """The trials of one lease with all that they share."""

    def __init__(self, run: Run, trials: list[Trial], ledger: Ledger, is_cancelled: Callable[[], bool]) -> None:
        self.tasks: dict[int | None, Task] = {}
        self.entrants: dict[int, Entrant] = {}
        self.ledger = ledger
        self.is_cancelled = is_cancelled
        self.trouble = ""
        self.frozen: Frozen | None = None
        self._load(run, trials)

    def _load(self, run: Run, trials: list[Trial]) -> None:
        try:
            self.frozen = frozen_version(run.version_id)
            self.tasks = tasks_of(run, trials)
            self.entrants = entrants_of(run, trials)
        except Exception as error:
            log.exception("batch-not-loaded", extra={"run": run.pk})
            self.trouble = f"The trial could not be prepared: {type(error).__name__}: {error}"

    def run(self, trial: Trial) -> None:
        """Run one trial; whatever happens, its story ends with an outcome or belongs to somebody else."""
        story = self.ledger.open(trial)
        try:
            outcome = self._outcome(story)
        except LeaseLost:
            return
        except Exception as error:
            log.exception("trial-broke", extra={"trial": trial.pk})
            outcome = broken(f"The studio made a mistake: {type(error).__name__}: {error}")
        self.ledger.close(story, outcome)

    def _outcome(self, story: Story) -> Outcome:
        if self.trouble or self.frozen is None:
            return broken(self.trouble)
        return run_trial(
            self.tasks[story.trial.case_id],
            self.entrants[story.trial.run_agent_id],
            SANDBOXES["local"],
            lambda event: self.ledger.note(story, event),
            read_asset=self.frozen.read_asset,
            is_cancelled=self.is_cancelled,
        )


def broken(error: str) -> Outcome:
    """The outcome of a trial that our own machinery spoilt."""
    return Outcome(Verdict.ERROR, stop_reason="observer_error", fault=Fault.MACHINE, error=error)
