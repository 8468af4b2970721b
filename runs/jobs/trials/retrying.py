"""Trying trials again: what was there is kept as an earlier attempt, and the trial waits anew."""

from collections.abc import Sequence

from django.contrib.auth.models import User
from django.db import connection, transaction
from django.db.models import Max, QuerySet
from django.utils import timezone

from runs.jobs.queue.leases import forget_attempts
from runs.jobs.queue.messages import enqueue
from runs.jobs.queue.turns import forget_turns
from runs.jobs.trials.dependencies import hold_back
from runs.jobs.trials.progress import count_trials
from runs.jobs.trials.reviews import withdraw_requests
from runs.models import ENDED_RUNS, Attempt, Event, Grade, Replay, Run, RunStatus, Trial, TrialStatus
from runs.models.trials import KEPT
from runs.quotas import heed_trials

# What can be tried again: errors of the infrastructure and of the pack, what nobody could decide, failures of an agent,
# trials that were stopped.
RETRIES = {
    "errors": TrialStatus.ERROR,
    "undecided": TrialStatus.UNDECIDED,
    "failed": TrialStatus.FAILED,
    "cancelled": TrialStatus.CANCELLED,
}
CHUNK = 200
GRADE_FIELDS = ["position", "key", "kind", "state", "verdict", "outcome", "score", "reason", "detail"]


def retry(run: Run, which: str = "errors", user: User | None = None) -> int:
    """Let the trials of a run that ended in a way (a key of RETRIES) wait again; gives how many.

    Each keeps what it was as an `Attempt`. A run that has ended goes on; a paused one stays paused. Nothing happens to
    a run that is being stopped or scored. Raises QuotaReached.
    """
    with transaction.atomic():
        count = retry_trials(run, Trial.objects.filter(run=run, status=RETRIES[which]), user)
        if count:
            heed_trials(run.team, count)
    return count


def retry_trials(run: Run, rows: QuerySet[Trial], user: User | None) -> int:
    """Let these trials of a run wait again, as `retry` does; gives how many."""
    with transaction.atomic():
        if not hold(run):
            return 0
        keys = list(rows.order_by("pk").values_list("pk", flat=True))
        for start in range(0, len(keys), CHUNK):
            try_again(keys[start : start + CHUNK], user)
        if keys:
            reopen(run)
    return len(keys)


def hold(run: Run) -> bool:
    """Lock a run until the transaction ends. False when nothing may be added to it just now."""
    rows = Run.objects.filter(pk=run.pk)
    if connection.features.has_select_for_update:
        rows = rows.select_for_update()
    status, asked_at = rows.values_list("status", "cancel_requested_at").get()
    return status != RunStatus.SCORING and (status in ENDED_RUNS or asked_at is None)


def try_again(keys: Sequence[int], user: User | None) -> None:
    """Keep what trials are as attempts, and put them back into the queue."""
    trials = list(Trial.objects.filter(pk__in=keys))
    Attempt.objects.bulk_create(attempts_of(trials, user))
    forget_turns(keys)
    withdraw_requests(keys)
    forget_attempts(keys)
    Replay.objects.filter(trial__in=keys).delete()
    Trial.objects.filter(pk__in=keys).update(
        status=TrialStatus.QUEUED,
        score=None,
        stop_reason="",
        finish_reason="",
        fault="",
        error="",
        final_output="",
        scorecard={},
        event_count=0,
        total_tokens=None,
        cost_usd=None,
        seconds=None,
        judge_tokens=0,
        judge_cost_usd=0.0,
        attempt=0,
        started_at=None,
        finished_at=None,
    )


def attempts_of(trials: Sequence[Trial], user: User | None) -> list[Attempt]:
    """What trials are now, as rows that keep it."""
    keys = [trial.pk for trial in trials]
    events: dict[int, list[dict[str, object]]] = {key: [] for key in keys}
    for event in Event.objects.filter(trial__in=keys).order_by("trial", "sequence"):
        events[event.trial_id].append(event.as_event())
    grades: dict[int, list[dict[str, object]]] = {key: [] for key in keys}
    for grade in Grade.objects.filter(trial__in=keys).order_by("trial", "position").values("trial", *GRADE_FIELDS):
        grades[grade.pop("trial")].append(grade)
    earlier = Attempt.objects.filter(trial__in=keys).order_by().values_list("trial").annotate(newest=Max("number"))
    numbers = dict(earlier)
    return [
        Attempt(
            trial=trial,
            number=numbers.get(trial.pk, 0) + 1,
            events=events[trial.pk],
            grades=grades[trial.pk],
            replaced_by=user,
            **{name: getattr(trial, name) for name in KEPT},
        )
        for trial in trials
    ]


def reopen(run: Run) -> None:
    """Let a run go on whose trials wait again, those that depend on others after them; its jobs are sent after commit.

    The time that it was at rest does not count as its duration.
    """
    run.refresh_from_db()
    hold_back(run.pk)
    if run.status in ENDED_RUNS:
        now = timezone.now()
        rested = now - run.finished_at if run.finished_at else now - now
        run.started_at = run.started_at + rested if run.started_at else None
        run.status = RunStatus.QUEUED
        run.finished_at = run.cancel_requested_at = run.recorded_bytes = None
    run.counts = count_trials(run.pk)
    # What its agents reached is made anew at its end; until then nobody may take the old figures for those of now.
    run.scorecard = {}
    run.agents.update(summary={})
    run.save(
        update_fields=[
            *("status", "started_at", "finished_at", "cancel_requested_at", "recorded_bytes", "counts", "scorecard")
        ]
    )
    if run.status != RunStatus.PAUSED:
        enqueue(run)
