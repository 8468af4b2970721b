"""What a whole run may use up."""

import pytest

from runs.engine.run_budgets import RunBudgets


def test_budgets_of_a_run_are_read_and_written():
    stated = {"cost_usd": 2.5, "total_tokens": 1000}
    assert RunBudgets.read({**stated, "wall_seconds": None}).as_dict() == stated


@pytest.mark.parametrize(
    "stated",
    [
        {"cost": 1},
        {"cost_usd": 0},
        {"total_tokens": 1.5},
        {"wall_seconds": "1"},
        {"cost_usd": True},
        {"cost_usd": 1e999},
    ],
)
def test_what_is_no_budget_is_refused(stated):
    with pytest.raises(ValueError, match=next(iter(stated))):
        RunBudgets.read(stated)


def test_a_run_starts_no_trial_when_nothing_is_left_of_a_budget():
    budgets = RunBudgets(cost_usd=1.0, wall_seconds=60)
    assert budgets.used_up(0.99, 10**9, 59) == ""
    assert budgets.used_up(1.0) == "cost_usd"
    assert budgets.used_up(0, 0, 60) == "wall_seconds"
    assert RunBudgets().used_up(10**6, 10**9, 10**6) == ""
