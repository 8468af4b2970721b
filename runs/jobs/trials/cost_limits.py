"""Cases whose trials may cost so much together and no more: their trials are made one after the other (agentv E.3)."""

from collections.abc import Iterable, Sequence

from django.db.models import Exists, OuterRef, Q, QuerySet, Sum
from django.utils import timezone

from runs.models import OPEN_STATUSES, Attempt, Trial, TrialPlan, TrialStatus
from runs.models.trials import TRIAL_COST_LIMIT

MESSAGE = "Not tried: the trials of this case have cost {cost:.4g} US dollars, and its pack allows {limit:g}."
# What the trials of one agent at one case share: agent and position of the case.
AgentCase = tuple[int, int]


def has_limits(run_id: int) -> bool:
    """Whether the pack limits what the trials of any case of a run may cost."""
    return TrialPlan.objects.filter(run=run_id, cost_usd__isnull=False).exists()


def may_be_left_out() -> Q:
    """Trials after the first of a case with a limit."""
    limited = TrialPlan.objects.filter(run=OuterRef("run"), case=OuterRef("case"), cost_usd__isnull=False)
    return Q(number__gt=1) & Q(Exists(limited))


def awaits_earlier() -> Q:
    """Trials that have to wait for an earlier one of the same agent at the same case.

    What a trial costs is known when it has ended, so only then is it clear whether another may begin.
    """
    earlier = Trial.objects.filter(
        run_agent=OuterRef("run_agent"),
        case_position=OuterRef("case_position"),
        number__lt=OuterRef("number"),
        status__in=OPEN_STATUSES,
    )
    return may_be_left_out() & Q(Exists(earlier))


def leave_out(run_id: int, ready: Sequence[Trial]) -> set[int]:
    """End the held trials of cases that have cost as much as they may; gives those of `ready` among them.

    What judges used up and earlier attempts count; where no cost is known nothing is left out.
    """
    later = [trial for trial in ready if trial.number > 1]
    plans = TrialPlan.objects.filter(run=run_id, case__in={trial.case_id for trial in later}, cost_usd__isnull=False)
    limits = dict(plans.values_list("case", "cost_usd"))
    limited = [trial for trial in later if trial.case_id in limits]
    costs = costs_of(run_id, {trial.case_position for trial in limited})
    left_out = set()
    for trial in limited:
        cost, limit = costs.get((trial.run_agent_id, trial.case_position), 0.0), limits[trial.case_id]
        if limit is not None and cost >= limit:
            end(trial, MESSAGE.format(cost=cost, limit=limit))
            left_out.add(trial.pk)
    return left_out


def costs_of(run_id: int, positions: Iterable[int]) -> dict[AgentCase, float]:
    """What the trials of each agent at these cases cost so far, in US dollars."""
    trials = Trial.objects.filter(run=run_id, case_position__in=set(positions))
    found: dict[AgentCase, float] = {}
    for rows, before in ((trials, ""), (Attempt.objects.filter(trial__in=trials), "trial__")):
        for agent, position, own, judges in sums_of(rows, before):
            found[agent, position] = found.get((agent, position), 0.0) + (own or 0.0) + (judges or 0.0)
    return found


def sums_of(rows: "QuerySet[Trial] | QuerySet[Attempt]", before: str) -> Iterable[tuple[int, int, float, float]]:
    """Agent, position, and the costs of agent and judges; `before` leads from the rows to their trials."""
    grouped = rows.order_by().values_list(f"{before}run_agent", f"{before}case_position")
    return grouped.annotate(Sum("cost_usd"), Sum("judge_cost_usd"))


def end(trial: Trial, message: str) -> None:
    """End a held trial and all that wait behind it."""
    held = Trial.objects.filter(
        run_agent=trial.run_agent_id, case_position=trial.case_position, status=TrialStatus.HELD
    )
    held.filter(number__gte=trial.number).update(
        status=TrialStatus.CANCELLED, stop_reason=TRIAL_COST_LIMIT, error=message, finished_at=timezone.now()
    )
