"""What the counts of trials must be, counted from the trials themselves."""

from collections import defaultdict

import pytest

from runs.models import Trial
from runs.models.trial_counts import STATE, StateCount, trial_counts_of


def recounted(run):
    """The counts of a run by agent and state, from its trials."""
    found = defaultdict(StateCount)
    columns = ("run_agent_id", *STATE[1:], "score", "cost_usd", "seconds")
    for *state, score, cost, seconds in Trial.objects.filter(run=run).values_list(*columns):
        found[tuple(state)].add(
            StateCount(1, score is not None, score or 0, cost is not None, cost or 0, seconds is not None, seconds or 0)
        )
    return dict(found)


def check_trial_counts(run):
    """Raises AssertionError where the counts differ from a recount; sums of fractions may by their rounding."""
    kept = trial_counts_of(run.pk).by(*STATE)
    made = recounted(run)
    assert kept.keys() == made.keys()
    for state, state_count in kept.items():
        wanted = made[state]
        assert (state_count.trials, state_count.scored, state_count.priced, state_count.timed) == (
            *(wanted.trials, wanted.scored, wanted.priced, wanted.timed),
        )
        for name in ("score", "cost_usd", "seconds"):
            assert getattr(state_count, name) == pytest.approx(getattr(wanted, name), abs=1e-9), state
