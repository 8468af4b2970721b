"""Scores the stored trials of a run again, beside what was said of them first."""

import logging
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Any

from django.db import InterfaceError, OperationalError
from django.db.models import Avg, Count, Q
from django.utils import timezone

from packs.formats.findings import from_pointer
from packs.formats.task import Task
from packs.mirror import read_frozen_set
from packs.models import VersionCase
from runs.engine import Outcome
from runs.engine.rescoring import score_again
from runs.jobs.loading import Frozen, frozen_version, with_limits, without_case
from runs.jobs.messages import EXECUTE_RESCORE, send_job
from runs.models import Event, Rescore, RescoreResult, RescoreStatus, Trial, TrialStatus

log = logging.getLogger(__name__)

CHUNK = 100
NO_CASE = "The version that scores has no such case."
NOTHING_LEFT = "The trial left nothing that could be scored again."
OPEN_RESCORE = (RescoreStatus.QUEUED, RescoreStatus.RUNNING)
# After so many seconds without any progress, the job of a rescore counts as lost.
LOST_SECONDS = 15


def with_evaluation(frozen: Frozen, evaluation: Any) -> Frozen:
    """The version with another evaluation in place of its own."""
    steps = from_pointer(frozen.adapter.EVALUATION_POINTER)
    return replace(frozen, pack=replace(frozen.pack, document=replaced(frozen.pack.document, steps, evaluation)))


def replaced(document: dict[str, Any], steps: Sequence[str], value: Any) -> dict[str, Any]:
    """A document with another value at the end of a path of member names."""
    name, *rest = steps
    return {**document, name: replaced(document.get(name) or {}, rest, value) if rest else value}


def rescore(row: Rescore) -> None:
    """Score all trials of the run that have no result yet; safe to repeat, and to do twice at once."""
    Rescore.objects.filter(pk=row.pk, status=RescoreStatus.QUEUED).update(status=RescoreStatus.RUNNING)
    frozen = frozen_version(row.version_id)
    if row.evaluation is not None:
        frozen = with_evaluation(frozen, row.evaluation)
    waiting = Trial.objects.filter(run=row.run_id).exclude(pk__in=row.results.values("trial")).order_by("pk")
    while trials := list(waiting[:CHUNK]):
        tasks = tasks_again(row, frozen, trials)
        RescoreResult.objects.bulk_create(results_of(row, tasks, trials), ignore_conflicts=True)
        Rescore.objects.filter(pk=row.pk).update(touched_at=timezone.now())
    Rescore.objects.filter(pk=row.pk, status__in=OPEN_RESCORE).update(
        status=RescoreStatus.COMPLETED, summary=summarise(row), finished_at=timezone.now()
    )


def rescore_or_fail(row: Rescore) -> None:
    """Score again. A rescore that our own mistake spoils says so; a database that is away comes through."""
    try:
        rescore(row)
    except (OperationalError, InterfaceError):
        raise
    except Exception as error:
        log.exception("rescore-broke", extra={"rescore": row.pk})
        message = f"The studio made a mistake: {type(error).__name__}: {error}"
        rows = Rescore.objects.filter(pk=row.pk, status__in=OPEN_RESCORE)
        rows.update(status=RescoreStatus.FAILED, error=message, finished_at=timezone.now())


def send_lost_rescores() -> None:
    """Send the jobs of rescores again on which nobody works."""
    now = timezone.now()
    lost = Rescore.objects.filter(status__in=OPEN_RESCORE, touched_at__lt=now - timedelta(seconds=LOST_SECONDS))
    for pk in lost.values_list("pk", flat=True):
        Rescore.objects.filter(pk=pk).update(touched_at=now)
        send_job(EXECUTE_RESCORE, pk)


def tasks_again(row: Rescore, frozen: Frozen, trials: Sequence[Trial]) -> dict[int | None, Task]:
    """The tasks of the version that scores, by the id of the case that each trial tried."""
    run = row.run
    mine = [trial.case_id for trial in trials if trial.case_id is not None]
    if not mine:
        return {None: without_case(frozen)}
    tried = VersionCase.objects.filter(pk__in=mine).select_related("input_set")
    wanted = {(case.input_set.key, case.challenge_key, case.key): case.pk for case in tried}
    keys = {name: {place[index] for place in wanted} for index, name in ((0, "input_set__key__in"), (2, "key__in"))}
    found: dict[int, dict[int, VersionCase]] = {}
    for case in row.version.cases.filter(**keys).select_related("input_set"):
        place = (case.input_set.key, case.challenge_key, case.key)
        if place in wanted:
            found.setdefault(case.input_set_id, {})[wanted[place]] = case
    tasks: dict[int | None, Task] = {}
    for cases in found.values():
        input_set = next(iter(cases.values())).input_set
        compiled = frozen.compile(read_frozen_set(frozen.adapter, input_set, cases.values()))
        tasks |= {case: with_limits(task, run) for case, task in zip(cases, compiled, strict=True)}
    return tasks


def results_of(row: Rescore, tasks: dict[int | None, Task], trials: Sequence[Trial]) -> list[RescoreResult]:
    """The second results of trials."""
    events: dict[int, list[dict[str, Any]]] = {trial.pk: [] for trial in trials}
    for event in Event.objects.filter(trial__in=events).order_by("trial", "sequence"):
        events[event.trial_id].append(event.as_event())
    return [result_of(row, tasks.get(trial.case_id), trial, events[trial.pk]) for trial in trials]


def can_be_judged(trial: Trial) -> bool:
    """Whether a trial was judged, or left undecided. What ended by trouble has no scorecard, and stays what it is."""
    return trial.status != TrialStatus.CANCELLED and bool(trial.scorecard)


def result_of(row: Rescore, task: Task | None, trial: Trial, events: list[dict[str, Any]]) -> RescoreResult:
    outcome = score_again(task, events) if task is not None and can_be_judged(trial) else None
    result = RescoreResult(rescore=row, trial=trial, old_status=trial.status, old_score=trial.score)
    if outcome is None:
        result.status, result.score, result.fault = trial.status, trial.score, trial.fault
        result.error = NO_CASE if task is None else trial.error or NOTHING_LEFT
        return result
    fill(result, outcome)
    result.has_changed = (result.status, rounded(result.score)) != (trial.status, rounded(trial.score))
    return result


def fill(result: RescoreResult, outcome: Outcome) -> None:
    result.status, result.score = outcome.verdict.value, outcome.score
    result.fault, result.error, result.scorecard = outcome.fault.value, outcome.error, outcome.scorecard


def rounded(score: float | None) -> float | None:
    """A score without what only the order of additions makes of it."""
    return None if score is None else round(score, 9)


def summarise(row: Rescore) -> dict[str, Any]:
    """Old and new figures of each agent: counts by verdict, mean scores, and how many trials changed how."""
    results = RescoreResult.objects.filter(rescore=row).order_by()
    agents = []
    for agent in row.run.agents.order_by("position"):
        mine = results.filter(trial__run_agent=agent)
        means = mine.aggregate(old=Avg("old_score"), new=Avg("score"), changed=Count("pk", filter=Q(has_changed=True)))
        agents.append(
            {
                "run_agent": agent.pk,
                "name": agent.name,
                "old": {"score": means["old"], "counts": counts(mine, "old_status")},
                "new": {"score": means["new"], "counts": counts(mine, "status")},
                "changed": means["changed"],
            }
        )
    changed = results.filter(has_changed=True)
    flips = Counter(changed.values_list("old_status", "status"))
    moves = [{"from": old, "to": new, "trials": total} for (old, new), total in sorted(flips.items())]
    return {"trials": results.count(), "changed": changed.count(), "moves": moves, "agents": agents}


def counts(results: Any, column: str) -> dict[str, int]:
    return dict(results.values_list(column).annotate(total=Count("pk")))
