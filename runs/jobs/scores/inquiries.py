"""Asking judges again about stored answers: a rescore at work, who is asked, and what that uses up."""

import threading
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from django.conf import settings
from django.utils import timezone

from packs.formats.task import JudgeSpec, Task
from runs.agents.endpoints.contract import Endpoint
from runs.agents.endpoints.remembering import Memory
from runs.engine.events import VERIFICATION_SOURCE, Event
from runs.engine.rescoring import Inquiry, recorded_judges
from runs.grading.graders.evidence import SCORING_SOURCE
from runs.grading.judges import RANKING, Bench, still_ranked
from runs.grading.judges.rankings import UNRANKABLE
from runs.grading.judges.verdicts import MISSING_CONTEXT
from runs.grading.scoring import JudgeResult
from runs.jobs.queue.leases import new_mark
from runs.jobs.scores.ranking import Minutes, Results, ranked
from runs.jobs.trials.execution import is_stopping
from runs.jobs.trials.judges import MOST_AT_ONCE
from runs.jobs.trials.means import Means
from runs.models import Asks, Rescore, RescoreStatus, Trial
from runs.models.answering import endpoints_for
from runs.models.clerk import close_connection
from runs.models.replies import TeamReplies
from runs.models.runs import ResponseCache
from runs.replay.redaction import Redactor
from runs.statistics.summaries import Judging

LOOK_SECONDS = 1.0
# Why a ranking judge has no score that asking it again would not change.
SETTLED = (UNRANKABLE, MISSING_CONTEXT)

Events = Mapping[int, Sequence[Event]]


@dataclass(slots=True)
class Desk:
    """A rescore that this job has at work. Any thread may ask whether that is over; the job's own one keeps it.

    `endpoints` are what was chosen for the rescore, else those of the run.
    """

    row: Rescore
    mark: str
    endpoints: Callable[[str], Endpoint | None]
    redactor: Redactor
    over: bool = False
    owner: int = field(default_factory=threading.get_ident)
    looked_at: float = field(default_factory=time.monotonic)

    @classmethod
    def take(cls, row: Rescore) -> "Desk | None":
        """Take a rescore that waits to work; None where another job has it, or it has ended."""
        mark = new_mark()
        waiting = Rescore.objects.filter(pk=row.pk, status=RescoreStatus.QUEUED)
        if not waiting.update(status=RescoreStatus.RUNNING, lease=mark, touched_at=timezone.now()):
            return None
        team, chosen = row.run.team, {**row.run.connections, **row.connections}
        return cls(row, mark, endpoints_for(team, chosen), Means.of(team).redactor)

    @property
    def threads(self) -> int:
        """How many trials are scored at once: several where judges are waited for."""
        return min(settings.TRIAL_THREADS, settings.BUSY_THREADS) if self.row.asks else 1

    def is_over(self) -> bool:
        """Whether to stop: somebody cancelled it, another job took it, or this worker is about to end."""
        if threading.get_ident() == self.owner and time.monotonic() - self.looked_at >= LOOK_SECONDS:
            self.look()
        return self.over

    def look(self) -> None:
        """Say that the rescore is at work, and learn whether that is still wanted."""
        self.looked_at = time.monotonic()
        mine = Rescore.objects.filter(pk=self.row.pk, lease=self.mark, status=RescoreStatus.RUNNING)
        self.over = self.over or not mine.update(touched_at=timezone.now()) or is_stopping()

    def give_back(self) -> None:
        """Let another job go on with it, unless it has ended."""
        mine = Rescore.objects.filter(pk=self.row.pk, lease=self.mark, status=RescoreStatus.RUNNING)
        mine.update(status=RescoreStatus.QUEUED)

    def replies(self) -> TeamReplies | None:
        """The replies that a probe may take in place of calls, as its run may; others ask anew."""
        run = self.row.run
        return None if not self.row.probe or run.response_cache == ResponseCache.OFF else TeamReplies.of(run)

    def bench(self) -> Bench:
        """How judges are asked."""
        threads = min(MOST_AT_ONCE, settings.TRIAL_THREADS)
        return Bench(self.endpoints, self.is_over, threads, leave_thread=close_connection)

    def inquire(self, task: Task | None, trials: Sequence[Trial], events: Events) -> "Round":
        """Ask the ranking judges of one case and number, where any has to be asked."""
        if task is None or not self.row.asks:
            return Round()
        bench, minutes = self.bench(), Minutes()
        judges = [judge for judge in task.judges if judge.mode == RANKING]
        open_judges = [judge for judge in judges if self._is_asked(judge, task, trials, events)]
        results = ranked(task, open_judges, trials, events, bench, minutes.note) if trials else {}
        minuted = self.redactor.value(minutes.as_dict())
        return Round(bench, self.row.asks == Asks.ALL, results, minuted, self.replies())

    def _is_asked(self, judge: JudgeSpec, task: Task, trials: Sequence[Trial], events: Events) -> bool:
        found = [still_ranked(task, recorded_judges(events[trial.pk])).get(judge.key) for trial in trials]
        return self.row.asks == Asks.ALL or any(lacks_score(result) for result in found)


def lacks_score(result: JudgeResult | None) -> bool:
    """Whether a ranking judge may have one to give: it has none, and that is not for want of something to rank."""
    return result is None or (result.score is None and result.payload.get("problem") not in SETTLED)


@dataclass(frozen=True, slots=True)
class Round:
    """What is known when the trials of one case and number are scored again; `bench` None stands for asking nobody."""

    bench: Bench | None = None
    asks_all: bool = False
    results: Results = field(default_factory=dict)
    minutes: Mapping[str, Any] = field(default_factory=dict)
    replies: TeamReplies | None = None

    def of(self, trial: Trial) -> Inquiry | None:
        """How the judges of one of the trials are asked."""
        if self.bench is None:
            return None
        bench = self.bench
        if self.replies is not None:
            bench = replace(bench, endpoints=Memory(self.replies, trial.number).before_each(bench.endpoints))
        return Inquiry(bench, self.asks_all, self.ranked(trial))

    def ranked(self, trial: Trial) -> dict[str, JudgeResult]:
        """What ranking judges say of one of the trials now."""
        return {key: found[str(trial.run_agent_id)] for key, found in self.results.items()}


def used_for(reported: Iterable[Event], rankings: Iterable[JudgeResult]) -> Judging:
    """What judges used up for one trial: the calls that were made now, and its part of rankings that were."""
    judging = Judging()
    for usage in map(usage_of, reported):
        if usage:
            judging.add(usage)
    for result in rankings:
        usage = result.payload.get("usage")
        if usage and usage.get("calls"):
            judging.add(usage)
    return judging


def usage_of(event: Event) -> dict[str, Any] | None:
    """What the call used up that an event tells of; None for any other event, and for a stored reply."""
    payload = event["payload"]
    kind = event["event_type"], event["source"]
    if kind == ("model.call.completed", SCORING_SOURCE):
        counted = payload.get("usage") or {}
    elif kind == ("grader.opinion.recorded", VERIFICATION_SOURCE) and payload.get("seconds") is not None:
        counted = payload
    else:
        return None
    if payload.get("is_stored"):
        return None
    tokens = sum(counted.get(name) or 0 for name in ("input_tokens", "output_tokens"))
    cost = 0.0 if payload.get("error") else payload.get("cost_usd")
    return {"calls": payload.get("calls", 1), "tokens": tokens, "cost_usd": cost}
