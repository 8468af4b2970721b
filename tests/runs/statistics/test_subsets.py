import random
from itertools import combinations
from statistics import fmean, stdev

import pytest

from runs.statistics.comparing.pairs import Pairs
from runs.statistics.estimates import t_quantile
from runs.statistics.items import means_of
from runs.statistics.subsets import agreement, duel, smallest_set
from tests.runs.statistics.matrices import generated, matrix, shuffled


def test_a_duel_names_the_cases_at_which_two_agents_differ():
    found = duel(matrix([[(True, True), (False, True)], [(False,), (True,)], [(True,), (True,)], [(True,), ()]]), 0, 1)
    assert found.gaps == [(1, -1.0), (0, 0.5)]
    assert found.count == 3
    values = [0.5, -1.0, 0.0]
    half = t_quantile(2) * stdev(values) / 3**0.5
    assert found.interval == pytest.approx((fmean(values) - half, fmean(values) + half))
    assert not found.is_decided


def test_a_duel_of_cases_without_spread_has_the_interval_that_a_comparison_shows():
    found = duel(matrix([[(True,), (False,)]] * 3), 0, 1)
    assert found.interval == Pairs(fixed=3).interval
    assert found.interval[0] < 0.5 < found.interval[1]


def test_a_duel_of_equal_parts_has_no_interval():
    found = duel(matrix([[(True, True), (True, False)]] * 3), 0, 1)
    assert (found.difference, found.interval, found.is_decided) == (0.5, None, False)


def test_agents_without_a_common_case_are_not_compared():
    assert duel(matrix([[(True,), ()], [(), (True,)]]), 0, 1) is None


def test_a_small_set_ranks_agents_as_all_cases_do():
    given = generated(random.Random(1))
    found = smallest_set(given)
    small, whole = means_of(given.only(found.places).rates), means_of(given.rates)
    assert found.kept == agreement(small, whole) == 1
    assert found.error == max(abs(one - other) for one, other in zip(small, whole, strict=True))
    assert len(found.places) <= 20
    for one, other in combinations(range(9), 2):
        if whole[one] > whole[other] + 1e-9:
            assert small[one] > small[other]


def test_an_agent_that_was_not_judged_at_a_small_set_is_not_ranked_by_it():
    given = matrix([[(), (True,)], [(False,), (True,)]])
    assert agreement(means_of(given.only([0]).rates), means_of(given.rates)) == 0
    assert list(smallest_set(given).places) == [1]


def test_its_ranking_is_checked_on_trials_that_it_was_not_chosen_by():
    rng = random.Random(2)
    noise = [smallest_set(shuffled(rng, generated(rng, never=0, wrong=0))) for _ in range(20)]
    sound = [smallest_set(generated(rng, never=0, wrong=0)) for _ in range(20)]
    # In noise a ranking is kept where it was chosen, and elsewhere hardly better than by a coin.
    assert fmean(found.kept for found in noise) > 0.95
    assert fmean(found.checked[1] for found in noise) < 0.8
    assert fmean(found.checked[1] for found in sound) > 0.85


def test_one_trial_a_cell_leaves_nothing_to_check_with():
    assert smallest_set(matrix([[(True,), (False,)]])).checked is None


def test_one_agent_has_no_ranking():
    assert smallest_set(matrix([[(True,)]])) is None
