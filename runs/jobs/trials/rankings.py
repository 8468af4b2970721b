"""Which cases of a run are still to be ranked by its n_wise judges, and who does it."""

from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from django.db import transaction
from django.db.models import F, Q, QuerySet
from django.utils import timezone

from packs.formats.later import Later
from packs.messages import send_job
from runs.jobs.queue.messages import DEFAULT_SLOTS, EXECUTE_RANKINGS
from runs.jobs.queue.workers import alive_slots
from runs.models import Ranking, Run, RunStatus, Trial

if TYPE_CHECKING:
    from runs.grading import judges
else:
    # What starts or shows a run without ranking judges needs none.
    judges = Later("runs.grading.judges")

LEASE_SECONDS = 30
# How long nobody may work on a run's rankings before their jobs count as lost.
LOST_SECONDS = 5
# A ranking whose worker died this often is given up: it probably is what kills the worker.
MAX_CLAIMS = 5

# Position of a case, and number of the trial.
CaseNumber = tuple[int, int]


def awaits_rankings(run: Run) -> bool:
    """Whether a run whose trials have ended has cases to be ranked; their jobs are sent when they are found.

    A run that was asked to stop is not ranked.
    """
    if run.cancel_requested_at is not None:
        return False
    if unfinished(run.pk).exists():
        return True
    if plan(run) == 0:
        return False
    transaction.on_commit(lambda: send_rankings(run.pk))
    return True


def unfinished(run_id: int) -> QuerySet[Ranking]:
    return Ranking.objects.filter(run=run_id, finished_at__isnull=True)


def plan(run: Run) -> int:
    """Make the rows of what is to be ranked, anew where a trial was tried again; gives how many."""
    if not has_ranking_judge(run):
        return 0
    wanted = scored_trials(run)
    known = dict_of(Ranking.objects.filter(run=run.pk))
    stale = [place for place, trials in wanted.items() if place in known and known[place] != trials]
    fresh = [place for place in wanted if place not in known]
    with transaction.atomic():
        for position, number in stale:
            Ranking.objects.filter(run=run.pk, case_position=position, number=number).update(
                trials=wanted[position, number], finished_at=None, lease="", lease_until=None, claims=0, error=""
            )
        Ranking.objects.bulk_create(
            [
                Ranking(run=run, case_position=position, number=number, trials=wanted[position, number])
                for position, number in fresh
            ],
            ignore_conflicts=True,
        )
    return len(stale) + len(fresh)


def dict_of(rows: QuerySet[Ranking]) -> dict[CaseNumber, list[Any]]:
    return {
        (position, number): trials for position, number, trials in rows.values_list("case_position", "number", "trials")
    }


def has_ranking_judge(run: Run) -> bool:
    """Whether judges of the run's version rank: they belong to the version, so any scored trial tells."""
    first = (
        Trial.objects.filter(run=run.pk).exclude(scorecard={}).order_by("pk").values_list("scorecard", flat=True)[:1]
    )
    return any(judge["mode"] == judges.RANKING for card in first for judge in card.get("llm_judge_details", ()))


def scored_trials(run: Run) -> dict[CaseNumber, list[Any]]:
    """The trials that can be ranked, as `[id, end]` by their case and number."""
    found: dict[CaseNumber, list[Any]] = {}
    rows = Trial.objects.filter(run=run.pk).exclude(scorecard={}).order_by("pk")
    for pk, position, number, ended in rows.values_list("pk", "case_position", "number", "finished_at"):
        found.setdefault((position, number), []).append([pk, ended.isoformat() if ended else ""])
    return found


def send_rankings(run_id: int) -> int:
    """Send as many jobs as can be of use; gives how many were sent."""
    waiting = unfinished(run_id).count()
    Run.objects.filter(pk=run_id).update(enqueued_at=timezone.now())
    return sum(send_job(EXECUTE_RANKINGS, run_id) for _ in range(min(alive_slots() or DEFAULT_SLOTS, waiting)))


def send_lost_rankings() -> None:
    """Send the jobs again of runs on whose rankings nobody works."""
    now = timezone.now()
    runs = Run.objects.filter(status=RunStatus.SCORING, rankings__finished_at__isnull=True, rankings__isnull=False)
    overdue = runs.filter(Q(enqueued_at__isnull=True) | Q(enqueued_at__lt=now - timedelta(seconds=LOST_SECONDS)))
    for pk in overdue.order_by().values_list("pk", flat=True).distinct():
        if not unfinished(pk).filter(lease_until__gte=now).exists():
            send_rankings(pk)


def claim(run_id: int, mark: str) -> Ranking | None:
    """Take one ranking that nobody works on; None when there is none."""
    free = unfinished(run_id).filter(Q(lease_until__isnull=True) | Q(lease_until__lt=timezone.now()))
    for pk in free.order_by("pk").values_list("pk", flat=True)[:50]:
        until = timezone.now() + timedelta(seconds=LEASE_SECONDS)
        if free.filter(pk=pk).update(lease=mark, lease_until=until, claims=F("claims") + 1):
            return Ranking.objects.get(pk=pk)
    return None


def give_back(ranking: Ranking) -> None:
    """Let go of a ranking that was not made."""
    Ranking.objects.filter(pk=ranking.pk, lease=ranking.lease).update(
        lease="", lease_until=None, claims=F("claims") - 1
    )


def hold(ranking: Ranking) -> None:
    """Extend the lease of a ranking that is being made."""
    until = timezone.now() + timedelta(seconds=LEASE_SECONDS)
    Ranking.objects.filter(pk=ranking.pk, lease=ranking.lease).update(lease_until=until)


def close(ranking: Ranking, calls: Mapping[str, Any], error: str = "") -> bool:
    """Note that a ranking was made. False when the lease was lost, and with it the right to say so."""
    held = Ranking.objects.filter(pk=ranking.pk, lease=ranking.lease, finished_at__isnull=True)
    return bool(held.update(finished_at=timezone.now(), lease="", lease_until=None, calls=calls, error=error))


def still_there(ranking: Ranking, trials: Sequence[Trial]) -> bool:
    """Whether the trials are those that the ranking is about, and none of them was tried again."""
    now = [[trial.pk, trial.finished_at.isoformat() if trial.finished_at else ""] for trial in trials]
    return sorted(now) == sorted(ranking.trials)
