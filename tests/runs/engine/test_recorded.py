"""Events that were recorded elsewhere, taken over."""

from datetime import UTC, datetime, timedelta

import pytest

from packs.formats.task import GraderSpec
from runs.engine.given import grade_given
from runs.engine.outcome import Fault
from runs.engine.recorded import copy_recording
from runs.engine.recorder import Recorder
from runs.engine.rooms import without_assets
from runs.grading.graders.evidence import build_evidence
from runs.sandbox import SANDBOXES
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


def durations(events):
    """How long a recorded trial took, and its turn, as graders and scores read it."""
    told = []
    copy_recording(Recorder("native", told.append), "hub", events)
    recording = build_evidence([], told).recording
    return recording.milliseconds, recording.parts[0].milliseconds if recording.parts else None


def test_a_trial_of_which_nobody_told_when_it_took_place_took_no_time_that_is_known():
    assert durations([]) == (None, None)
    turn = [
        {"event_type": "turn.user.message", "payload": {"turn_index": 0, "content": "Hi"}},
        {"event_type": "turn.assistant.message", "payload": {"turn_index": 0, "content": "Hello"}},
    ]
    assert durations(turn) == (None, None)
    started = {"event_type": "system.run.started", "payload": {}}
    assert durations([started, {"event_type": "system.run.completed", "payload": {}}]) == (None, None)
    assert durations([{**started, "occurred_at": BEGAN.isoformat()}]) == (None, None)


def test_a_trial_took_the_time_that_its_events_or_its_end_tell():
    started = {"event_type": "system.run.started", "occurred_at": BEGAN.isoformat()}
    ended = {"event_type": "system.run.completed", "occurred_at": (BEGAN + timedelta(seconds=2)).isoformat()}
    assert durations([started, ended])[0] == 2000
    assert durations([{"event_type": "system.run.completed", "payload": {"latency_ms": 70}}])[0] == 70
    steps = [
        {"event_type": "system.step.started", "occurred_at": (BEGAN + timedelta(seconds=second)).isoformat()}
        for second in (0, 3)
    ]
    assert durations(steps)[0] == durations([{"event_type": "system.run.started"}, *steps])[0] == 3000


@pytest.mark.parametrize(
    ("assertion", "score"),
    [
        ({"type": "latency", "threshold": 1000}, 0.0),
        ({"type": "execution-metrics", "max_duration_ms": 1000, "max_tool_calls": 1}, 0.5),
    ],
)
def test_a_limit_of_time_is_missed_where_no_time_is_known(assertion, score):
    spec = GraderSpec("it", f"agentv.{assertion['type']}", config={"assertion": {"name": "it", **assertion}})
    task = make_task(graders=(spec,))
    found = grade_given(task, "hub", (), SANDBOXES["local"], without_assets)
    assert [grade.score for grade in found.grades] == [score]
    ended = {"event_type": "system.run.completed", "payload": {"latency_ms": 70}}
    found = grade_given(task, "hub", [ended], SANDBOXES["local"], without_assets)
    assert [grade.score for grade in found.grades] == [1.0]


def test_what_has_no_time_of_its_own_happened_when_its_neighbours_did():
    later = BEGAN + timedelta(seconds=4001)
    told = [
        {"event_type": "tool.call.completed", "payload": {}},
        {"event_type": "tool.call.completed", "payload": {}, "occurred_at": BEGAN.isoformat()},
        {"event_type": "tool.call.completed", "payload": {}, "occurred_at": "yesterday"},
        {"event_type": "tool.call.completed", "payload": {}, "occurred_at": later.isoformat()},
        {"event_type": "grader.evidence.supplied", "payload": {}},
    ]
    events = []
    copy_recording(Recorder("native", events.append), "hub", told)
    first, *others = [event["occurred_at"] for event in events]
    assert (first, others[:4], set(others[4:])) == (BEGAN, [BEGAN, BEGAN, BEGAN, later], {later})


def test_the_end_of_a_recording_keeps_its_own_time():
    ended = BEGAN + timedelta(seconds=60)
    told = [
        {"event_type": "tool.call.completed", "payload": {}, "occurred_at": BEGAN},
        {"event_type": "system.run.completed", "payload": {"final_output": "hub"}, "occurred_at": ended},
    ]
    events = []
    copy_recording(Recorder("native", events.append), "hub", told)
    assert [event["occurred_at"] for event in events[2:]] == [ended, ended]
