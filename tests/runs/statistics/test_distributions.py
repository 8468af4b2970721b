import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runs.statistics.distributions import MOST, counted, steps

NUMBERS = st.floats(-1e9, 1e9, allow_nan=False).map(lambda value: round(value, 6))


@given(st.lists(NUMBERS, min_size=1, max_size=60))
def test_every_value_lies_in_one_of_a_few_steps(values):
    found = steps(min(values), max(values))
    assert 1 <= found.count <= MOST
    assert sum(counted(found, values)) == len(values)
    first, last = found.edges[0][0], found.edges[-1][1]
    slack = found.width * 1e-6
    assert first - slack <= min(values) <= max(values) <= last + slack


def test_steps_read_well():
    assert steps(0.3, 9.7, 10).edges[:2] == [(0, 1), (1, 2)]
    assert [low for low, _ in steps(0.0003, 0.0021, 5).edges] == [0.0, 0.0005, 0.001, 0.0015, 0.002]
    assert steps(7, 7).edges == [(7, 8)]


def test_counts_are_those_of_the_edges():
    rng = random.Random(3)
    values = [rng.lognormvariate(0, 1) for _ in range(500)]
    found = steps(min(values), max(values))
    expected = [sum(low <= value < high for value in values) for low, high in found.edges]
    assert counted(found, values) == pytest.approx(expected, abs=0)
