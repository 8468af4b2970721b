"""Trials that were never tried, told apart from those that somebody cancelled."""

from collections import Counter
from collections.abc import Mapping
from typing import Any

from django.db.models import Case, Count, F, QuerySet, Value, When

from runs.models import Run, Trial, TrialStatus
from runs.models.trials import NOT_TRIED

# What the filter of trials calls them, beside the statuses.
UNTRIED = "not_tried"
STATES: Mapping[str, str] = {**dict(TrialStatus.choices), UNTRIED: "Not tried"}


def with_state(rows: QuerySet[Trial]) -> QuerySet[Any]:
    """Add `state`: the status, or UNTRIED."""
    untried = When(status=TrialStatus.CANCELLED, stop_reason__in=NOT_TRIED, then=Value(UNTRIED))
    return rows.annotate(state=Case(untried, default=F("status")))


def ends_of(run: Run) -> list[tuple[str, int]]:
    """How many trials of a run ended without a result, by why; what somebody cancelled comes last."""
    if not (run.counts or {}).get(TrialStatus.CANCELLED):
        return []
    rows = Trial.objects.filter(run=run, status=TrialStatus.CANCELLED).order_by()
    totals = dict(rows.values_list("stop_reason").annotate(Count("pk")))
    told = [(f"Not tried: {word}", totals.pop(reason)) for reason, word in NOT_TRIED.items() if reason in totals]
    return [*told, *([("Cancelled", sum(totals.values()))] if totals else [])]


def untried_by_agent(run: Run) -> Counter[int]:
    """How many trials of each run agent were never tried."""
    if not (run.counts or {}).get(TrialStatus.CANCELLED):
        return Counter()
    rows = Trial.objects.filter(run=run, status=TrialStatus.CANCELLED, stop_reason__in=NOT_TRIED).order_by()
    return Counter(dict(rows.values_list("run_agent").annotate(Count("pk"))))
