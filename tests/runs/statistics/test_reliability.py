import krippendorff
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from runs.statistics.reliability import alpha, interval, nominal

# Krippendorff (2011), section C: 12 units, 4 observers, values missing; alpha 0.743 nominal, 0.849 interval.
OBSERVERS = [
    "1 2 3 3 2 1 4 1 2 . . .",
    "1 2 3 3 2 2 4 1 2 5 . 3",
    ". 3 3 3 2 3 4 2 2 5 1 .",
    "1 2 3 3 2 4 4 1 2 5 1 .",
]
UNITS = [
    [float(value) for value in column if value != "."]
    for column in zip(*(line.split() for line in OBSERVERS), strict=True)
]
TABLES = st.integers(2, 4).flatmap(
    lambda raters: st.lists(
        st.lists(st.sampled_from([None, 0.0, 1.0, 2.0, 4.0]), min_size=raters, max_size=raters), min_size=1, max_size=12
    )
)


@pytest.mark.parametrize(("distance", "expected"), [(nominal, 0.743), (interval, 0.849)])
def test_alpha_is_that_of_the_paper(distance, expected):
    assert alpha(UNITS, distance) == pytest.approx(expected, abs=5e-4)


@pytest.mark.parametrize(("distance", "level"), [(nominal, "nominal"), (interval, "interval")])
@given(table=TABLES)
def test_alpha_is_that_of_the_package(distance, level, table):
    units = [[value for value in unit if value is not None] for unit in table]
    paired = [value for unit in units if len(unit) > 1 for value in unit]
    assume(len(set(paired)) > 1)
    data = [[float("nan") if value is None else value for value in rater] for rater in zip(*table, strict=True)]
    expected = krippendorff.alpha(reliability_data=data, level_of_measurement=level)
    assert alpha(units, distance) == pytest.approx(expected, abs=1e-9)


def test_without_two_different_values_there_is_no_alpha():
    assert alpha([]) is None
    assert alpha([[1.0], [0.0]]) is None
    assert alpha([[1.0, 1.0], [1.0, 1.0]]) is None
    assert alpha([[1.0, 1.0], [0.0, 0.0]]) == 1
