import pytest

from runs.results.spelling import in_digits


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
