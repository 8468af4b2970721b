"""How far a run is: its beginning, counts, and its end."""

import logging
from typing import TYPE_CHECKING, Any

from django.db import InterfaceError, OperationalError, transaction
from django.db.models import Exists, OuterRef
from django.db.models.functions import Coalesce, Now
from django.utils import timezone

from packs.formats.later import Later
from packs.notices import RUN_ENDED, RUN_FAILED, Notice, those
from runs.jobs.notices.noting import note
from runs.jobs.queue.leases import OPEN_RUN
from runs.jobs.trials.rankings import awaits_rankings
from runs.models import ACTIVE_RUNS, OPEN_STATUSES, Run, RunAgent, RunStatus, Trial, TrialStatus
from runs.models.case_counting import keep_case_counts
from runs.models.trial_counting import settle
from runs.models.trial_counts import trial_counts_of
from runs.models.trials import LEFT_OUT_REASONS
from runs.statistics.summaries import summarise_trials

if TYPE_CHECKING:
    from runs.grading import scoring
else:
    # Runs of one agent are compared with nothing.
    scoring = Later("runs.grading.scoring")

log = logging.getLogger(__name__)

LIVE_RUN = (*OPEN_RUN, RunStatus.PAUSED)


def begin(run: Run) -> None:
    """Note that the first trial of a run is about to begin."""
    waiting = Run.objects.filter(pk=run.pk, status=RunStatus.QUEUED)
    waiting.update(status=RunStatus.RUNNING, started_at=Coalesce("started_at", Now()))


def waiting_runs() -> list[Run]:
    """Open runs with trials that wait, oldest first."""
    queued = Trial.objects.filter(run=OuterRef("pk"), status=TrialStatus.QUEUED)
    return list(Run.objects.filter(Exists(queued), status__in=OPEN_RUN).order_by("pk"))


def count_trials(run_id: int) -> dict[str, int]:
    """Trials of a run by status."""
    return dict(trial_counts_of(run_id).counts())


def refresh(run_id: int) -> dict[str, int]:
    """Note the counts of a run that has not ended; when no trial is open any more, the run ends."""
    settle(run_id)
    counts = count_trials(run_id)
    Run.objects.filter(pk=run_id, status__in=LIVE_RUN).update(counts=counts)
    if not any(counts.get(status) for status in OPEN_STATUSES):
        finish(run_id)
    return counts


def finish(run_id: int) -> bool:
    """End a run all of whose trials are final. False means that it has ended already, or goes on after all."""
    again = Trial.objects.filter(run=OuterRef("pk"), status__in=OPEN_STATUSES)
    closing = Run.objects.filter(~Exists(again), pk=run_id, status__in=LIVE_RUN).update(status=RunStatus.SCORING)
    return conclude(run_id) if closing else False


def conclude(run_id: int) -> bool:
    """Score a run that is being closed; safe to repeat after a crash, only the first result is kept.

    False when that was done already, or while judges have yet to rank its agents.
    """
    run = Run.objects.get(pk=run_id)
    if run.status == RunStatus.SCORING and awaits_rankings(run):
        return False
    agents = list(run.agents.order_by("position"))
    summaries = [summarise_agent(agent) for agent in agents]
    counts = count_trials(run_id)
    with transaction.atomic():
        changed = Run.objects.filter(pk=run_id, status=RunStatus.SCORING).update(
            status=final_status(counts, left_out(run_id)),
            counts=counts,
            scorecard=compare_agents(run, agents, summaries),
            finished_at=timezone.now(),
        )
        if changed:
            for agent, summary in zip(agents, summaries, strict=True):
                RunAgent.objects.filter(pk=agent.pk).update(summary=summary)
            note(ending(run, counts))
    keep_case_counts(run_id)
    return bool(changed)


def ending(run: Run, counts: dict[str, int]) -> Notice:
    """What who started a run is to know of its end."""
    status = final_status(counts, left_out(run.pk))
    has_failed = status == RunStatus.FAILED
    return Notice(
        kind=RUN_FAILED if has_failed else RUN_ENDED,
        team=run.team_id,
        title=f"{run.title} {'failed: none of its trials could be judged' if has_failed else 'ended'}.",
        place="runs:show",
        args=(run.pk,),
        people=those(run.created_by_id),
        facts={"run": run.pk, "status": str(status), "trials": counts},
    )


def count_again(run_id: int, agent_id: int) -> None:
    """Fix the figures of a run after a trial of one of its agents was judged anew; those of a live run are counts."""
    keep_case_counts(run_id)
    run = Run.objects.get(pk=run_id)
    counts = count_trials(run_id)
    if run.status in LIVE_RUN:
        Run.objects.filter(pk=run_id).update(counts=counts)
        return
    agents = list(run.agents.order_by("position"))
    for agent in agents:
        if agent.pk == agent_id:
            agent.summary = summarise_agent(agent)
            agent.save(update_fields=["summary"])
    scorecard = compare_agents(run, agents, [agent.summary for agent in agents])
    status = final_status(counts, left_out(run_id))
    Run.objects.filter(pk=run_id).update(status=status, counts=counts, scorecard=scorecard)


def summarise_agent(agent: RunAgent) -> dict[str, Any]:
    rows = agent.trials.order_by("pk").values("status", "fault", "score", "scorecard").iterator(chunk_size=500)
    return summarise_trials(rows)


def compare_agents(run: Run, agents: list[RunAgent], summaries: list[dict[str, Any]]) -> dict[str, Any]:
    """The run-level document of challenge-pack h.6."""
    scores = [
        scoring.AgentScore(
            run_agent_id=str(agent.pk),
            label=agent.name,
            overall=summary["overall_score"],
            dimensions=summary["dimensions"],
            trials=summary["trials"],
            passed=summary["passed"],
            warnings=tuple(summary["warnings"]),
        )
        for agent, summary in zip(agents, summaries, strict=True)
    ]
    strategies = run.trials.exclude(scorecard={}).order_by("pk").values_list("scorecard", flat=True)[:1]
    strategy = strategies[0].get("strategy", "") if strategies else ""
    return scoring.compare(str(run.pk), str(run.version_id), strategy, scores)


def left_out(run_id: int) -> int:
    """How many trials of a run were left out: their pack did not want them any more, or nothing was there to try."""
    reasons = trial_counts_of(run_id).by("status", "stop_reason")
    return sum(state_count.trials for (status, reason), state_count in reasons.items() if is_left_out(status, reason))


def is_left_out(status: str, reason: str) -> bool:
    return status == TrialStatus.CANCELLED and reason in LEFT_OUT_REASONS


def final_status(counts: dict[str, int], left_out: int) -> RunStatus:
    """Cancelled when asked to stop in time, failed when every trial broke (not by its agent), completed otherwise.

    Trials that were left out count for neither.
    """
    if counts.get(TrialStatus.CANCELLED, 0) > left_out:
        return RunStatus.CANCELLED
    total = sum(counts.values()) - left_out
    return RunStatus.FAILED if total and counts.get(TrialStatus.ERROR, 0) == total else RunStatus.COMPLETED


def close_ended_runs() -> None:
    """End runs whose last trial ended while nobody could take note of it."""
    open_trials = Trial.objects.filter(run=OuterRef("pk"), status__in=OPEN_STATUSES)
    ended = Run.objects.filter(~Exists(open_trials), status__in=ACTIVE_RUNS)
    for run in ended:
        close_ended(run)


def close_ended(run: Run) -> None:
    """End one such run. A mistake of ours with it keeps no other from ending."""
    try:
        if not finish(run.pk):
            conclude(run.pk)
    except (OperationalError, InterfaceError):
        raise
    except Exception:
        log.exception("run-not-closed", extra={"run": run.pk})
