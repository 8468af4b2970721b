import pytest

from runs.results.spelling import dollars, in_digits, lasting, spent
from runs.statistics.sums import Sum


@pytest.mark.parametrize(
    ("number", "shown"),
    [
        (None, "–"),
        (0.00024633, "0.000246"),
        (0.41667, "0.417"),
        (999.4, "999"),
        (1234.5, "1,234"),
        (-20_000, "-20,000"),
    ],
)
def test_a_number_has_the_digits_that_tell_something(number, shown):
    assert in_digits(number) == shown


@pytest.mark.parametrize(
    ("total", "shown"),
    [
        (Sum(None, 3), "–"),
        (Sum(0.25), "$0.2500"),
        (Sum(1234.5), "$1,234.50"),
        (Sum(0.25, 1), "at least $0.2500; not known of 1 trial"),
        (Sum(2.0, 1200), "at least $2.00; not known of 1,200 trials"),
    ],
)
def test_a_sum_of_which_parts_are_not_known_is_the_least(total, shown):
    assert spent(dollars(total.known), total) == shown


@pytest.mark.parametrize(("seconds", "shown"), [(9, "9 s"), (75, "1 min 15 s"), (7260, "2 h 1 min")])
def test_a_time_reads_in_its_two_largest_units(seconds, shown):
    assert lasting(seconds) == shown
