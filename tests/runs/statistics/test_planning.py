"""How large a difference a plan finds, held against simulated agents and against textbook figures."""

import random
from math import sqrt
from statistics import NormalDist, fmean, stdev

import pytest

from runs.statistics.clusters import clustered_mean
from runs.statistics.comparing.pairs import Pairs, ScorePairs
from runs.statistics.estimates import t_quantile
from runs.statistics.planning import (
    MOST_CASES,
    MOST_TRIALS,
    POWER,
    WIDEST,
    Moments,
    Needed,
    Spread,
    moments,
    needed,
    smallest_difference,
    spread_of,
)
from tests.runs.statistics.textbook import quantile

MATRICES = 1000
# The normal quantile for a power of 80 %, from a table.
Z_OF_POWER = 0.8416212


def passes(rng, share, trials):
    return [float(rng.random() < share) for _ in range(trials)]


def agents(rng, cases, trials, better=0.0, apart=0.1):
    """The values of two agents by case; the second is better by so much, give or take `apart` a case."""
    for _ in range(cases):
        share = rng.uniform(0.3, 0.6)
        yield passes(rng, share, trials), passes(rng, share + better + rng.uniform(-apart, apart), trials)


def test_variances_of_agents_are_found_again():
    pairs = [(moments(one), moments(other)) for one, other in agents(random.Random(4), 20_000, 3)]
    spread = spread_of(pairs)
    # A uniform distribution from -0.1 to 0.1 has the variance 0.2 ** 2 / 12, a trial of a share p has p (1 - p).
    shares = [0.3 + 0.3 * at / 1000 for at in range(1001)]
    within = fmean(share * (1 - share) for share in shares)
    assert spread.between == pytest.approx(0.04 / 12, abs=0.003)
    assert spread.within == pytest.approx(2 * within - 0.04 / 12, abs=0.005)
    assert (spread.cases, spread.has_repeats) == (20_000, True)


@pytest.mark.parametrize(("cases", "trials"), [(30, 1), (30, 5), (100, 3)])
def test_a_difference_that_a_plan_finds_is_found_as_often_as_promised(cases, trials):
    rng, rounds = random.Random(cases + trials), 400
    spread = spread_of([(moments(one), moments(other)) for one, other in agents(rng, 5000, 4)])
    better = smallest_difference(spread, cases, trials)
    found = 0
    for _ in range(rounds):
        apart = [fmean(other) - fmean(one) for one, other in agents(rng, cases, trials, better)]
        found += abs(fmean(apart)) > t_quantile(cases - 1) * stdev(apart) / sqrt(cases)
    # Four standard deviations of so many rounds, and what clipped shares of passing change.
    assert found / rounds == pytest.approx(POWER, abs=4 * sqrt(POWER * (1 - POWER) / rounds) + 0.03)


def test_without_repeats_more_trials_promise_nothing():
    single = [(moments([1.0]), moments([float(at % 3 == 0)])) for at in range(30)]
    spread = spread_of(single)
    assert (spread.within, spread.has_repeats) == (0.0, False)
    assert smallest_difference(spread, 30, 1) == smallest_difference(spread, 30, 9)
    assert needed(spread, 0.02, 30, 1).trials is None
    assert spread_of(single[:1]) is None


def test_the_textbook_number_of_cases_comes_out():
    """With a known deviation the number is ((z for 5 % + z for the power) * deviation / difference) ** 2."""
    normal = NormalDist()
    errors = normal.inv_cdf(0.975) + normal.inv_cdf(POWER)
    spread = Spread(0.25, 0.0, 100, has_repeats=False)
    found = needed(spread, 0.05, 10, 1)
    assert found.cases == pytest.approx((errors * 0.5 / 0.05) ** 2, rel=0.01)
    assert smallest_difference(spread, found.cases, 1) <= 0.05 < smallest_difference(spread, found.cases - 1, 1)


def test_trials_decide_only_what_cases_leave_open():
    spread = Spread(0.01, 0.4, 100, has_repeats=True)
    # By hand: 50 cases take t = 2.0096 for 5 %, so the error may be 0.1 / (2.0096 + 0.8416) and 0.4 / 0.0515 trials do;
    # of 324 cases, t = 1.9673, so 0.41 * ((1.9673 + 0.8416) / 0.1) ** 2 are needed.
    assert needed(spread, 0.1, 50, 1) == Needed(0.1, trials=8, cases=324)
    # The cases themselves differ too much for this one, however often each is tried.
    assert needed(spread, 0.01, 50, 1).trials is None
    assert needed(spread, -0.1, 50, 1) == Needed(-0.1, trials=8, cases=324)
    # What is there suffices.
    assert needed(spread, 0.1, 50, 8) is None


@pytest.mark.parametrize(("difference", "cases", "trials"), [(0.0, 50, 1), (0.1, 1, 1), (0.1, 50, 0)])
def test_nothing_is_needed_for_what_cannot_be_compared(difference, cases, trials):
    assert needed(WIDEST, difference, cases, trials) is None


def test_a_difference_beyond_all_cases_has_no_number():
    assert needed(WIDEST, 0.0001, 50, 1) == Needed(0.0001, None, None)
    assert smallest_difference(WIDEST, MOST_CASES, 1) > 0.0001
    assert smallest_difference(WIDEST, 1, 1) is None


def test_agents_without_spread_show_any_difference():
    pairs = [(Moments(4, 4, 4), Moments(4, 0, 0))] * 3
    assert smallest_difference(spread_of(pairs), 3, 1) == 0


def ragged(rng):
    """The scores of two agents by case: any number of cases, trials and ties."""
    steps = rng.choice([1, 1, 4, 1000])
    return [
        [[rng.randint(0, steps) / steps for _ in range(rng.randint(1, 4))] for _ in range(2)]
        for _ in range(rng.randint(2, 14))
    ]


def plainly(cases):
    """Variances between cases and within them, straight from their definitions; the second None without repeats."""
    means = [fmean(other) - fmean(one) for one, other in cases]
    seen = sum((value - fmean(means)) ** 2 for value in means) / (len(means) - 1)
    within = []
    for side in (0, 1):
        several = [case[side] for case in cases if len(case[side]) > 1]
        if not several:
            return seen, None
        spread = sum((value - fmean(trials)) ** 2 for trials in several for value in trials)
        within.append(spread / (sum(map(len, several)) - len(several)))
    noise = fmean(within[0] / len(one) + within[1] / len(other) for one, other in cases)
    return max(0.0, seen - noise), sum(within)


def test_plans_agree_with_an_independent_computation_on_a_thousand_matrices():
    rng = random.Random(23)
    repeated = needing = 0
    for _ in range(MATRICES):
        seen = ragged(rng)
        spread = spread_of([(moments(one), moments(other)) for one, other in seen])
        between, within = plainly(seen)
        assert spread.between == pytest.approx(between, abs=1e-9)
        assert spread.has_repeats == (within is not None)
        assert spread.within == pytest.approx(within or 0.0, abs=1e-9)
        repeated += spread.has_repeats
        cases, trials = rng.randint(2, 14), rng.randint(1, 5)

        def smallest(cases, trials, between=between, within=within or 0.0):
            return (quantile(cases - 1) + Z_OF_POWER) * sqrt((between + within / trials) / cases)

        assert smallest_difference(spread, cases, trials) == pytest.approx(smallest(cases, trials), rel=1e-4, abs=1e-7)
        difference = rng.uniform(0.05, 0.6)
        found = needed(spread, difference, cases, trials)
        if found is None:
            assert smallest(cases, trials) <= difference * 1.001
            continue
        needing += 1
        assert smallest(cases, trials) > difference * 0.999
        if found.trials is None:
            assert not spread.has_repeats or smallest(cases, MOST_TRIALS) > difference * 0.999
        else:
            assert smallest(cases, found.trials) <= difference * 1.001
            assert smallest(cases, found.trials - 1) > difference * 0.999
        assert smallest_difference(spread, found.cases, trials) <= difference
        assert smallest_difference(spread, found.cases - 1, trials) > difference
    assert min(repeated, needing) > MATRICES / 4


def test_shuffled_trials_show_no_difference_beyond_chance():
    """Which trial belongs to which of two agents is left to chance: what a comparison then finds is chance."""
    rng = random.Random(29)
    by_score = by_verdict = 0
    for _ in range(MATRICES):
        share = [rng.random() for _ in range(40)]
        pairs = []
        for each in share:
            trials = passes(rng, each, 6)
            rng.shuffle(trials)
            pairs.append((trials[:3], trials[3:]))
        scores = ScorePairs(clustered_mean((fmean(other) - fmean(one), 1) for one, other in pairs))
        by_score += scores.p_value < 0.05
        firsts = [(one[0], other[0]) for one, other in pairs]
        verdicts = Pairs(
            firsts.count((1.0, 1.0)), firsts.count((1.0, 0.0)), firsts.count((0.0, 1.0)), firsts.count((0.0, 0.0))
        )
        by_verdict += verdicts.p_value < 0.05
    # Five in a hundred are promised; three standard deviations of a thousand more are allowed.
    most = MATRICES * (0.05 + 3 * sqrt(0.05 * 0.95 / MATRICES))
    assert by_score <= most
    assert by_verdict <= most
