"""Several comparisons at once."""

import random

import pytest

from runs.statistics.comparing.corrections import holm


def test_the_published_example_comes_out():
    """Four p-values, worked by hand: 4 x 0.005, 3 x 0.01, 2 x 0.03, and 0.04 not below the one before."""
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert (holm([]), holm([0.2]), holm([0.9, 0.8])) == ([], [0.2], [1.0, 1.0])


def test_false_alarms_of_a_family_stay_as_rare_as_one():
    rng, rounds, members = random.Random(7), 4000, 6
    alarms = sum(min(holm([rng.random() for _ in range(members)])) < 0.05 for _ in range(rounds))
    assert alarms / rounds < 0.05 + 4 * (0.05 * 0.95 / rounds) ** 0.5
    assert alarms / rounds > 0.03
