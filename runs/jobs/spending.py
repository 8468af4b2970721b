"""What a run has used up, and its end when nothing is left of a budget."""

from typing import Any

from django.db.models import Sum
from django.utils import timezone

from runs.engine.budgets import RunBudgets
from runs.models import Attempt, Run, Trial, TrialStatus

STOP_REASON = "run_budget"
MESSAGES = {
    "cost_usd": "The run has spent its budget of {limit:g} US dollars.",
    "total_tokens": "The run has used its budget of {limit:,} tokens.",
    "wall_seconds": "The run has taken its time of {limit:g} seconds.",
}
# The columns that add up to each of them; what judges used up is not the agent's, but the run pays for it.
SPENT = {"cost_usd": ("cost_usd", "judge_cost_usd"), "total_tokens": ("total_tokens", "judge_tokens")}


def spent(run: Run) -> dict[str, Any]:
    """What all trials of a run used up so far, earlier attempts and judges included: `cost_usd`, `total_tokens`."""
    total: dict[str, Any] = {"cost_usd": 0.0, "total_tokens": 0}
    for rows in (Trial.objects.filter(run=run), Attempt.objects.filter(trial__run=run)):
        sums = rows.order_by().aggregate(**{column: Sum(column) for columns in SPENT.values() for column in columns})
        for name, columns in SPENT.items():
            total[name] += sum(sums[column] or 0 for column in columns)
    return total


def used_up(run: Run) -> str:
    """The name of a budget of which nothing is left; empty while further trials may begin."""
    budgets = RunBudgets.read(run.budgets)
    seconds = (timezone.now() - run.started_at).total_seconds() if run.started_at else 0.0
    return budgets.used_up(**spent(run), wall_seconds=seconds)


def stop_when_used_up(run: Run) -> bool:
    """Let no trial of a run begin any more once a budget is used up; whether that is so.

    Trials that wait are cancelled with a reason of their own; those at work end as usual.
    """
    name = used_up(run) if run.budgets else ""
    if not name:
        return False
    message = MESSAGES[name].format(limit=run.budgets[name])
    waiting = Trial.objects.filter(run=run, status__in=(TrialStatus.QUEUED, TrialStatus.WAITING))
    now = timezone.now()
    waiting.update(status=TrialStatus.CANCELLED, stop_reason=STOP_REASON, error=message, finished_at=now)
    return True
