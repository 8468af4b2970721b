"""What trials are on pages: their status, with with what was never tried, and what waits for reviews, kept apart."""

from collections import Counter
from collections.abc import Mapping
from typing import Any

from django.db.models import Case, Count, F, QuerySet, Value, When

from runs.models import Run, Trial, TrialStatus
from runs.models.trials import NOT_TRIED
from runs.replay.causes import Fault

# What the filter of trials calls them, beside the statuses.
IN_REVIEW, UNTRIED = "in_review", "not_tried"
STATES: Mapping[str, str] = {**dict(TrialStatus.choices), IN_REVIEW: "Waits for reviews", UNTRIED: "Not tried"}


def with_state(rows: QuerySet[Trial]) -> QuerySet[Any]:
    """Add `state`, a key of STATES."""
    in_review = When(status=TrialStatus.UNDECIDED, fault=Fault.PERSON.value, then=Value(IN_REVIEW))
    untried = When(status=TrialStatus.CANCELLED, stop_reason__in=NOT_TRIED, then=Value(UNTRIED))
    return rows.annotate(state=Case(in_review, untried, default=F("status")))


def states_by_agent(run: Run) -> dict[int, Counter[str]]:
    """How many trials of each agent entered are in each state."""
    found: dict[int, Counter[str]] = {}
    rows = with_state(Trial.objects.filter(run=run)).order_by().values_list("run_agent", "state")
    for agent, state, total in rows.annotate(Count("pk")):
        found.setdefault(agent, Counter())[state] = total
    return found


def ends_of(run: Run) -> list[tuple[str, int]]:
    """How many trials of a run ended without a result, by why; what somebody cancelled comes last."""
    if not (run.counts or {}).get(TrialStatus.CANCELLED):
        return []
    rows = Trial.objects.filter(run=run, status=TrialStatus.CANCELLED).order_by()
    totals = dict(rows.values_list("stop_reason").annotate(Count("pk")))
    reported = [(f"Not tried: {word}", totals.pop(reason)) for reason, word in NOT_TRIED.items() if reason in totals]
    return [*reported, *([("Cancelled", sum(totals.values()))] if totals else [])]
