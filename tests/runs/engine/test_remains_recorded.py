"""Answers and files that were left elsewhere, as imported results bring them."""

import pytest

from packs.formats.task import Environment, GraderSpec, WorkspaceFile
from runs.engine.outcome import Verdict
from runs.replay.causes import Fault
from runs.replay.trajectories.candidates import record_of
from tests.runs.tasks import make_task, run, types

CANDIDATE = {
    "task_id": "one",
    "benchmark_id": "b",
    "task_type": "terminal_task",
    "verification_status": "passed",
    "candidate_text": None,
    "candidate_workspace": "/out/workspaces/one",
}
CHECK = {"checker": {"command": "test -f done.txt"}, "environment": {"image": "i"}}


def tried(kind, config, candidate, left=None, **given):
    spec = GraderSpec("verifier", kind, "final_output", config=config)
    task = make_task(graders=(spec,), environment=Environment(**given))
    row = {"case_key": task.case_key, "trial": record_of({**CANDIDATE, **candidate}, left)}
    return run(task, "recorded", {"outputs": [row]})


@pytest.mark.parametrize(("file", "verdict"), [("done.txt", Verdict.PASSED), ("other.txt", Verdict.FAILED)])
def test_the_checker_looks_at_the_files_that_came_with_the_record(file, verdict):
    outcome, events = tried("terminal_task", CHECK, {}, {file: b""})
    assert outcome.verdict is verdict
    assert types(events).count("grader.verification.code_executed") == 1


@pytest.mark.parametrize(("code", "verdict"), [("x = 1", Verdict.PASSED), ("x = 2", Verdict.FAILED)])
def test_code_of_a_record_is_run_again(code, verdict):
    config = {"tests": {"source": "inline", "code": "assert x == 1"}, "environment": {"image": "i"}}
    outcome, _ = tried("code_completion", config, {"candidate_text": code, "candidate_workspace": None})
    assert outcome.verdict is verdict


def test_a_workspace_that_did_not_come_is_no_fault_of_the_agent():
    outcome, _ = tried("terminal_task", CHECK, {})
    assert (outcome.verdict, outcome.fault) == (Verdict.ERROR, Fault.MACHINE)


def test_nothing_is_run_for_a_producer_that_failed():
    late = {"failure_reason": "producer_timeout", "candidate_workspace": None}
    outcome, events = tried("terminal_task", CHECK, late)
    assert outcome.stop_reason == "timeout"
    assert "grader.verification.code_executed" not in types(events)


def test_tests_that_came_with_the_record_are_those_of_the_pack():
    config = {**CHECK, "checker": {"command": "sh tests/run.sh"}}
    given = {"files": (WorkspaceFile("tests/run.sh", "exit 1"),)}
    outcome, events = tried("terminal_task", config, {}, {"tests/run.sh": b"exit 0"}, **given)
    assert outcome.verdict is Verdict.FAILED
    assert "grader.verification.files_restored" in types(events)
