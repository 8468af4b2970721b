"""What a run has used up, and what no longer begins when nothing is left of a budget, or after an error."""

from collections.abc import Mapping
from typing import Any

from django.db.models import Avg, Case, QuerySet, Sum, When
from django.utils import timezone

from runs.engine.run_budgets import RunBudgets
from runs.jobs.trials.dependencies import BROKEN
from runs.models import IDLE_STATUSES, Attempt, Run, Trial, TrialStatus
from runs.models.trials import JUDGED, PRECISE_ENOUGH, SPENT, STOPPED_ON_ERROR
from runs.replay.causes import RUN_BUDGET
from runs.statistics.estimates import wilson

MESSAGES = {
    "cost_usd": "The run has spent its budget of {limit:g} US dollars.",
    "total_tokens": "The run has used its budget of {limit:,} tokens.",
    "wall_seconds": "The run has taken its time of {limit:g} seconds.",
}
PRECISE_MESSAGE = "Every pass rate is known within {points:g} percentage points, so no more trials are needed."
SET_MESSAGE = "The trials of this input set have spent its budget of {limit:g} US dollars."
ERROR_MESSAGE = "The pack wants no more cases of this input set tried once one could not be judged: {key!r}."


def spent(run: Run, **narrowed: Any) -> dict[str, Any]:
    """What all trials of a run used up so far, earlier attempts and judges included: `cost_usd`, `total_tokens`.

    `narrowed` are conditions on the trials that count.
    """
    total: dict[str, Any] = {"cost_usd": 0.0, "total_tokens": 0}
    trials = Trial.objects.filter(run=run, **narrowed)
    for rows in (trials, Attempt.objects.filter(trial__in=trials)):
        sums = rows.order_by().aggregate(**{column: Sum(column) for columns in SPENT.values() for column in columns})
        for name, columns in SPENT.items():
            total[name] += sum(sums[column] or 0 for column in columns)
    return total


def used_up(run: Run) -> str:
    """The name of a budget of which nothing is left; empty while further trials may begin."""
    budgets = RunBudgets.read(run.budgets)
    seconds = (timezone.now() - run.started_at).total_seconds() if run.started_at else 0.0
    return budgets.used_up(**spent(run), wall_seconds=seconds)


def stop_at_limits(run: Run) -> bool:
    """Let no trial begin any more that a limit of the run or of an input set forbids; whether none of the run may.

    Trials that wait are cancelled with a reason of their own; those at work end as usual.
    """
    name = used_up(run) if run.budgets else ""
    if name:
        stop(Trial.objects.filter(run=run), RUN_BUDGET, MESSAGES[name].format(limit=run.budgets[name]))
        return True
    points = RunBudgets.read(run.budgets).interval_points
    if points is not None and is_known_within(run, points):
        stop(Trial.objects.filter(run=run), PRECISE_ENOUGH, PRECISE_MESSAGE.format(points=points))
        return True
    for input_set, limits in run.set_limits.items():
        stop_set(run, int(input_set), limits)
    return False


def is_known_within(run: Run, points: float) -> bool:
    """Whether the 95% interval of every agent's pass rate reaches at most so many percentage points to either side.

    Trials of one case count as one: they do not vary independently.
    """
    judged = Trial.objects.filter(run=run, status__in=JUDGED).order_by()
    shares = judged.values_list("run_agent", "case_position").annotate(
        share=Avg(Case(When(status=TrialStatus.PASSED, then=1.0), default=0.0))
    )
    cases: dict[int, list[float]] = {}
    for agent, _, share in shares:
        cases.setdefault(agent, []).append(share)
    bounds = [wilson(sum(each), len(each)) for each in cases.values()]
    is_known = all(found is not None and 100 * (found[1] - found[0]) / 2 <= points for found in bounds)
    return is_known and len(cases) == run.agents.count()


def stop_set(run: Run, input_set: int, limits: Mapping[str, Any]) -> None:
    """Stop the trials of an input set once its budget is spent, or those of an agent after its first error."""
    trials = Trial.objects.filter(run=run, case__input_set=input_set)
    limit = limits.get("cost_usd")
    if limit is not None and spent(run, case__input_set=input_set)["cost_usd"] >= limit:
        stop(trials, RUN_BUDGET, SET_MESSAGE.format(limit=limit))
    if limits.get("stops_on_error"):
        broken = trials.filter(BROKEN).order_by("-pk").values_list("run_agent", "case_key")
        for agent, key in dict(broken).items():
            stop(trials.filter(run_agent=agent), STOPPED_ON_ERROR, ERROR_MESSAGE.format(key=key))


def stop(trials: QuerySet[Trial], reason: str, message: str) -> None:
    """Cancel those of the trials that wait."""
    waiting = trials.filter(status__in=IDLE_STATUSES)
    waiting.update(status=TrialStatus.CANCELLED, stop_reason=reason, error=message, finished_at=timezone.now())
