import sys

import pytest

from packs.formats.task import Budgets, Capture, Environment, WorkspaceFile
from runs.agents import AGENTS
from runs.engine.entrant import Entrant
from runs.engine.outcome import Verdict
from runs.engine.trial import run_trial
from runs.replay.causes import Fault
from runs.sandbox.contract import Isolation, SandboxUnavailable
from tests.runs.tasks import make_task, payload, run, types


def script(text, protocol="text", **more):
    return {"arguments": [sys.executable, "-c", text], "protocol": protocol, **more}


def test_a_trial_tells_its_story_in_order():
    outcome, events = run(make_task(expected="Where"))
    assert types(events) == [
        "system.run.started",
        "system.output.finalized",
        "system.run.completed",
        "scoring.started",
        "scoring.completed",
    ]
    assert [event["sequence_number"] for event in events] == [1, 2, 3, 4, 5]
    assert {event["source"] for event in events} == {"native_engine", "worker_scoring"}
    assert (outcome.verdict, outcome.score, outcome.final_output) == (Verdict.PASSED, 1.0, "Where is it?")
    done = payload(events, "system.run.completed")
    assert (done["stop_reason"], done["step_count"], done["tool_call_count"]) == ("completed", 1, 0)


@pytest.mark.parametrize(
    ("mode", "source"), [("prompt_eval", "prompt_eval_engine"), ("multi_turn", "multi_turn_engine")]
)
def test_the_source_says_how_the_agent_was_driven(mode, source):
    assert run(make_task(mode=mode))[1][0]["source"] == source


def test_a_wrong_answer_fails_and_is_nobodys_fault():
    outcome, _ = run(make_task(), "empty")
    assert (outcome.verdict, outcome.fault, outcome.score) == (Verdict.FAILED, Fault.NONE, 0.0)
    assert [grade.verdict.value for grade in outcome.grades] == ["fail"]


def test_an_agent_that_gives_up_has_failed_and_is_scored_all_the_same():
    outcome, events = run(make_task(), "scripted", {"default": {"error": "no key"}})
    assert (outcome.verdict, outcome.fault, outcome.error) == (Verdict.FAILED, Fault.AGENT, "no key")
    told = payload(events, "system.run.failed")
    assert told.pop("latency_ms") >= 0
    assert told == {"error": "no key", "stop_reason": "agent_error", "fault": "agent"}
    assert types(events)[-1] == "scoring.completed"


def test_a_case_without_a_gold_answer_is_the_packs_fault_and_not_scored():
    outcome, events = run(make_task(reference=None), "reference")
    assert (outcome.verdict, outcome.fault, outcome.score) == (Verdict.ERROR, Fault.PACK, None)
    assert types(events) == ["system.run.started", "system.run.failed"]


def test_a_machine_that_fails_says_nothing_about_the_agent():
    class Broken:
        LABEL = "Broken"
        ISOLATION = Isolation.FULL

        def open_workspace(self, room):
            raise SandboxUnavailable("the disk is full")

    outcome = run_trial(make_task(), Entrant(AGENTS["command"], "command", script("")), Broken(), lambda event: None)
    assert (outcome.verdict, outcome.fault, outcome.score) == (Verdict.ERROR, Fault.MACHINE, None)


def test_a_pattern_that_is_none_is_the_packs_fault():
    outcome, _ = run(make_task(kind="regex_match", expected="("))
    assert (outcome.verdict, outcome.fault) == (Verdict.ERROR, Fault.PACK)


def test_a_cancelled_trial_is_cancelled():
    outcome, events = run(make_task(), is_cancelled=lambda: True)
    assert outcome.verdict is Verdict.CANCELLED
    assert payload(events, "system.run.failed")["stop_reason"] == "cancelled"


def test_an_agent_that_takes_too_long_is_stopped():
    task = make_task(budgets=Budgets(wall_seconds=0.05))
    outcome, _ = run(task, "scripted", {"default": "hub", "delay_seconds": 60})
    assert (outcome.verdict, outcome.stop_reason) == (Verdict.FAILED, "timeout")


@pytest.mark.parametrize(
    ("budgets", "event", "stop_reason"),
    [
        (Budgets(steps=2), {"type": "system.step.started", "payload": {"step_index": 1}}, "step_limit"),
        (Budgets(tool_calls=2), {"type": "tool.call.completed", "payload": {"tool_name": "t"}}, "tool_limit"),
        (
            Budgets(total_tokens=20),
            {"type": "model.call.completed", "payload": {"usage": {"total_tokens": 10}}},
            "token_limit",
        ),
    ],
)
def test_a_used_up_budget_ends_the_trial(budgets, event, stop_reason):
    within, _ = run(make_task(budgets=budgets), "scripted", {"default": {"output": "hub", "events": [event] * 2}})
    assert within.verdict is Verdict.PASSED
    beyond, _ = run(make_task(budgets=budgets), "scripted", {"default": {"output": "hub", "events": [event] * 3}})
    assert (beyond.verdict, beyond.stop_reason) == (Verdict.FAILED, stop_reason)


@pytest.mark.parametrize("event_type", ["system.run.completed", "scoring.completed", "no.such.event"])
def test_an_agent_may_not_tell_what_is_not_its_own(event_type):
    outcome, events = run(make_task(), "scripted", {"default": {"output": "hub", "events": [{"type": event_type}]}})
    assert (outcome.verdict, outcome.fault) == (Verdict.FAILED, Fault.AGENT)
    assert "system.run.failed" in types(events)


def test_usage_is_added_up():
    call = {"type": "model.call.completed", "payload": {"usage": {"input_tokens": 3, "total_tokens": 5}}}
    _, events = run(make_task(), "scripted", {"default": {"output": "hub", "events": [call, call]}})
    done = payload(events, "system.run.completed")
    assert (done["input_tokens"], done["total_tokens"]) == (6, 10)


def workspace_task(*captures, files=(), **more):
    return make_task(environment=Environment(files=tuple(files), captures=captures), **more)


def test_a_command_finds_the_tasks_files_and_what_it_leaves_is_captured():
    task = workspace_task(
        Capture("report", "file_capture", "/workspace/out/report.txt"),
        Capture("missing", "file_capture", "nowhere.txt"),
        Capture("tree", "directory_listing", "/workspace", recursive=True),
        files=[WorkspaceFile("data/in.txt", text="hub 7"), WorkspaceFile("gone.bin", asset_key="nobody-has-it")],
        kind="file_content_match",
        target="file:report",
    )
    text = "import os; os.makedirs('out'); open('out/report.txt', 'w').write(open('data/in.txt').read()); print('done')"
    outcome, events = run(task, "command", script(text))
    assert (outcome.verdict, outcome.final_output) == (Verdict.PASSED, "done")
    captured = [event["payload"] for event in events if event["event_type"] == "grader.verification.file_captured"]
    assert [(item["key"], item["exists"], item["content"]) for item in captured] == [
        ("report", True, "hub 7"),
        ("missing", False, ""),
    ]
    listed = payload(events, "grader.verification.directory_listed")["entries"]
    assert {entry["path"] for entry in listed} == {"data", "data/in.txt", "out", "out/report.txt"}


def test_assets_are_put_in_place_from_the_pack():
    task = workspace_task(files=[WorkspaceFile("a.bin", asset_key="logo")])
    text = "print(open('a.bin').read())"
    outcome, _ = run(task, "command", script(text), read_asset=lambda file: b"hub" if file.asset_key else None)
    assert outcome.final_output == "hub"


def test_a_file_outside_the_workspace_is_the_packs_fault():
    outcome, _ = run(workspace_task(files=[WorkspaceFile("../x", text="x")]), "command", script(""))
    assert (outcome.verdict, outcome.fault) == (Verdict.ERROR, Fault.PACK)


def test_a_capture_outside_the_workspace_is_unavailable_and_shown():
    task = workspace_task(
        Capture("secret", "file_capture", "/etc/hostname"), kind="file_content_match", target="file:secret"
    )
    outcome, events = run(task, "command", script("print('hub')"))
    assert outcome.verdict is Verdict.UNDECIDED
    assert "error" in payload(events, "sandbox.file.read")


def test_what_was_left_behind_decides_although_the_agent_failed():
    task = workspace_task(
        Capture("report", "file_capture", "report.txt"), kind="file_content_match", target="file:report"
    )
    text = "import sys; open('report.txt', 'w').write('hub'); sys.exit(3)"
    outcome, _ = run(task, "command", script(text))
    assert (outcome.verdict, outcome.fault) == (Verdict.PASSED, Fault.AGENT)


def test_captures_are_cut_at_their_size():
    task = workspace_task(Capture("big", "file_capture", "big.txt", max_size_bytes=10))
    _, events = run(task, "command", script("open('big.txt', 'w').write('x' * 50)"))
    captured = payload(events, "grader.verification.file_captured")
    assert (captured["content"], captured["size"], captured["truncated"]) == ("x" * 10, 50, True)


def test_a_run_without_a_case_is_undecided_where_evidence_of_the_case_is_needed():
    task = make_task(case_key="", target="case.payload")
    assert run(task)[0].verdict is Verdict.UNDECIDED


def test_the_recorded_agent_grades_the_row_of_its_case():
    config = {"outputs": [{"case_key": "two", "output": "no"}, {"case_key": "one", "output": "hub"}]}
    outcome, events = run(make_task(), "recorded", config)
    assert outcome.verdict is Verdict.PASSED
    assert types(events)[:3] == ["system.run.started", "system.output.finalized", "system.run.completed"]
    missing, events = run(make_task(), "recorded", {"outputs": []})
    assert (missing.verdict, missing.stop_reason, missing.fault) == (Verdict.CANCELLED, "not_recorded", Fault.NONE)
    assert "system.run.failed" in types(events)
