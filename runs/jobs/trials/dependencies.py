"""Trials that are held back until others have ended: those of the cases that theirs depends on, and earlier ones of
the same case where its pack limits what they may cost together.

They stand beside the queue, not in it: claiming never looks at what a case depends on. The worker that saves the
end of a trial lets others go on; the sweeper does so where a worker was lost.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone

from runs.jobs.queue.leases import OPEN_RUN
from runs.jobs.trials.cost_limits import AgentCase, awaits_earlier, has_limits, leave_out, may_be_left_out
from runs.models import OPEN_STATUSES, Dependency, Run, Trial, TrialStatus
from runs.models.trials import JUDGED

STOP_REASON = "dependency_failed"
# Trials in which the agent, a judge or the machine broke: there is no verdict that stands on what the agent did.
BROKEN = Q(status__in=(TrialStatus.ERROR, TrialStatus.UNDECIDED)) | Q(status=TrialStatus.FAILED) & ~Q(fault="")
TELLING = Q(status__in=JUDGED, fault="")
MESSAGES = {
    "skip": "Skipped: {key!r}, which this case depends on, could not be judged.",
    "fail": "Given up: {key!r}, which this case depends on, could not be judged.",
}
BATCH = 500


def holds_trials(run_id: int) -> bool:
    """Whether any trial of a run waits for others."""
    return Trial.objects.filter(run=run_id, status=TrialStatus.HELD).exists()


def has_dependencies(run_id: int) -> bool:
    """Whether any case of a run begins only after others."""
    return Dependency.objects.filter(run=run_id).exists()


def hold_back(run_id: int) -> int:
    """Take the trials of a run out of the queue that have to wait for others; gives how many."""
    is_limited, has_order = has_limits(run_id), has_dependencies(run_id)
    if not is_limited and not has_order:
        return 0
    wait = (Q(Exists(open_before())) | may_be_left_out()) if has_order else may_be_left_out()
    queued = Trial.objects.filter(run=run_id, status=TrialStatus.QUEUED, event_count=0)
    waiting = list(queued.filter(wait).values_list("pk", flat=True))
    moved = move(waiting, TrialStatus.QUEUED, TrialStatus.HELD)
    return moved - let_go_on(run_id) if is_limited else moved


def let_go_on(run_id: int) -> int:
    """Let the trials of a run begin that need not wait any more; gives how many were moved.

    Those whose case may not be tried, because every trial at another broke, end as errors with the same cause;
    those whose case has cost as much as it may are left out. Safe to repeat, and for several jobs at once.
    """
    moved = 0
    while True:
        ready = list(ready_trials(run_id))
        given_up = give_up(run_id, ready)
        given_up |= leave_out(run_id, [trial for trial in ready if trial.pk not in given_up])
        going = [trial.pk for trial in ready if trial.pk not in given_up]
        moved += len(given_up) + move(going, TrialStatus.HELD, TrialStatus.QUEUED)
        # Whatever waited for those that were given up need not wait any more.
        if not given_up:
            return moved


def ready_trials(run_id: int) -> QuerySet[Trial]:
    """The held trials that need not wait any more."""
    held = Trial.objects.filter(run=run_id, status=TrialStatus.HELD)
    # Asked only where there are any: both cost a look-up for every held trial.
    if has_dependencies(run_id):
        held = held.exclude(Exists(open_before()))
    if has_limits(run_id):
        held = held.exclude(awaits_earlier())
    return held.only("pk", "run_agent_id", "case_id", "case_position", "number")


def open_before() -> QuerySet[Dependency]:
    """Those dependencies of the case of a trial of the outer query at which its agent has an open trial."""
    # Asked from the dependencies on, each is one look-up in the index of places. The other way round SQLite goes
    # through all open trials of the run for each one that is held.
    at_work = Trial.objects.filter(
        run_agent=OuterRef(OuterRef("run_agent")), case_position=OuterRef("needed"), status__in=OPEN_STATUSES
    )
    rows: QuerySet[Dependency] = Dependency.objects.filter(run=OuterRef("run"), position=OuterRef("case_position"))
    return rows.filter(Exists(at_work))


def move(keys: Sequence[int], before: TrialStatus, after: TrialStatus) -> int:
    """Give trials another status that still have the one before; gives how many."""
    parts = [keys[start : start + BATCH] for start in range(0, len(keys), BATCH)]
    return sum(Trial.objects.filter(pk__in=part, status=before).update(status=after) for part in parts)


def give_up(run_id: int, ready: Sequence[Trial]) -> set[int]:
    """End those of the trials that may not be tried; gives their ids."""
    rows = Dependency.objects.filter(run=run_id, position__in={trial.case_position for trial in ready})
    needed: dict[int, list[Dependency]] = defaultdict(list)
    for row in rows.exclude(after="run"):
        needed[row.position].append(row)
    lost = broken_places(run_id, {row.needed for listed in needed.values() for row in listed})
    ended = set()
    for trial in ready:
        for row in needed.get(trial.case_position, ()):
            culprit = lost.get((trial.run_agent_id, row.needed))
            if culprit is not None and trial.pk not in ended:
                end(trial, culprit, row.after)
                ended.add(trial.pk)
    return ended


def broken_places(run_id: int, positions: Iterable[int]) -> dict[AgentCase, Trial]:
    """Where every trial of an agent at a case broke or was stopped, with the first of them."""
    rows = Trial.objects.filter(run=run_id, case_position__in=set(positions))
    telling = set(rows.filter(TELLING).values_list("run_agent", "case_position"))
    firsts = rows.only("run_agent_id", "case_position", "case_key", "fault").order_by("-number")
    found = {(trial.run_agent_id, trial.case_position): trial for trial in firsts}
    return {place: trial for place, trial in found.items() if place not in telling}


def end(trial: Trial, culprit: Trial, after: str) -> None:
    """End a held trial that depends on a case which could not be judged."""
    Trial.objects.filter(pk=trial.pk, status=TrialStatus.HELD).update(
        status=TrialStatus.ERROR,
        stop_reason=STOP_REASON,
        fault=culprit.fault,
        error=MESSAGES[after].format(key=culprit.case_key),
        finished_at=timezone.now(),
    )


def let_all_go_on() -> None:
    """Look after every open run that holds trials back."""
    held = Trial.objects.filter(status=TrialStatus.HELD).order_by()
    for run in Run.objects.filter(pk__in=held.values("run").distinct(), status__in=OPEN_RUN):
        let_go_on(run.pk)
