"""What a launch plans: which cases are tried, and how often each."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from itertools import islice

from django.db.models import OuterRef, QuerySet, Subquery, Sum
from django.db.models.functions import Coalesce

from packs.formats import adapter_of
from packs.formats.task import Schedule, Task, Trials
from packs.mirror import read_version
from packs.models import PackVersion, VersionCase, VersionInputSet
from runs.agents import AGENTS
from runs.jobs.trials.frozen import frozen_version, without_case
from runs.models import Agent, Run, TrialPlan

# What names all input sets of a version at once.
BATCH = 500
# Of so many cases the first ones tell what a version asks for.
MANY = 200


@dataclass(frozen=True, slots=True)
class Plan:
    """One case of a run; `count` is how often it is tried in fact, all else what its pack says.

    A run without cases has one plan without a case.
    """

    case: VersionCase | None
    trials: Trials
    count: int
    schedule: Schedule = field(default_factory=Schedule)
    threshold: float | None = None

    @property
    def is_stated(self) -> bool:
        """Whether the pack says more than that the first trial decides."""
        return self.case is not None and (self.trials.count, self.trials.rule) != (1, "first")


def launched_cases(version: PackVersion, input_set: VersionInputSet | None) -> QuerySet[VersionCase]:
    """The cases of an input set in order; of all of them, set by set, where none is given."""
    rows: QuerySet[VersionCase] = VersionCase.objects.filter(version=version).order_by(
        "input_set__position", "position"
    )
    return rows if input_set is None else rows.filter(input_set=input_set)


def sample_tasks(version: PackVersion, input_set: VersionInputSet | None) -> Iterator[Task]:
    """The tasks of the launched cases, compiled one by one; the first one tells how all are driven."""
    adapter, has_cases = adapter_of(version.pack.format), False
    for row in launched_cases(version, input_set).iterator(chunk_size=1):
        has_cases = True
        yield from adapter.compile_tasks(read_version(version, [row], contents=False))
    if not has_cases and input_set is None:
        yield without_case(frozen_version(version.pk))


@dataclass(frozen=True, slots=True)
class Target:
    """An agent that a pack names; `agent` is that of the team with this name, None where there is none."""

    name: str
    agent: Agent | None


def targets_of(version: PackVersion, input_set: VersionInputSet | None = None) -> list[Target]:
    """The agents that the version's cases name, in order; of many cases the first ones are asked."""
    if not adapter_of(version.pack.format).HAS_TRIALS:
        return []
    names = list(dict.fromkeys(name for task in first_tasks(version, input_set) for name in task.schedule.targets))
    rows = Agent.objects.filter(team=version.pack.team_id, is_active=True, kind__in=AGENTS, name__in=names)
    known = {row.name: row for row in rows.defer("config")}
    return [Target(name, known.get(name)) for name in names]


def first_tasks(version: PackVersion, input_set: VersionInputSet | None = None) -> Iterator[Task]:
    """The tasks that tell what a version asks for: the first one where cases share all but their content, else many."""
    adapter = adapter_of(version.pack.format)
    rows = list(launched_cases(version, input_set)[:MANY])
    if not rows or not adapter.HAS_TRIALS:
        yield from islice(sample_tasks(version, input_set), 1)
        return
    yield from adapter.compile_tasks(read_version(version, rows, contents=False))


def plan_cases(version: PackVersion, input_set: VersionInputSet | None, trials: int | None = None) -> Iterator[Plan]:
    """What is tried how often, in the order of the cases; `trials` replaces what the pack says of the number."""
    if input_set is None and not version.input_sets.exists():
        yield Plan(None, Trials(), trials or 1)
        return
    rows = launched_cases(version, input_set)
    if not adapter_of(version.pack.format).HAS_TRIALS:
        slim = rows.only("key", "challenge_key", "position", "input_set_id")
        yield from (Plan(row, Trials(), trials or 1) for row in slim.iterator(chunk_size=BATCH))
        return
    for row, task in _compiled(version, list(rows)):
        yield Plan(row, task.trials, trials or task.trials.count, task.schedule, task.scoring.pass_threshold)


def tasks_of_cases(version: PackVersion, cases: Collection[int]) -> dict[int, Task]:
    """The tasks of cases of a version, by the ids of the cases."""
    rows = list(launched_cases(version, None).filter(pk__in=cases))
    return {row.pk: task for row, task in _compiled(version, rows)}


def _compiled(version: PackVersion, rows: list[VersionCase]) -> Iterator[tuple[VersionCase, Task]]:
    """Each case with its task; cases of one input set stand together."""
    tasks = adapter_of(version.pack.format).compile_tasks(read_version(version, rows, contents=False))
    yield from zip(rows, tasks, strict=True)


def asked_trials(run: Run) -> int | None:
    """How many trials of each case a run was asked for; None where each case is tried as its pack says."""
    if not run.plans.exists():
        return run.trials_per_case
    stated = TrialPlan.objects.filter(run=run, case=OuterRef("case")).values("count")
    # Cases of which the pack says nothing are tried once; agents need not try all cases.
    firsts = run.trials.filter(number=1).annotate(stated=Coalesce(Subquery(stated[:1]), 1))
    as_stated = firsts.aggregate(total=Sum("stated"))["total"]
    return None if run.trial_count == as_stated else run.trials_per_case
