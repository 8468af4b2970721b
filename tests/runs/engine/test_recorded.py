"""Events that were recorded elsewhere, taken over."""

from datetime import UTC, datetime, timedelta

import pytest

from packs.formats.task import Budgets
from runs.engine.outcome import Ending, Fault
from runs.engine.recorded import copy_recording, in_time
from runs.engine.recorder import Recorder
from tests.runs.tasks import make_task, types

BEGAN = datetime(2026, 3, 1, tzinfo=UTC)


def test_what_judges_said_of_an_earlier_trial_is_not_taken_over():
    events = []
    told = [
        {"event_type": "model.call.completed", "payload": {}},
        {"event_type": "model.call.completed", "source": "worker_scoring", "payload": {}},
    ]
    ending = copy_recording(Recorder("native", events.append), "hub", told)
    assert types(events) == [
        "system.run.started",
        "model.call.completed",
        "system.output.finalized",
        "system.run.completed",
    ]
    assert ending.final_output == "hub"


@pytest.mark.parametrize(("seconds", "reason"), [(60, "completed"), (61, "timeout")])
def test_a_trial_that_took_longer_than_decisive_budgets_allow_ended_at_its_limit(seconds, reason):
    task = make_task(budgets=Budgets(wall_seconds=60, are_decisive=True))
    told = [{"occurred_at": BEGAN}, {"occurred_at": BEGAN + timedelta(seconds=seconds)}]
    assert in_time(task, Ending("hub", "completed"), told).stop_reason == reason


@pytest.mark.parametrize(
    ("stage", "fault", "reason"),
    [
        ("agent", Fault.AGENT, "agent_error"),
        (None, Fault.AGENT, "agent_error"),
        (["setup"], Fault.AGENT, "agent_error"),
        ("setup", Fault.PACK, "clone_failed"),
        ("repo_setup", Fault.PACK, "clone_failed"),
        ("evaluator", Fault.MACHINE, "clone_failed"),
    ],
)
def test_what_broke_before_or_after_the_agent_is_not_its_failure(stage, fault, reason):
    payload = {"error": "no", "failure_stage": stage, "failure_reason_code": "clone_failed"}
    told = [{"event_type": "system.run.failed", "payload": payload}]
    ending = copy_recording(Recorder("native", [].append), None, told)
    assert (ending.fault, ending.stop_reason, ending.error) == (fault, reason, "no")
