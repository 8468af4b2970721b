"""How many trials of a run are in which state: counts that the database keeps with every change of a trial.

Each row counts the trials of one agent entered that have the same status and reasons. What is counted is the sum over
`slot`: on PostgreSQL every transaction adds rows of its own, so that workers do not wait for each other, and `settle`
adds them up. `runs.models.trial_counting` says how the database does it.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields
from typing import Any

from django.db import models

from packs.access import InRunQuerySet
from runs.models.runs import Run, RunAgent


class TrialCount(models.Model):
    """Some trials of one agent entered. `changes` only grows: any change of a trial of the run makes its sum another.

    A slot may hold less than nothing. `scored`, `priced` and `timed` count the trials that have a score, a cost and a
    time; `score`, `cost_usd` (US dollars) and `seconds` are the sums of these. The database drops the rows of an agent
    that is deleted.
    """

    run = models.ForeignKey(Run, models.DO_NOTHING, db_constraint=False, related_name="+")
    run_agent = models.ForeignKey(RunAgent, models.DO_NOTHING, db_constraint=False, db_index=False, related_name="+")
    status = models.CharField(max_length=20)
    stop_reason = models.CharField(max_length=40)
    finish_reason = models.CharField(max_length=20)
    fault = models.CharField(max_length=20)
    slot = models.BigIntegerField(default=0)
    trials = models.BigIntegerField(default=0)
    scored = models.BigIntegerField(default=0)
    score = models.FloatField(default=0.0)
    priced = models.BigIntegerField(default=0)
    cost_usd = models.FloatField(default=0.0)
    timed = models.BigIntegerField(default=0)
    seconds = models.FloatField(default=0.0)
    changes = models.BigIntegerField(default=0)

    objects = InRunQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["run_agent", "status", "stop_reason", "finish_reason", "fault", "slot"],
                name="one_count_per_state",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.trials} {self.status} of {self.run_agent_id}"


@dataclass(slots=True)
class StateCount:
    """What some trials add up to: their number, and sums over those of them that have a value."""

    trials: int = 0
    scored: int = 0
    score: float = 0.0
    priced: int = 0
    cost_usd: float = 0.0
    timed: int = 0
    seconds: float = 0.0

    def add(self, other: "StateCount") -> None:
        for name in SUMS:
            setattr(self, name, getattr(self, name) + getattr(other, name))

    @property
    def mean_score(self) -> float | None:
        return self.score / self.scored if self.scored else None

    @property
    def mean_cost(self) -> float | None:
        return self.cost_usd / self.priced if self.priced else None

    @property
    def mean_seconds(self) -> float | None:
        return self.seconds / self.timed if self.timed else None


SUMS = tuple(field.name for field in fields(StateCount))


@dataclass(frozen=True, slots=True)
class Counted:
    """The trials of one agent that are in one state."""

    run_agent: int
    status: str
    stop_reason: str
    finish_reason: str
    fault: str
    state_count: StateCount


STATE = ("run_agent", "status", "stop_reason", "finish_reason", "fault")


@dataclass(frozen=True, slots=True)
class TrialCounts:
    """The trials of runs by agent and state. `stamp` changes whenever any of these trials does."""

    rows: tuple[Counted, ...]
    stamp: int

    def __iter__(self) -> Iterator[Counted]:
        return iter(self.rows)

    def by(self, *names: str) -> dict[Any, StateCount]:
        """Added up by one column of `STATE`, or by several."""
        found: dict[Any, StateCount] = {}
        for row in self.rows:
            key = tuple(getattr(row, name) for name in names)
            found.setdefault(key if len(names) > 1 else key[0], StateCount()).add(row.state_count)
        return found

    def counts(self, name: str = "status") -> Counter[str]:
        """How many trials there are by one column."""
        return Counter({key: state_count.trials for key, state_count in self.by(name).items()})

    @property
    def by_agent(self) -> dict[int, Counter[str]]:
        """How many trials of each agent entered there are by status."""
        found: dict[int, Counter[str]] = {}
        for (agent, status), state_count in self.by("run_agent", "status").items():
            found.setdefault(agent, Counter())[status] = state_count.trials
        return found


def trial_counts_of(*runs: int) -> TrialCounts:
    """The counts of runs, by their ids, as they are now. One query, at a cost that does not grow with the runs."""
    sums = {f"sum_{name}": models.Sum(name) for name in (*SUMS, "changes")}
    rows = TrialCount.objects.filter(run__in=runs).order_by().values_list(*STATE).annotate(**sums)
    listed = sorted(rows, key=lambda row: row[: len(STATE)])
    return TrialCounts(tuple(_counted(listed)), sum(row[-1] for row in listed))


def stamps_of(*runs: int) -> dict[int, int]:
    """The stamp of the counts of each run, by its id, in one query."""
    rows = TrialCount.objects.filter(run__in=runs).order_by().values_list("run").annotate(models.Sum("changes"))
    return dict.fromkeys(runs, 0) | dict(rows)


def agent_stamps_of(run: int) -> dict[int, int]:
    """The stamp of the counts of each agent entered in a run that has trials, by its id, in one query."""
    rows = TrialCount.objects.filter(run=run).order_by().values_list("run_agent").annotate(models.Sum("changes"))
    return dict(rows)


def _counted(rows: Iterable[tuple[Any, ...]]) -> Iterator[Counted]:
    for row in rows:
        if row[len(STATE)]:
            agent, status, stop_reason, finish_reason, fault, *sums, _ = row
            yield Counted(agent, status, stop_reason, finish_reason, fault, StateCount(*sums))
