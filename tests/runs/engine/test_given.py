import pytest

from packs.formats.task import Environment, GraderSpec, WorkspaceFile
from runs.engine.given import grade_given
from runs.engine.outcome import Verdict
from runs.engine.rooms import without_assets
from runs.replay.causes import Fault
from runs.sandbox import SANDBOXES
from tests.runs.tasks import grade, make_task, types

SANDBOX = next(sandbox for sandbox in SANDBOXES.values() if not sandbox.obstacle())
REPOSITORY = {"src/calc.py": b"def add(a, b):\n    return a - b\n", "check.py": b"import src.calc\n"}
FIX = (
    "diff --git a/src/calc.py b/src/calc.py\n--- a/src/calc.py\n+++ b/src/calc.py\n"
    "@@ -1,2 +1,2 @@\n def add(a, b):\n-    return a - b\n+    return a + b\n"
)


def task_of(kind, config, files=(), **environment):
    return make_task(
        graders=(GraderSpec("verifier", kind, "final_output", config=config, files=files),),
        environment=Environment(**environment),
    )


def verdict(task, output, files=None):
    return grade_given(task, output, (), SANDBOX, without_assets, files).verdict


@pytest.mark.parametrize(("code", "expected"), [("x = 1", Verdict.PASSED), ("x = 2", Verdict.FAILED)])
def test_code_is_run_although_nobody_worked_in_a_workspace(code, expected):
    config = {"tests": {"source": "inline", "code": "assert x == 1"}, "environment": {"image": "i"}}
    assert verdict(task_of("code_completion", config), code) is expected


def test_a_patch_is_applied_to_the_given_repository_without_its_image():
    tests = {"source": "command", "command": "grep -q 'a + b' src/calc.py"}
    config = {"tests": tests, "environment": {"image": "i", "workdir": "/workspace"}}
    task = task_of("repo_patch", config, image="no-such-image", materialize_from_image=True)
    assert verdict(task, FIX, REPOSITORY) is Verdict.PASSED


def test_a_checker_looks_at_the_given_files_and_its_hidden_ones_win():
    config = {"checker": {"command": "sh check.sh"}, "environment": {"image": "i"}}
    task = task_of("terminal_task", config, (WorkspaceFile("check.sh", "test -f done"),))
    assert verdict(task, "", {"done": b"", "check.sh": b"exit 1"}) is Verdict.PASSED
    assert verdict(task, "", {"check.sh": b"exit 0"}) is Verdict.FAILED


def test_events_that_tell_of_a_failed_agent_are_graded_as_such():
    task = make_task()
    events = [{"event_type": "system.run.failed", "payload": {"error": "gone", "stop_reason": "provider_error"}}]
    assert grade_given(task, None, events, SANDBOX, without_assets).verdict is Verdict.FAILED


@pytest.mark.parametrize(
    ("files", "environment"),
    [({"../x": b""}, {}), ({"a/../../x": b""}, {}), (None, {"obstacle": "This case cannot be run."})],
)
def test_what_no_workspace_can_be_made_of_is_told_and_never_graded(files, environment):
    config = {"checker": {"command": "true"}, "environment": {"image": "i"}}
    task = task_of("terminal_task", config, **environment)
    found = grade_given(task, "", (), SANDBOX, without_assets, files)
    assert (found.verdict, found.fault, found.grades) == (Verdict.ERROR, Fault.PACK, ())
    assert found.error


@pytest.mark.parametrize(
    "event",
    [
        {"event_type": ["model.call.completed"]},
        {"event_type": {}},
        {"payload": {}},
        {"event_type": "system.run.completed", "payload": [1]},
        {"event_type": "system.run.failed", "payload": "gone"},
    ],
    ids=str,
)
def test_events_of_an_odd_shape_are_the_failure_of_whoever_recorded_them(event):
    found = grade_given(make_task(), "hub", [event], SANDBOX, without_assets)
    assert (found.verdict, found.fault) == (Verdict.FAILED, Fault.AGENT)


def test_a_recorded_output_is_graded_without_running_anything():
    outcome, _ = grade(make_task(), "It is at the hub.")
    assert (outcome.verdict, outcome.final_output) == (Verdict.PASSED, "It is at the hub.")


def test_recorded_events_are_the_evidence_with_their_own_times():
    recorded = [
        {"event_type": "system.run.started", "occurred_at": "2026-03-01T10:00:00Z", "payload": {}},
        {"event_type": "tool.call.completed", "occurred_at": "2026-03-01T10:00:01Z", "payload": {"tool_name": "t"}},
        {
            "event_type": "system.run.completed",
            "occurred_at": "2026-03-01T10:00:02Z",
            "source": "hosted_callback",
            "payload": {"final_output": "the hub", "stop_reason": "completed"},
        },
    ]
    outcome, events = grade(make_task(), None, recorded)
    assert (outcome.verdict, outcome.final_output) == (Verdict.PASSED, "the hub")
    assert types(events)[:3] == ["system.run.started", "tool.call.completed", "system.run.completed"]
    assert [event["occurred_at"].second for event in events[:3]] == [0, 1, 2]
    assert events[2]["source"] == "hosted_callback"


def test_a_recorded_failure_stays_one():
    recorded = [{"event_type": "system.run.failed", "payload": {"error": "boom", "stop_reason": "timeout"}}]
    outcome, _ = grade(make_task(), None, recorded)
    assert (outcome.verdict, outcome.fault, outcome.error) == (Verdict.FAILED, Fault.AGENT, "boom")


@pytest.mark.parametrize("event", [{"event_type": "no.such"}, {"event_type": "turn.completed", "payload": 1}, {}])
def test_a_recording_that_cannot_be_read_is_the_agents_fault(event):
    assert grade(make_task(), "hub", [event])[0].fault is Fault.AGENT
