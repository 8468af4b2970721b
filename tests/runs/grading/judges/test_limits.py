"""What judges may use up."""

import pytest

from packs.formats.task import Budgets, Price
from runs.agents.endpoints.contract import Usage
from runs.grading.judges.limits import Allowance, allowance_of, estimate, samples_of
from tests.runs.grading.judges.benches import judged_task

COUNTED = Usage(100, 50, 0.01)


@pytest.mark.parametrize(
    ("limits", "budgets", "tokens", "usd"),
    [
        ({}, {}, None, None),
        ({"max_tokens": 0, "max_calls_usd": 0}, {}, None, None),
        ({"max_tokens": 500}, {"total_tokens": 900}, 500, None),
        ({"max_tokens": 900, "max_calls_usd": 0.5}, {"total_tokens": 500, "cost_usd": 0.2}, 500, 0.2),
        ({}, {"total_tokens": 500, "cost_usd": 0.2}, 500, 0.2),
    ],
)
def test_the_tighter_of_judge_limits_and_caps_of_the_trial_counts(limits, budgets, tokens, usd):
    allowance = allowance_of(judged_task(limits=limits, budgets=Budgets(**budgets)))
    assert (allowance.tokens, allowance.cost_usd) == (tokens, usd)


def test_samples_are_capped_where_the_pack_says_so():
    assert samples_of(judged_task(limits={"max_samples_per_judge": 2}), 5) == 2
    assert samples_of(judged_task(limits={"max_samples_per_judge": 4}), 3) == 3
    assert samples_of(judged_task(limits={"max_samples_per_judge": 0}), 3) == 3


@pytest.mark.parametrize("limit", [{"tokens": 150}, {"cost_usd": 0.01}])
def test_nothing_is_begun_once_a_limit_is_reached(limit):
    allowance = Allowance(**limit)
    assert not allowance.refusal()
    allowance.note(COUNTED)
    assert allowance.refusal()


def test_an_unknown_cost_ends_it_only_where_the_cost_of_judges_is_limited_as_such():
    strict = allowance_of(judged_task(limits={"max_calls_usd": 1}))
    capped = allowance_of(judged_task(budgets=Budgets(cost_usd=1)))
    for allowance in (strict, capped):
        allowance.note(Usage(10, 5))
    assert (bool(strict.refusal()), bool(capped.refusal())) == (True, False)


def test_calls_wait_for_each_other_where_they_could_pass_a_limit_together():
    allowance = Allowance(tokens=1000)
    assert allowance.has_room(5000)
    # Nothing is known yet: a call may take four times as much as it is thought to.
    allowance.under_way[0] = 100
    assert allowance.has_room(150)
    assert not allowance.has_room(151)


def test_the_largest_call_so_far_tells_what_others_may_take():
    allowance = Allowance(tokens=1000)
    allowance.note(Usage(200, 100))
    allowance.under_way[0] = 10
    assert allowance.has_room(400)
    assert not allowance.has_room(401)
    allowance.under_way[1] = 10
    assert not allowance.has_room(10)


def test_what_nobody_counted_is_estimated():
    allowance = Allowance(tokens=100)
    allowance.note(Usage(), 100)
    assert allowance.refusal()


def test_with_a_limit_in_dollars_the_first_call_tells_what_the_others_may_cost():
    allowance = Allowance(cost_usd=0.04)
    allowance.under_way[0] = 100
    assert not allowance.has_room(1)
    allowance.note(COUNTED)
    assert allowance.has_room(300)
    assert not allowance.has_room(301)


def test_the_pack_s_price_counts_where_the_connection_has_none():
    allowance = Allowance(prices=(Price("acme", "small", 1.0, 10.0),))
    assert allowance.priced(Usage(1_000_000, 100_000), "acme", "small").cost_usd == pytest.approx(2.0)
    assert allowance.priced(Usage(10, 10, 0.5), "acme", "small").cost_usd == 0.5
    assert allowance.priced(Usage(10, 10), "acme", "large").cost_usd is None
    assert allowance.priced(Usage(), "acme", "small").cost_usd is None


def test_longer_prompts_are_thought_to_cost_more():
    assert estimate([{"content": "x" * 4000}]) - estimate([{"content": ""}]) == 1000
