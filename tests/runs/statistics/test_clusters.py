import random
from math import sqrt
from statistics import fmean, stdev

import pytest

from runs.statistics.clusters import clustered_mean
from runs.statistics.estimates import score_interval


def test_one_value_a_cluster_gives_the_usual_error():
    values = [0.2, 0.9, 0.4, 0.7, 0.5]
    found = clustered_mean((value, 1) for value in values)
    assert found.mean == pytest.approx(fmean(values))
    assert found.error == pytest.approx(stdev(values) / sqrt(len(values)))
    assert found.interval == pytest.approx(score_interval(values))


def test_trials_that_repeat_each_other_add_no_certainty():
    values = [0.2, 0.9, 0.4, 0.7]
    once = clustered_mean((value, 1) for value in values)
    often = clustered_mean((value * 10, 10) for value in values)
    assert often.interval == pytest.approx(once.interval)


def test_the_interval_holds_the_true_mean_as_often_as_it_says():
    """Cases with values of their own and five noisy trials each, many times over."""
    rng = random.Random(11)
    held = 0
    for _ in range(600):
        centres = [rng.gauss(0.5, 0.2) for _ in range(25)]
        found = clustered_mean((sum(centre + rng.gauss(0, 0.1) for _ in range(5)), 5) for centre in centres)
        low, high = found.interval
        held += low <= 0.5 <= high
    assert 0.92 <= held / 600 <= 0.98


def test_one_cluster_says_nothing_of_others():
    assert clustered_mean([]) is None
    assert clustered_mean([(0.0, 0)]) is None
    alone = clustered_mean([(1.5, 3)])
    assert (alone.mean, alone.error, alone.interval) == (0.5, None, None)


@pytest.mark.parametrize("value", [0.0, 0.1, 1.0])
def test_values_that_are_all_the_same_show_no_spread(value):
    found = clustered_mean((value * count, count) for count in (1, 2, 3, 7))
    assert (found.mean, found.error, found.interval) == (pytest.approx(value), None, None)
