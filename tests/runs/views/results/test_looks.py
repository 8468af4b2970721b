"""What cells of the grid look like."""

import pytest

from runs.views.results.looks import look_of


@pytest.mark.parametrize(
    ("statuses", "shade", "words"),
    [
        (("passed",), 10, "Passed"),
        (("failed",), 0, "Failed"),
        (("passed", "passed", "failed"), 7, "2 of 3 passed, flaky"),
        (("failed", "error", "error"), 0, "0 of 1 passed, 2 errors"),
        (("undecided",), None, "1 undecided"),
        (("queued", "running", "passed"), 10, "1 of 1 passed, 2 open"),
        (("cancelled", "passed"), 10, "1 of 1 passed, 1 cancelled"),
    ],
)
def test_a_cell_says_what_passed_of_what_was_judged_and_what_is_missing(statuses, shade, words):
    assert (look_of(statuses).shade, look_of(statuses).described) == (shade, words)
