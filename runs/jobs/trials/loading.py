"""From the rows of a batch to tasks that the engine can run."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from packs.formats.task import Task
from packs.mirror import read_frozen_set
from packs.models import VersionCase, VersionInputSet
from runs.engine.entrant import Entrant
from runs.grading.graders.commands import with_tester_policy
from runs.jobs.trials.frozen import Frozen, frozen_set, frozen_version, without_case
from runs.jobs.trials.means import Means
from runs.models import Run, RunAgent, Trial, TrialRecord
from runs.models.runs import TESTER


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
