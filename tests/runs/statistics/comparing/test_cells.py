"""What the trials of one column say of one case."""

import pytest

from runs.statistics.comparing.cells import Sample, cell_of
from runs.statistics.estimates import PassEstimate

PLACE = ("a", "default", "parcels", "d1")


def cell(*states, metric="pass^k", k=1, scores=()):
    samples = [
        Sample(at + 1, at + 1, state, scores[at] if scores else None, 0.5 if at else None, None, 2.0 * (at + 1))
        for at, state in enumerate(states)
    ]
    return cell_of(PLACE, PassEstimate(metric, k, states), samples)


@pytest.mark.parametrize(
    ("states", "verdict", "state"),
    [
        (("passed",), "pass", "passed"),
        (("failed",), "fail", "failed"),
        (("error",), "incomplete", "error"),
        (("undecided",), "incomplete", "undecided"),
        (("cancelled",), "incomplete", "cancelled"),
        (("left_out",), "incomplete", "left_out"),
        (("cancelled", "error"), "incomplete", "error"),
        (("error", "running"), "incomplete", "open"),
        (("queued",), "incomplete", "open"),
        (("error", "passed"), "pass", "passed"),
    ],
)
def test_what_gives_no_verdict_is_called_by_its_reason_and_never_a_fail(states, verdict, state):
    found = cell(*states)
    assert (found.verdict, found.state, found.is_telling) == (verdict, state, verdict != "incomplete")


def test_the_trial_to_look_at_ended_as_the_case_did():
    assert cell("passed", "failed", k=2).deciding.number == 2
    assert cell("failed", "passed", metric="pass@k", k=2).deciding.number == 2


def test_scores_are_of_trials_that_count_and_usage_of_what_is_known():
    found = cell("passed", "error", "failed", scores=(1.0, 0.9, 0.5))
    assert (found.score, found.is_flaky) == (0.75, True)
    assert (found.cost_usd, found.tokens, found.seconds) == (1.0, None, 4.0)
