import random
from math import log, sqrt
from statistics import NormalDist, fmean
from statistics import correlation as plain_correlation

import pytest

from runs.statistics.items import LEAST_AGENTS, analyse, correlation, holm
from tests.runs.statistics.matrices import chance, generated, matrix, shuffled
from tests.runs.statistics.textbook import tail

MATRICES = 1000


def ragged(rng):
    """A matrix of any shape, with cells that nobody judged."""
    agents, cases = rng.randint(2, 9), rng.randint(1, 12)
    return matrix(
        [[tuple(rng.random() < 0.5 for _ in range(rng.randint(0, 4))) for _ in range(agents)] for _ in range(cases)]
    )


def plainly(given, place):
    """Difficulty and discrimination of a case, straight from their definitions."""
    rate = [[fmean(cell) if cell else None for cell in row] for row in given.cells]
    own, rest = [], []
    for agent in range(len(given.agents)):
        others = [row[agent] for at, row in enumerate(rate) if at != place and row[agent] is not None]
        if rate[place][agent] is not None and others:
            own.append(rate[place][agent])
            rest.append(fmean(others))
    difficulty = fmean(value for value in rate[place] if value is not None)
    varies = len(own) >= LEAST_AGENTS and all(max(side) - min(side) > 1e-9 for side in (own, rest))
    return difficulty, plain_correlation(own, rest) if varies else None, len(own)


def test_it_agrees_with_the_definitions_on_a_thousand_matrices():
    rng = random.Random(11)
    compared = 0
    for _ in range(MATRICES):
        given = ragged(rng)
        for item in analyse(given).items:
            difficulty, discrimination, agents = plainly(given, item.place)
            assert item.difficulty == pytest.approx(difficulty)
            assert item.flaky == sum(0 < sum(cell) < len(cell) for cell in given.cells[item.place])
            assert (item.discrimination is None) == (discrimination is None)
            if item.discrimination and discrimination is not None:
                assert item.discrimination.value == pytest.approx(discrimination, abs=1e-9)
                assert item.discrimination.count == agents
                compared += 1
    assert compared > MATRICES


@pytest.mark.parametrize("count", [5, 9, 30])
def test_interval_and_chance_are_those_of_the_textbook(count):
    rng = random.Random(count)
    pairs = [(at + rng.gauss(0, count), float(at)) for at in range(count)]
    found = correlation(pairs)
    t = abs(found.value) * sqrt((count - 2) / (1 - found.value**2))
    assert found.p_value == pytest.approx(tail(t, count - 2), abs=1e-6)
    normal = NormalDist().inv_cdf(0.975) / sqrt(count - 3)
    low, high = found.interval
    assert low < found.value < high

    def fisher(value):
        return 0.5 * log((1 + value) / (1 - value))

    assert fisher(high) - fisher(found.value) == pytest.approx(normal)
    assert fisher(found.value) - fisher(low) == pytest.approx(normal)


def test_what_was_put_into_a_matrix_is_found_again():
    rng = random.Random(5)
    hits = false = 0
    for _ in range(20):
        analysis = analyse(generated(rng))
        assert {item.place for item in analysis.items if item.is_never_solved} >= set(range(20))
        wrong = {item.place for item in analysis.wrong_way}
        hits += len(wrong & {20, 21, 22})
        false += len(wrong - {20, 21, 22})
        assert list(analysis.means) == sorted(analysis.means, key=lambda at: -analysis.means[at])
        assert list(analysis.means)[0] >= 6
    assert hits >= 30
    assert false <= 1


def test_difficulty_and_discrimination_follow_what_the_matrix_was_made_with():
    rng = random.Random(8)
    abilities = [at / 4 - 3 for at in range(25)]
    made = [(rng.uniform(-2, 2), rng.uniform(0.2, 3)) for _ in range(60)]
    rows = [
        [tuple(rng.random() < chance(ability, hard, slope) for _ in range(20)) for ability in abilities]
        for hard, slope in made
    ]
    items = analyse(matrix(rows)).items
    assert plain_correlation([item.difficulty for item in items], [-hard for hard, _ in made]) > 0.9
    steep = [item.discrimination.value for item, (_, slope) in zip(items, made, strict=True) if slope > 2]
    flat = [item.discrimination.value for item, (_, slope) in zip(items, made, strict=True) if slope < 0.6]
    assert fmean(steep) > fmean(flat) + 0.05


def test_shuffled_matrices_give_no_finding_beyond_chance():
    rng = random.Random(3)
    runs = 300
    found = any_way = 0
    for _ in range(runs):
        given = generated(rng, agents=rng.choice([4, 9, 12]), cases=30, never=rng.choice([0, 8]), wrong=0)
        analysis = analyse(shuffled(rng, given))
        found += bool(analysis.wrong_way)
        tested = [(item.discrimination.p_value, item) for item in analysis.items if item.discrimination]
        any_way += bool(holm(tested))
    # Five in a hundred may, and three standard errors of that more.
    assert any_way / runs <= 0.05 + 3 * sqrt(0.05 * 0.95 / runs)
    assert found <= any_way


def test_a_case_that_one_agent_alone_passes_is_no_finding_however_the_rest_falls():
    rows = [[(False,)] * at + [(True,)] * (9 - at) for at in range(1, 9)]
    lonely = [(True,)] + [(False,)] * 8
    analysis = analyse(matrix([*rows, [tuple(not won for won in cell) for cell in lonely]]))
    assert analysis.items[-1].discrimination.p_value >= 1 / 9


def test_a_set_that_the_best_agent_passes_is_saturated():
    assert analyse(matrix([[(True,), (False,)]] * 20)).is_saturated
    assert not analyse(matrix([[(True,), (False,)]] * 9 + [[(False,), (True,)]])).is_saturated


def test_an_agent_that_was_judged_at_few_cases_does_not_make_a_set_saturated():
    assert not analyse(matrix([[(True,), (False,)], *[[(), (False,)]] * 19])).is_saturated


def test_cells_without_a_judged_trial_are_not_failures():
    analysis = analyse(matrix([[(True,), ()], [(), ()], [(True, False), (False,)]]))
    assert [(item.key, item.agents, item.difficulty) for item in analysis.items] == [
        ("case 0", 1, 1.0),
        ("case 2", 2, 0.25),
    ]
    assert (analysis.cells, analysis.flaky_cells) == (3, 1)
