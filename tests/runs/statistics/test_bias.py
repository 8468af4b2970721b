import random

import pytest

from runs.statistics.bias import order_effect, self_preference

ORDER = (1.0, 0.5, 0.0)


def ranked(worths, order, bias):
    """What candidates of one call get: the ranks by their worth, with as much as `bias` for standing first."""
    found = sorted(order, key=lambda name: -(worths[name] + bias * ORDER[order.index(name)]))
    return {name: (ORDER[order.index(name)], ORDER[found.index(name)]) for name in order}


def shown_both_ways(rng, bias, cases=60):
    for _ in range(cases):
        worths = {name: rng.random() for name in "xyz"}
        order = rng.sample("xyz", 3)
        calls = [ranked(worths, each, bias) for each in (order, order[::-1])]
        yield [[call[name] for call in calls] for name in "xyz"]


@pytest.mark.parametrize(("bias", "low", "high"), [(0, -1e-9, 1e-9), (0.5, 0.1, 0.9), (9, 1 - 1e-9, 1 + 1e-9)])
def test_what_standing_first_gains_is_apart_from_what_answers_are_worth(bias, low, high):
    found = order_effect(shown_both_ways(random.Random(5), bias))
    assert low <= found.mean.mean <= high
    assert (found.p_value < 0.01) is bool(bias)


def test_candidates_that_always_stood_in_one_place_say_nothing():
    assert order_effect([[[(1.0, 1.0), (1.0, 0.0)], [(0.0, 0.0)]]]) is None


def test_a_strict_judge_does_not_look_like_one_that_prefers_its_own():
    strict = [([-0.3], [-0.3, -0.3])] * 10
    assert self_preference(strict).mean.mean == 0
    fond = [([0.2 + at / 100], [-0.1, 0.1]) for at in range(10)]
    found = self_preference([*fond, ([], [0.5]), ([0.5], [])])
    assert (found.mean.count, found.mean.mean) == (10, pytest.approx(0.245))
    assert found.p_value < 0.001
