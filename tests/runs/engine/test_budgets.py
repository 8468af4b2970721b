import sys
from datetime import timedelta

import pytest

from packs.formats.task import Budgets, Price
from runs.agents.contract import AgentFailed
from runs.engine.budgets import Spending
from runs.engine.outcome import Verdict
from runs.engine.rescoring import score_again
from runs.replay.causes import Fault
from tests.runs.tasks import grade, make_task, payload, run, types


def called(provider="openai", model="small", **usage):
    return {"provider_key": provider, "provider_model_id": model, "usage": usage}


def test_a_call_is_counted_once_however_it_is_told():
    spending = Spending()
    for event_type in ("tool.call.started", "tool.call.failed", "tool.call.completed"):
        spending.count(event_type, {})
    assert spending.tool_calls == 2


def test_what_would_pass_a_limit_is_refused_before_it_begins():
    started = {"type": "tool.call.started", "payload": {"tool_name": "t"}}
    ended = {"type": "tool.call.completed", "payload": {"tool_name": "t"}}
    script = {"default": {"output": "hub", "events": [started, ended, started]}}
    outcome, events = run(make_task(budgets=Budgets(tool_calls=1)), "scripted", script)
    assert (outcome.stop_reason, types(events).count("tool.call.started")) == ("tool_limit", 1)


@pytest.mark.parametrize(
    ("prices", "usage", "cost"),
    [
        ((Price("openai", "small", 1.0, 2.0),), {"input_tokens": 1_000_000, "output_tokens": 500_000}, 2.0),
        ((Price("openai", "small", 1.0, 2.0),), {"input_tokens": 1_000_000, "cost_usd": 9.0}, 1.0),
        ((), {"input_tokens": 10, "cost_usd": 0.25}, 0.25),
        ((), {"input_tokens": 10}, None),
    ],
)
def test_the_price_of_the_pack_counts_and_else_what_the_call_says(prices, usage, cost):
    spending = Spending(prices=prices)
    spending.count("model.call.completed", called(**usage))
    assert spending.cost_usd == cost


def test_tokens_add_up_where_no_total_is_told():
    spending = Spending()
    spending.count("model.call.completed", called(input_tokens=3, output_tokens=4))
    spending.count("model.call.completed", called(total_tokens=10))
    assert spending.usage() == {
        "steps": 0,
        "tool_calls": 0,
        "input_tokens": 3,
        "output_tokens": 4,
        "total_tokens": 17,
    }


@pytest.mark.parametrize("odd", [-5, 2**63, 10**30, True, "7", None])
def test_what_is_no_number_of_tokens_and_no_amount_counts_for_nothing(odd):
    spending = Spending()
    spending.count("model.call.completed", called(input_tokens=3, output_tokens=4, cost_usd=0.5))
    cost = odd if odd in (-5, True, "7") else float("inf")
    spending.count("model.call.completed", called(input_tokens=odd, output_tokens=odd, cost_usd=cost))
    assert (spending.tokens, spending.cost_usd) == (
        {"input_tokens": 3, "output_tokens": 4, "total_tokens": 7},
        0.5,
    )


def test_the_call_that_passes_the_cost_is_the_last():
    spending = Spending(Budgets(cost_usd=0.5))
    spending.count("model.call.completed", called(cost_usd=0.5))
    spending.check()
    spending.count("model.call.completed", called(cost_usd=0.01))
    with pytest.raises(AgentFailed) as failure:
        spending.check()
    assert failure.value.stop_reason == "cost_limit"


@pytest.mark.parametrize(("are_decisive", "verdict"), [(False, Verdict.PASSED), (True, Verdict.FAILED)])
def test_a_passed_limit_outweighs_the_graders_only_where_budgets_are_decisive(are_decisive, verdict):
    step = {"type": "system.step.started", "payload": {}}
    task = make_task(budgets=Budgets(steps=1, are_decisive=are_decisive), target="literal:hub")
    outcome, _ = run(task, "scripted", {"default": {"output": "x", "events": [step, step]}})
    assert (outcome.verdict, outcome.stop_reason, outcome.fault) == (verdict, "step_limit", Fault.AGENT)


def test_a_recording_that_passed_a_decisive_limit_has_failed():
    steps = [{"event_type": "system.step.started", "payload": {}}] * 2
    within = make_task(budgets=Budgets(steps=2, are_decisive=True))
    beyond = make_task(budgets=Budgets(steps=1, are_decisive=True))
    assert grade(within, "hub", steps)[0].verdict is Verdict.PASSED
    assert grade(beyond, "hub", steps)[0].verdict is Verdict.FAILED
    assert grade(make_task(budgets=Budgets(steps=1)), "hub", steps)[0].verdict is Verdict.PASSED


def by_a_run(task, steps):
    return run(task, "recorded", {"outputs": [{"case_key": "one", "output": "hub", "events": steps}]})[0]


def by_a_second_scoring(task, steps):
    _, events = run(make_task(), "recorded", {"outputs": [{"case_key": "one", "output": "hub", "events": steps}]})
    return score_again(task, events)


def by_hand(task, steps):
    return grade(task, "hub", steps)[0]


def at_second(event_type, second, **payload):
    return {"event_type": event_type, "occurred_at": f"2026-03-01T10:00:{second:02}Z", "payload": payload}


@pytest.mark.parametrize("graded", [by_a_run, by_a_second_scoring, by_hand])
@pytest.mark.parametrize(
    ("are_decisive", "seconds", "reason"), [(True, 9, "timeout"), (True, 10, "completed"), (False, 9, "completed")]
)
def test_a_recorded_trial_that_took_too_long_has_failed_where_budgets_are_decisive(
    graded, are_decisive, seconds, reason
):
    steps = [at_second("system.step.started", second) for second in (0, 10)]
    outcome = graded(make_task(budgets=Budgets(wall_seconds=seconds, are_decisive=are_decisive)), steps)
    assert (outcome.stop_reason, outcome.verdict is Verdict.FAILED) == (reason, reason == "timeout")
    told = "The agent was stopped: it may not use more than 9 seconds."
    assert outcome.error == (told if reason == "timeout" else "")


@pytest.mark.parametrize("graded", [by_a_run, by_a_second_scoring, by_hand])
def test_the_time_of_a_recorded_trial_is_that_of_its_agent(graded):
    """Set-up, and what graders did before the end, is not the agent's: the end says how long it worked."""
    steps = [at_second("system.run.started", 0), at_second("system.run.completed", 50, latency_ms=9000)]
    task = make_task(budgets=Budgets(wall_seconds=9, are_decisive=True))
    assert graded(task, steps).verdict is Verdict.PASSED


@pytest.mark.parametrize("graded", [by_a_run, by_hand])
@pytest.mark.parametrize(
    ("payload", "status", "reason"),
    [
        ({"stop_reason": "gone", "fault": "machine"}, "error", "gone"),
        ({"stop_reason": "cancelled"}, "cancelled", "not_recorded"),
        ({"stop_reason": "cost_limit"}, "failed", "cost_limit"),
        ({"stop_reason": "agent_error"}, "failed", "timeout"),
    ],
)
def test_a_late_end_keeps_the_blame_and_the_limit_that_it_has(graded, payload, status, reason):
    steps = [at_second("system.run.started", 0), at_second("system.run.failed", 50, error="no", **payload)]
    outcome = graded(make_task(budgets=Budgets(wall_seconds=9, are_decisive=True)), steps)
    assert (outcome.verdict.value, outcome.stop_reason) == (status, reason)


def test_an_agent_that_failed_in_time_keeps_its_reason_however_long_the_set_up_took():
    script = "import sys; print('hub'); sys.exit(3)"
    config = {"arguments": [sys.executable, "-c", script]}
    _, events = run(make_task(), "command", config)
    [started] = [event for event in events if event["event_type"] == "system.run.started"]
    started["occurred_at"] -= timedelta(hours=1)
    again = score_again(make_task(budgets=Budgets(wall_seconds=1800, are_decisive=True)), events)
    assert (again.verdict, again.stop_reason) == (Verdict.FAILED, "agent_error")


def test_a_limit_that_only_the_recording_knows_is_named_without_an_amount():
    steps = [at_second("system.run.failed", 0, stop_reason="timeout")]
    outcome, _ = grade(make_task(budgets=Budgets(are_decisive=True)), None, steps)
    assert outcome.error == "The agent was stopped at a limit of its time."


def test_a_trial_says_what_it_used_up():
    call = {"type": "model.call.completed", "payload": called(input_tokens=3, output_tokens=4, cost_usd=0.5)}
    outcome, events = run(make_task(), "scripted", {"default": {"output": "hub", "events": [call]}})
    assert (outcome.usage["total_tokens"], outcome.usage["cost_usd"]) == (7, 0.5)
    assert payload(events, "system.run.completed")["total_tokens"] == 7


def test_a_program_is_stopped_at_the_call_that_it_may_not_make():
    text = """
import json, sys, time
for number in range(9):
    print(json.dumps({"type": "tool.call.started", "payload": {"tool_name": "t"}}), flush=True)
    print(json.dumps({"type": "tool.call.completed", "payload": {"tool_name": "t"}}), flush=True)
time.sleep(60)
"""
    config = {"arguments": [sys.executable, "-c", text], "protocol": "events"}
    outcome, events = run(make_task(budgets=Budgets(tool_calls=2)), "command", config)
    assert (outcome.stop_reason, outcome.verdict) == ("tool_limit", Verdict.FAILED)
    assert types(events).count("tool.call.completed") == 2
    assert payload(events, "system.run.failed")["stop_reason"] == "tool_limit"
