from datetime import UTC, datetime, timedelta

import pytest

from runs.views.trials.step_costs import COUNT, DOLLARS, SECONDS, Figure, costs_of, differ

BEGIN = datetime(2026, 3, 1, tzinfo=UTC)


def moment(seconds=0, **payload):
    return {"occurred_at": BEGIN + timedelta(seconds=seconds), "payload": payload}


def test_a_call_took_the_time_between_its_events_and_what_its_end_tells():
    usage = {"input_tokens": 5, "output_tokens": 2, "cost_usd": 0.5}
    assert costs_of([moment(), moment(1.5, usage=usage)]) == {"seconds": 1.5, "tokens": 7, "cost": 0.5}


@pytest.mark.parametrize("usage", [None, "much", {}, {"total_tokens": -1, "cost_usd": "x"}])
def test_what_is_not_told_is_not_known(usage):
    assert costs_of([moment(usage=usage)]) == {"seconds": None, "tokens": None, "cost": None}


def test_a_total_of_tokens_counts_before_its_parts():
    usage = {"input_tokens": 5, "output_tokens": 2, "total_tokens": 9}
    assert costs_of([moment(usage=usage)])["tokens"] == 9


def test_only_what_is_known_of_both_and_not_the_same_differs():
    a = {"seconds": 1.0, "tokens": 7, "cost": None}
    b = {"seconds": 1.0, "tokens": 5, "cost": 0.2}
    assert [(figure.name, figure.delta) for figure in differ(a, b)] == [("tokens", -2)]


@pytest.mark.parametrize(
    ("unit", "a", "b", "told"),
    [
        (SECONDS, 1.0, 2.25, "+1.25 s"),
        (SECONDS, 1.0, 1.001, ""),
        (DOLLARS, 0.5, 0.25, "−0.250000 $"),
        (COUNT, 1000, 12_000, "+11,000"),
        (COUNT, 4, None, ""),
    ],
)
def test_a_delta_is_written_with_its_sign_or_not_at_all(unit, a, b, told):
    assert Figure("x", unit, a, b).shown_delta == told


def test_an_unknown_amount_is_a_dash_and_nothing_is_nothing():
    figure = Figure("x", COUNT, None, 0)
    assert (figure.shown_a, figure.shown_b) == ("–", "0")
