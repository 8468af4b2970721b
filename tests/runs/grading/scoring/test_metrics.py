from pathlib import Path

import pytest

from runs.grading.scoring.metrics import COLLECTORS
from tests.runs.grading.scoring.trials import FAILS, MISSES, PASSES, metric

ROOT = Path(__file__).resolve().parents[4]
CALL = ("tool.call.completed", {"tool_name": "x"})


@pytest.mark.parametrize(
    ("collector", "pairs", "value"),
    [
        ("run_input_tokens", [("system.run.completed", {"input_tokens": 5})], 5),
        ("run_output_tokens", [("system.run.completed", {"usage": {"output_tokens": 6}})], 6),
        ("run_total_tokens", [("system.run.completed", {"total_tokens": 7})], 7),
        ("run_total_tokens", [("system.run.completed", {"total_tokens": True})], None),
        ("run_tool_call_count", [CALL, CALL], 2),
        ("run_tool_call_count", [CALL, ("system.run.completed", {"tool_call_count": 7})], 7),
        ("run_tool_call_count", [("system.run.completed", {"tool_call_count": 0})], 0),
        ("run_tool_call_count", [], None),
        ("run_race_context_tokens", [("race.standings.injected", {"tokens_added": 40})] * 2, 80),
        (
            "run_agent_tokens",
            [("race.standings.injected", {"tokens_added": 4}), ("system.run.completed", {"total_tokens": 10})],
            6,
        ),
        (
            "run_agent_tokens",
            [("race.standings.injected", {"tokens_added": 40}), ("system.run.completed", {"total_tokens": 10})],
            0,
        ),
        ("run_agent_tokens", [], None),
        ("run_completed_successfully", [("system.run.completed", {})], True),
        ("run_completed_successfully", [("system.run.completed", {}), ("system.run.failed", {})], False),
        ("run_completed_successfully", [], None),
        ("run_failure_count", [("system.run.failed", {}), ("sandbox.command.failed", {}), ("tool.call.failed", {})], 3),
        ("run_failure_count", [], 0),
        ("run_model_cost_usd", [], None),
        ("behavioral_error_cascade_score", [("tool.call.failed", {"tool_name": "x"})] * 4, 0.25),
        ("behavioral_recovery_score", [], 1),
        ("behavioral_exploration_efficiency_score", [CALL, CALL], 0.5),
        ("behavioral_scope_adherence_score", [("tool.call.failed", {"tool_name": "x", "failure_origin": "policy"})], 0),
    ],
)
def test_each_collector_takes_its_value_from_the_events(collector, pairs, value):
    result = metric(collector, *pairs)
    assert result.value == value
    assert result.state == ("unavailable" if value is None else "available")


def test_the_pass_rate_needs_a_score_of_every_grader():
    assert metric("validator_pass_rate", graders=(PASSES, FAILS)).value == 0.5
    assert metric("validator_pass_rate", graders=(PASSES, MISSES)).value is None
    assert metric("validator_pass_rate", graders=()).value is None


def test_an_unknown_collector_is_an_error():
    assert metric("behavioral_confidence_calibration_score").state == "error"


@pytest.mark.parametrize("collector", COLLECTORS)
def test_every_collector_is_documented(collector):
    assert f"`{collector}`" in (ROOT / "docs" / "scoring.md").read_text()
