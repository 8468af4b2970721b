import random
from itertools import combinations

import pytest

from runs.statistics.estimates import (
    PassEstimate,
    ScoreEstimate,
    estimate,
    interval,
    is_flaky,
    joined,
    joined_score,
    pass_at_k,
    pass_hat_k,
    percentile,
    score_interval,
    t_quantile,
    verdict,
    wilson,
)

SMALL = [(n, c, k) for n in range(1, 8) for c in range(n + 1) for k in range(1, n + 1)]


@pytest.mark.parametrize(("n", "c", "k"), SMALL)
def test_estimates_are_the_shares_of_all_choices_of_k_trials(n, c, k):
    choices = list(combinations([True] * c + [False] * (n - c), k))
    assert pass_at_k(n, c, k) == pytest.approx(sum(map(any, choices)) / len(choices), abs=1e-12)
    assert pass_hat_k(n, c, k) == pytest.approx(sum(map(all, choices)) / len(choices), abs=1e-12)


@pytest.mark.parametrize("metric", ["pass@k", "pass^k"])
def test_large_numbers_agree_with_the_exact_ones(metric):
    near = estimate(metric, 1000, 997, 3), estimate(metric, 1001, 998, 3)
    assert near[0] == pytest.approx(near[1], abs=1e-4)
    assert estimate(metric, 10**6, 10**6, 10) == 1
    assert estimate(metric, 10**6, 0, 10) == 0


@pytest.mark.parametrize("metric", ["pass@k", "pass^k"])
def test_too_few_trials_estimate_nothing(metric):
    assert estimate(metric, 2, 2, 3) is None


def test_an_interval_reaches_the_ends_exactly_and_needs_trials():
    assert wilson(0, 4)[0] == 0
    assert wilson(4, 4)[1] == 1
    assert wilson(0, 0) is None
    assert interval("pass^k", 0, 0, 3) is None


def test_a_verdict_that_is_certain_does_not_wait():
    assert verdict(3, "pass^k", ["error", "failed"]) == "fail"
    assert verdict(3, "pass@k", ["error", "passed"]) == "pass"
    assert verdict(3, "pass^k", ["passed", "passed", "error"]) == "incomplete"


def test_a_percentile_lies_between_its_neighbours():
    assert percentile([4, 1, 3, 2], 0.5) == 2.5
    assert percentile([], 0.5) is None


def test_an_estimate_says_what_the_trials_of_a_task_say_together():
    joint = PassEstimate("pass^k", 3, ("passed", "error", "failed", "passed", "passed"))
    assert (joint.name, joint.verdict, joint.n, joint.c, joint.is_flaky) == ("pass^3", "fail", 4, 3, True)
    assert joint.estimate == pytest.approx(0.25)
    assert joint.interval[0] < 0.25 < joint.interval[1]
    assert PassEstimate("pass@k", 3, ("error",)).verdict == "incomplete"


@pytest.mark.parametrize(("states", "flaky"), [(["passed", "failed"], True), (["passed", "error"], False)])
def test_trials_that_disagree_are_flaky(states, flaky):
    assert is_flaky(states) is flaky


# Two-sided quantiles of 95% from printed tables.
@pytest.mark.parametrize(
    ("freedom", "quantile"), [(1, 12.7062), (2, 4.30265), (3, 3.18245), (4, 2.77645), (9, 2.26216), (99, 1.98422)]
)
def test_quantiles_of_t_are_those_of_the_tables(freedom, quantile):
    assert t_quantile(freedom) == pytest.approx(quantile, abs=5e-5)


@pytest.mark.parametrize(
    ("freedom", "quantile"), [(299, 1.967930), (300, 1.967903), (1000, 1.962339), (10**6, 1.959966)]
)
def test_quantiles_of_many_degrees_of_freedom_go_on_where_the_few_end(freedom, quantile):
    assert t_quantile(freedom) == pytest.approx(quantile, abs=5e-7)


def test_scores_are_joined_by_their_mean_or_by_what_the_mean_surely_reaches():
    assert joined_score("mean", [0.5, 1.0, 0.9]) == pytest.approx(0.8)
    assert joined_score("confidence_interval", [0.8, 0.9, 1.0]) == pytest.approx(0.9 - 4.30265 * 0.1 / 3**0.5, abs=1e-5)
    assert joined_score("confidence_interval", [0.0, 1.0]) == 0
    assert joined_score("confidence_interval", [1.0, 1.0]) == 1
    assert joined_score("confidence_interval", [0.7]) == 0.7
    assert joined_score("mean", []) is None


def test_scores_become_a_verdict_when_all_trials_are_there():
    trials = (("passed", 1.0), ("error", None), ("failed", 0.7), ("passed", 0.8))
    joint = ScoreEstimate("mean", 3, 0.8, trials)
    assert (joint.verdict, joint.scores, joint.is_flaky) == ("pass", [1.0, 0.7, 0.8], True)
    assert ScoreEstimate("confidence_interval", 3, 0.8, trials).verdict == "fail"
    assert ScoreEstimate("mean", 4, 0.8, trials).verdict == "incomplete"
    assert ScoreEstimate("mean", 1, 0.8, (("failed", None),)).score == 0
    assert ScoreEstimate("mean", 1, 0.8, (("error", None),)).verdict == "incomplete"


def test_the_interval_of_scores_lies_around_their_mean_within_0_and_1():
    assert score_interval([0.8, 0.9, 1.0]) == pytest.approx((0.9 - 0.248414, 1.0), abs=1e-5)
    assert score_interval([0.7]) is None


def test_trials_that_were_left_out_are_not_waited_for():
    trials = [("passed", 1.0), ("passed", 0.7), ("left_out", None)]
    assert joined("mean", 3, 0.8, trials).verdict == "pass"
    assert joined("pass^k", 3, None, trials).verdict == "pass"
    assert joined("pass@k", 3, None, [("error", None), ("left_out", None)]).verdict == "incomplete"
    assert joined("mean", 3, 0.8, [("passed", 1.0)]).verdict == "incomplete"


def test_only_rules_about_several_trials_join_them():
    assert joined("first", 1, None, [("passed", 1.0)]) is None
    assert joined("mean", 3, None, [("passed", 1.0)]) is None


def test_an_interval_at_which_a_run_stops_by_its_width_holds_the_rate_as_often_as_others():
    rng, rounds, held = random.Random(11), 1500, 0
    for _ in range(rounds):
        share, n, c = rng.uniform(0.05, 0.95), 0, 0
        low, high = 0.0, 1.0
        while high - low > 0.2:
            n, c = n + 1, c + (rng.random() < share)
            low, high = wilson(c, n)
        held += low <= share <= high
    assert held / rounds > 0.95 - 4 * (0.95 * 0.05 / rounds) ** 0.5
