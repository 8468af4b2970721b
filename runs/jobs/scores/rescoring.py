"""Scores the stored trials of a run again, beside what was said of them first."""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from dataclasses import replace
from datetime import timedelta
from typing import Any

from django.db import connection
from django.db.models import Avg, Count, Q
from django.utils import timezone

from packs.formats.findings import from_pointer
from packs.formats.task import Task
from packs.messages import reporting_mistakes, send_job
from packs.mirror import read_frozen_set
from packs.models import VersionCase
from runs.engine.outcome import Outcome
from runs.engine.rescoring import score_again
from runs.grading.judges.probes import padded_events, swapped
from runs.jobs.queue.messages import EXECUTE_RESCORE
from runs.jobs.scores.inquiries import LOOK_SECONDS, Desk, Events, Round, used_for
from runs.jobs.trials.frozen import Frozen, frozen_version, without_case
from runs.jobs.trials.loading import with_limits
from runs.jobs.trials.saving import grade_values
from runs.models import OPEN_RESCORES, Event, Probe, Rescore, RescoreResult, RescoreStatus, Trial, TrialStatus
from runs.statistics.summaries import Judging

# So many cases and numbers are read at once.
CHUNK = 100
NO_CASE = "The version that scores has no such case."
NOTHING_LEFT = "The trial left nothing that could be scored again."
# After so many seconds without any progress, the job of a rescore counts as lost.
LOST_SECONDS = 15

Tasks = dict[int | None, Task]


def with_evaluation(frozen: Frozen, evaluation: Any) -> Frozen:
    """The version with another evaluation in place of its own."""
    steps = from_pointer(frozen.adapter.EVALUATION_POINTER)
    return replace(frozen, pack=replace(frozen.pack, document=replaced(frozen.pack.document, steps, evaluation)))


def replaced(document: dict[str, Any], steps: Sequence[str], value: Any) -> dict[str, Any]:
    """A document with another value at the end of a path of member names."""
    name, *rest = steps
    return {**document, name: replaced(document.get(name) or {}, rest, value) if rest else value}


def rescore(row: Rescore) -> None:
    """Score all trials of the run that have no result yet; safe to repeat. What another job has at work is let be."""
    desk = Desk.take(row)
    if desk is None:
        return
    try:
        score_waiting(desk)
    finally:
        desk.give_back()


def score_waiting(desk: Desk) -> None:
    """Score case by case, and end the rescore when none is left; what was scored when it is stopped is kept."""
    row = desk.row
    frozen = frozen_version(row.version_id)
    if row.evaluation is not None:
        frozen = with_evaluation(frozen, row.evaluation)
    while chunk := next_places(row):
        tasks = tasks_again(row, frozen, [trial for trials in chunk for trial in trials])
        for results in results_of(desk, tasks, chunk):
            RescoreResult.objects.bulk_create(results, ignore_conflicts=True)
        desk.look()
        if desk.over:
            return
    mine = Rescore.objects.filter(pk=row.pk, lease=desk.mark, status=RescoreStatus.RUNNING)
    mine.update(status=RescoreStatus.COMPLETED, summary=summarise(row), finished_at=timezone.now())


def next_places(row: Rescore) -> list[list[Trial]]:
    """The next trials without a result, those of one case and number together."""
    waiting = Trial.objects.filter(run=row.run_id).exclude(pk__in=row.results.values("trial"))
    places = list(waiting.order_by("case_position", "number").values_list("case_position", "number").distinct()[:CHUNK])
    found: dict[Any, list[Trial]] = {place: [] for place in places}
    for trial in waiting.filter(case_position__in={position for position, _ in places}).order_by("pk"):
        if (trial.case_position, trial.number) in found:
            found[trial.case_position, trial.number].append(trial)
    return list(found.values())


def rescore_or_fail(row: Rescore) -> None:
    """Score again. A re-score that fails by a mistake of ours says so; a database that is away comes through."""

    def fail(message: str) -> None:
        rows = Rescore.objects.filter(pk=row.pk, status__in=OPEN_RESCORES)
        rows.update(status=RescoreStatus.FAILED, error=message, finished_at=timezone.now())

    with reporting_mistakes("rescore-broke", fail, rescore=row.pk):
        rescore(row)


def send_lost_rescores() -> None:
    """Send the jobs of rescores again on which nobody works."""
    now = timezone.now()
    lost = Rescore.objects.filter(status__in=OPEN_RESCORES, touched_at__lt=now - timedelta(seconds=LOST_SECONDS))
    for pk in lost.values_list("pk", flat=True):
        # Not where it has ended meanwhile.
        if lost.filter(pk=pk).update(status=RescoreStatus.QUEUED, touched_at=now):
            send_job(EXECUTE_RESCORE, pk)


def tasks_again(row: Rescore, frozen: Frozen, trials: Sequence[Trial]) -> Tasks:
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
    tasks: Tasks = {}
    for cases in found.values():
        input_set = next(iter(cases.values())).input_set
        compiled = frozen.compile(read_frozen_set(frozen.adapter, input_set, cases.values()))
        shown = map(swapped, compiled) if row.probe == Probe.SWAPPED else compiled
        tasks |= {case: with_limits(task, run) for case, task in zip(cases, shown, strict=True)}
    return tasks


def results_of(desk: Desk, tasks: Tasks, chunk: Sequence[list[Trial]]) -> Iterator[list[RescoreResult]]:
    """The second results of trials, place by place, as they come; those that are stopped in the middle give none."""
    events: dict[int, list[dict[str, Any]]] = {trial.pk: [] for trials in chunk for trial in trials}
    for event in Event.objects.filter(trial__in=events).order_by("trial", "sequence"):
        events[event.trial_id].append(event.as_event())
    if desk.row.probe == Probe.PADDED:
        events = {trial: padded_events(listed) for trial, listed in events.items()}
    if desk.threads == 1:
        for trials in chunk:
            if desk.row.asks:
                desk.look()
            if results := place_results(desk, tasks, trials, events):
                yield results
        return
    with ThreadPoolExecutor(desk.threads, "rescore") as pool:
        work = {pool.submit(in_thread, place_results, desk, tasks, trials, events) for trials in chunk}
        try:
            while work:
                done, work = wait(work, timeout=LOOK_SECONDS, return_when=FIRST_COMPLETED)
                yield from (results for future in done if (results := future.result()))
                desk.is_over()
        finally:
            # Where this broke, or is not wanted any more, nobody waits for the others.
            desk.over = desk.over or bool(work)


def in_thread(work: Callable[..., Any], *arguments: Any) -> Any:
    """Do work in a thread that has a connection to the database of its own."""
    try:
        return work(*arguments)
    finally:
        connection.close()


def place_results(desk: Desk, tasks: Tasks, trials: Sequence[Trial], events: Events) -> list[RescoreResult] | None:
    """The second results of the trials of one case and number; None where that was stopped."""
    if desk.is_over():
        return None
    task = tasks.get(trials[0].case_id)
    inquired = desk.inquire(task, [trial for trial in trials if can_be_judged(trial)], events)
    results = [result_of(desk, task, trial, events[trial.pk], inquired) for trial in trials]
    results[0].ranking = dict(inquired.minutes)
    return None if desk.is_over() else results


def can_be_judged(trial: Trial) -> bool:
    """Whether a trial was judged, or left undecided. What ended by trouble has no scorecard, and stays what it is."""
    return trial.status != TrialStatus.CANCELLED and bool(trial.scorecard)


def result_of(
    desk: Desk, task: Task | None, trial: Trial, events: Sequence[dict[str, Any]], inquired: Round
) -> RescoreResult:
    reported: list[dict[str, Any]] = []
    result = RescoreResult(rescore=desk.row, trial=trial, old_status=trial.status, old_score=trial.score)
    result.event_count = len(events)
    if task is None or not can_be_judged(trial):
        return unjudged(result, trial, NO_CASE if task is None else "")
    outcome = score_again(task, events, inquired.of(trial), emit=reported.append, redactor=desk.redactor)
    if outcome is None:
        return unjudged(result, trial)
    fill(result, outcome)
    result.usage = used_for(reported, inquired.ranked(trial).values()).as_dict()
    result.events = reported if desk.row.asks or desk.row.is_by_the_run else []
    result.has_changed = (result.status, rounded(result.score)) != (trial.status, rounded(trial.score))
    return result


def unjudged(result: RescoreResult, trial: Trial, reason: str = "") -> RescoreResult:
    """The result of a trial that stays what it was."""
    result.status, result.score, result.fault = trial.status, trial.score, trial.fault
    result.error = reason or trial.error or NOTHING_LEFT
    return result


def fill(result: RescoreResult, outcome: Outcome) -> None:
    result.status, result.score = outcome.verdict.value, outcome.score
    result.fault, result.error, result.scorecard = outcome.fault.value, outcome.error, outcome.scorecard
    result.grades = [list(row) for row in grade_values(outcome.grades)]


def rounded(score: float | None) -> float | None:
    """A score without what only the order of additions makes of it."""
    return None if score is None else round(score, 9)


def summarise(row: Rescore) -> dict[str, Any]:
    """Counts by verdict and mean scores of each agent, old and new, and how many trials changed how."""
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
    means = {"old_mean": Avg("old_score"), "new_mean": Avg("score")}
    flips = changed.values("old_status", "status").annotate(trials=Count("pk"), **means)
    moves = [
        {
            "from": flip["old_status"],
            "to": flip["status"],
            "trials": flip["trials"],
            "old_score": flip["old_mean"],
            "new_score": flip["new_mean"],
        }
        for flip in flips.order_by("old_status", "status")
    ]
    found = {"trials": results.count(), "changed": changed.count(), "moves": moves, "agents": agents}
    return {**found, "judging": judging_of(results)} if row.asks else found


def judging_of(results: Any) -> dict[str, Any]:
    """What judges used up for all of these results."""
    judging = Judging()
    for usage in results.exclude(usage={}).values_list("usage", flat=True).iterator():
        judging.add(usage)
    return judging.as_dict()


def counts(results: Any, column: str) -> dict[str, int]:
    return dict(results.values_list(column).annotate(total=Count("pk")))
