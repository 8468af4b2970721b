"""Runs claimed trials: prepares some of a run together, drives each with the engine, and keeps how it ended."""

import logging
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from django.conf import settings
from django.db import InterfaceError, OperationalError

from packs.formats.task import Task
from packs.messages import own_mistake
from runs.agents.endpoints.remembering import Memory
from runs.engine.conversation.waiting import Resumption
from runs.engine.entrant import Entrant
from runs.engine.limiter import Limiter, only_waits
from runs.engine.outcome import Outcome, Verdict
from runs.engine.trial import run_trial
from runs.engine.workspace import Site
from runs.jobs.queue.turns import resumptions_of
from runs.jobs.trials.frozen import Frozen, frozen_version
from runs.jobs.trials.judges import bench_of
from runs.jobs.trials.loading import entrants_of, records_of, tasks_of
from runs.jobs.trials.sandboxes import chosen_sandbox
from runs.jobs.trials.saving import LeaseLost, Ledger, Story
from runs.models import Run, Trial
from runs.models.replies import TeamReplies
from runs.models.runs import ResponseCache
from runs.replay.causes import STUDIO

log = logging.getLogger(__name__)


class Batch:
    """Trials of one run that were claimed together, with all that they share.

    Only making it reads the database; `run` may be called by several threads at once, and `limiter` says how many of
    them do more than wait. `only_waits` is whether all of the trials do nothing else until their agents have answered.
    """

    def __init__(
        self, run: Run, trials: list[Trial], ledger: Ledger, is_cancelled: Callable[[], bool], limiter: Limiter
    ) -> None:
        self.tasks: dict[int | None, Task] = {}
        self.entrants: dict[int, Entrant] = {}
        self.records: dict[int, dict[str, Any]] = {}
        self.resumptions: dict[int, Resumption] = {}
        self.ledger = ledger
        self.is_cancelled = is_cancelled
        self.limiter = limiter
        self.only_waits = False
        self.sandbox = chosen_sandbox()
        self.bench = bench_of(run, is_cancelled)
        self.replies = None if run.response_cache == ResponseCache.OFF else TeamReplies.of(run)
        self.site = site_of(run)
        self.trouble = ""
        self.frozen: Frozen | None = None
        self._load(run, trials)

    def _load(self, run: Run, trials: list[Trial]) -> None:
        try:
            self.frozen = frozen_version(run.version_id)
            self.tasks = tasks_of(run, trials)
            self.entrants = entrants_of(run, trials)
            recorded = [trial for trial in trials if self.entrants[trial.run_agent_id].kind == "recorded"]
            self.records = records_of(recorded) if recorded else {}
            self.resumptions = resumptions_of(trials)
            self.only_waits = all(only_waits(self.tasks[trial.case_id], self._entrant(trial)) for trial in trials)
        except (OperationalError, InterfaceError):
            # The trials are not to blame: another job prepares them when their leases have run out.
            raise
        except Exception as error:
            log.exception("batch-not-loaded", extra={"run": run.pk})
            self.trouble = f"The trial could not be prepared: {type(error).__name__}: {error}"

    def run(self, story: Story) -> None:
        """Run one trial; whatever happens, its story ends with an outcome or belongs to somebody else."""
        try:
            outcome = self._outcome(story)
        except LeaseLost:
            return
        except Exception as error:
            log.exception("trial-broke", extra={"trial": story.trial.pk})
            outcome = broken(own_mistake(error))
        self.ledger.close(story, outcome)

    def _outcome(self, story: Story) -> Outcome:
        if self.trouble or self.frozen is None:
            return broken(self.trouble)
        resumption = self.resumptions.get(story.trial.pk)
        if resumption is not None:
            story.take_up(resumption.events)
        entrant, bench = self._entrant(story.trial), self.bench
        if self.replies is not None:
            memory = Memory(self.replies, story.trial.number)
            entrant = replace(entrant, endpoint=memory.before(entrant.endpoint))
            bench = replace(bench, endpoints=memory.before_each(bench.endpoints))
        with self.limiter.turn(self.is_cancelled) as take_turn:
            return run_trial(
                self.tasks[story.trial.case_id],
                entrant,
                self.sandbox,
                lambda event: self.ledger.note(story, event),
                read_asset=self.frozen.read_asset,
                is_cancelled=self.is_cancelled,
                bench=bench,
                resumption=resumption,
                site=self.site,
                take_turn=take_turn,
            )

    def _entrant(self, trial: Trial) -> Entrant:
        """The agent of a trial; of an imported one with the record that it is to repeat."""
        entrant, record = self.entrants[trial.run_agent_id], self.records.get(trial.pk)
        return entrant if record is None else replace(entrant, config={"outputs": [record]})


def broken(error: str) -> Outcome:
    """The outcome of a trial that ended in an infrastructure error."""
    return Outcome(Verdict.ERROR, stop_reason=STUDIO.stop_reason, fault=STUDIO.fault, error=error)


def site_of(run: Run) -> Site:
    """Where the trials of a run take place: its number, and what an administrator lets workspaces be made from."""
    return Site(f"run-{run.pk}", tuple(settings.WORKSPACE_SOURCES))
