"""From the rows of a batch to tasks that the engine can run."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Any

from packs.formats import adapter_of
from packs.formats.adapter import Adapter
from packs.formats.document import Case, InputSet, Pack
from packs.formats.task import Task, WorkspaceFile
from packs.mirror import read_frozen_set, read_version
from packs.models import PackVersion, VersionCase, VersionInputSet
from runs.engine.entrant import Entrant
from runs.grading.graders.commands import with_tester_policy
from runs.jobs.trials.means import Means
from runs.models import Run, RunAgent, Trial, TrialRecord

CACHED_VERSIONS = 8
CACHED_SETS = 32
# Where a run's metadata says what checkers may run.
TESTER = "tester_policy"


@dataclass(frozen=True)
class Frozen:
    """A version without its cases. Versions never change, so a process keeps the last few."""

    adapter: Adapter
    pack: Pack

    @cached_property
    def assets(self) -> dict[str, bytes | None]:
        """The bytes of the pack's assets by their keys; of several with one key the first."""
        return {asset.key: asset.content for asset in reversed(self.pack.assets)}

    @cached_property
    def files(self) -> dict[str, bytes | None]:
        """The bytes of the pack's other files by their paths."""
        return {found.path: found.content for found in reversed(self.pack.files)}

    def read_asset(self, file: WorkspaceFile) -> bytes | None:
        """The bytes of an asset or file of the pack that a task puts into its workspace."""
        return self.assets.get(file.asset_key) if file.asset_key else self.files.get(file.path)

    def compile(self, input_set: InputSet) -> list[Task]:
        """One task a case, in their order."""
        return list(self.adapter.compile_tasks(replace(self.pack, input_sets=(input_set,))))


@lru_cache(maxsize=CACHED_VERSIONS)
def frozen_version(version_id: int) -> Frozen:
    """A version by its id. Raises PackVersion.DoesNotExist."""
    version = PackVersion.objects.select_related("pack").get(pk=version_id)
    return Frozen(adapter_of(version.pack.format), read_version(version, []))


@lru_cache(maxsize=CACHED_SETS)
def frozen_set(input_set_id: int) -> VersionInputSet:
    return VersionInputSet.objects.get(pk=input_set_id)


def tasks_of(run: Run, trials: Iterable[Trial]) -> dict[int | None, Task]:
    """The task of each case of these trials, by the case's id; None stands for a run without cases."""
    frozen = frozen_version(run.version_id)
    keys = {trial.case_id for trial in trials if trial.case_id is not None}
    if not keys:
        return {None: with_limits(without_case(frozen), run)}
    rows: dict[int, list[VersionCase]] = {}
    for row in VersionCase.objects.filter(pk__in=keys):
        rows.setdefault(row.input_set_id, []).append(row)
    found = [pair for set_id, cases in rows.items() for pair in _compiled(frozen, frozen_set(set_id), cases)]
    return {pk: with_limits(task, run) for pk, task in found}


def _compiled(frozen: Frozen, row: VersionInputSet, cases: list[VersionCase]) -> list[tuple[int, Task]]:
    """The tasks of cases of one input set, by the ids of the cases."""
    tasks = frozen.compile(read_frozen_set(frozen.adapter, row, cases))
    return [(case.pk, task) for case, task in zip(cases, tasks, strict=True)]


def without_case(frozen: Frozen) -> Task:
    """The task of a version that has no input sets: its first challenge, without any evidence of a case."""
    challenge = frozen.pack.challenges[0].key if frozen.pack.challenges else ""
    [task] = frozen.compile(InputSet("", {}, (Case("", challenge, {"challenge_key": challenge}),)))
    return replace(task, case_key="", input_set_key="")


def with_limits(task: Task, run: Run) -> Task:
    """The task with the limits that were chosen for the run, and with what its checkers may run there."""
    task = with_tester_policy(task, run.metadata.get(TESTER) or {})
    if run.max_iterations is None:
        return task
    return replace(task, budgets=replace(task.budgets, steps=run.max_iterations))


def records_of(trials: Iterable[Trial]) -> dict[int, dict[str, Any]]:
    """What imported trials were made of, by the id of the trial, as a row for the agent that repeats records."""
    rows = TrialRecord.objects.filter(trial__in=[trial.pk for trial in trials]).select_related("trial")
    return {row.trial_id: {"case_key": row.trial.case_key, "trial": row.record} for row in rows}


def entrants_of(run: Run, trials: Sequence[Trial]) -> dict[int, Entrant]:
    """The agents of these trials by the id of their run agent, with all that they may use."""
    means = Means.of(run.team)
    entered = RunAgent.objects.filter(run=run, pk__in={trial.run_agent_id for trial in trials})
    rows = entered.select_related("connection")
    return {row.pk: means.entrant(row.kind, row.config, row.connection, row.name) for row in rows}
