import pytest

from packs.formats.task import Price
from tests.runs.grading.scoring.trials import card, metric

PRICES = (Price("openai", "small", 1.0, 2.0), Price("openai", "big-2026", 10.0, 20.0))


def call(model, provider="openai", **usage):
    return "model.call.completed", {"provider_key": provider, "provider_model_id": model, "usage": usage}


@pytest.mark.parametrize(
    ("pairs", "usd"),
    [
        ([call("small", input_tokens=1_000_000, output_tokens=500_000)], 2.0),
        ([call("small-2026-01-31", input_tokens=2_000_000)], 2.0),
        ([call("small", input_tokens=1_000_000), call("big-2026", output_tokens=100_000)], 3.0),
        ([call(" small ", input_tokens=1_000_000)], 1.0),
        ([call("small", "other", input_tokens=1)], None),
        ([call("tiny", input_tokens=1)], None),
        ([call("small")], None),
        (
            [
                ("model.call.started", {"provider_key": "openai", "model": "small"}),
                ("system.run.completed", {"input_tokens": 1e6}),
            ],
            1.0,
        ),
        (
            [call("small"), call("big-2026"), ("system.run.completed", {"input_tokens": 1e6})],
            None,
        ),
    ],
)
def test_usage_is_priced_per_model(pairs, usd):
    assert metric("run_model_cost_usd", *pairs, prices=PRICES).value == usd


def test_what_a_passed_grader_cost_is_told_where_prices_are_stated():
    priced = card(pairs=[call("small", input_tokens=1_000_000)], prices=PRICES).as_dict()
    assert priced["side_metrics"]["cost_per_correct_usd"] == {
        "state": "available",
        "value": 1.0,
        "unit": "usd",
        "numerator": 1.0,
        "denominator": 1.0,
    }
    assert "side_metrics" not in card().as_dict()
    assert card(prices=PRICES).as_dict()["side_metrics"]["cost_per_correct_usd"]["state"] == "unavailable"
