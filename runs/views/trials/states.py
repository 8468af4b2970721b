"""What trials are on pages: their status, with what was never tried, and what waits for reviews, kept apart."""

from collections import Counter
from collections.abc import Collection, Mapping
from typing import NamedTuple

from django.db.models import QuerySet

from runs.models import Trial, TrialStatus
from runs.models.trial_counts import Counted, TrialCounts
from runs.models.trials import NOT_TRIED
from runs.replay.causes import Fault


class Special(NamedTuple):
    """A state that is a part of a status: trials whose column has one of these values."""

    status: str
    column: str
    values: Collection[str]


# What the filter of trials calls them, beside the statuses.
IN_REVIEW, UNTRIED = "in_review", "not_tried"
SPECIAL: Mapping[str, Special] = {
    IN_REVIEW: Special(TrialStatus.UNDECIDED, "fault", (Fault.PERSON.value,)),
    UNTRIED: Special(TrialStatus.CANCELLED, "stop_reason", tuple(NOT_TRIED)),
}
STATES: Mapping[str, str] = {**dict(TrialStatus.choices), IN_REVIEW: "Waits for reviews", UNTRIED: "Not tried"}


def in_state(rows: QuerySet[Trial], state: str) -> QuerySet[Trial]:
    """Those of the trials that are in a state, a key of STATES."""
    if state in SPECIAL:
        status, column, values = SPECIAL[state]
        return rows.filter(status=status, **{f"{column}__in": values})
    for status, column, values in SPECIAL.values():
        rows = rows.exclude(**{f"{column}__in": values}) if status == state else rows
    return rows.filter(status=state)


def state_of(row: Counted) -> str:
    """The state of trials that are counted together, a key of STATES."""
    parts = ((name, part) for name, part in SPECIAL.items() if part.status == row.status)
    return next((name for name, part in parts if getattr(row, part.column) in part.values), row.status)


def states_by_agent(trial_counts: TrialCounts) -> dict[int, Counter[str]]:
    """How many trials of each agent entered are in each state."""
    found: dict[int, Counter[str]] = {}
    for row in trial_counts:
        found.setdefault(row.run_agent, Counter())[state_of(row)] += row.state_count.trials
    return found


def ends_of(trial_counts: TrialCounts) -> list[tuple[str, int]]:
    """How many trials ended without a result, by why; what somebody cancelled comes last."""
    reasons = trial_counts.by("status", "stop_reason")
    totals = {
        reason: state_count.trials
        for (status, reason), state_count in reasons.items()
        if status == TrialStatus.CANCELLED
    }
    reported = [(f"Not tried: {word}", totals.pop(reason)) for reason, word in NOT_TRIED.items() if reason in totals]
    return [*reported, *([("Cancelled", sum(totals.values()))] if totals else [])]
