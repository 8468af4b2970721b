"""What the counts of trials must be, counted from the trials themselves."""

from collections import Counter, defaultdict

import pytest

from runs.models import Trial
from runs.models.trial_counts import STATE, StateCount, trial_counts_of
from runs.results.case_verdicts import case_verdict, plans_of, states_of, totals_of
from runs.results.layout import layout_of
from runs.results.memory import MEMORY
from runs.statistics.estimates import LEFT_OUT
from runs.views.results.grid import read_cases


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


def check_case_counts(run):
    """Raises AssertionError where what a summary and the grid say of the cases of agents differs from a recount."""
    MEMORY.forget()
    agents = list(run.agents.values_list("pk", flat=True))
    totals, cells = totals_of(run, agents), read_cases(run, agents)
    plans, cases = plans_of(run), {}
    for trial in Trial.objects.filter(run=run).order_by("number"):
        cases.setdefault(trial.run_agent_id, {}).setdefault(trial.case_position, []).append(trial)
    assert set(layout_of(run).positions) == {position for each in cases.values() for position in each}
    challenges = {trials[0].challenge_key for each in cases.values() for trials in each.values()}
    assert layout_of(run).has_challenges == (len(challenges) > 1)
    for agent in agents:
        own, total = cases.get(agent, {}), totals[agent]
        trials = [trial for each in own.values() for trial in each]
        joint = [case_verdict(plans.get(each[0].case_id), states_of(each)) for each in own.values()]
        assert +total.verdicts == Counter(each.verdict for each in joint)
        assert total.statuses == Counter(trial.status for trial in trials)
        assert total.flaky == sum(each.is_flaky for each in joint)
        assert total.left_out == sum(trial.joint_state == LEFT_OUT for trial in trials)
        for name in ("cost_usd", "judge_cost_usd", "total_tokens"):
            assert total.used[name] == pytest.approx(sum(getattr(trial, name) or 0 for trial in trials)), name
        for position, is_tried in enumerate(cells[agent].tried):
            found = Counter(trial.status for trial in own.get(position, ()))
            assert bool(is_tried) == bool(found)
            passed, judged = found["passed"], found["passed"] + found["failed"]
            assert (cells[agent].passed[position], cells[agent].judged[position]) == (passed, judged)
