from runs.grading.graders.contract import Outcome
from runs.grading.graders.executions import judge_execution


def test_a_time_out_counts_as_exit_code_124():
    found = judge_execution({"timed_out": True, "timeout_ms": 1500, "exit_code": -9}, "terminal_task", "checker")
    facts = {name: found.raw[name] for name in ("exit_code", "failure_reason", "timeout_seconds", "phase")}
    assert facts == {"exit_code": 124, "failure_reason": "verifier_timeout", "timeout_seconds": 1.5, "phase": "checker"}
    assert found.score == 0


def test_a_machine_that_fails_says_nothing_of_the_agent():
    assert judge_execution({"execution_error": "no shell"}, "repo_patch", "checks").outcome is Outcome.INFRA_ERROR
    assert judge_execution(None, "repo_patch", "checks").outcome is Outcome.UNAVAILABLE


def test_exit_code_0_of_tests_that_were_cut_short_is_not_believed():
    found = judge_execution({"exit_code": 0, "reports": [{"awaited": True, "written": False}]}, "repo_patch", "checks")
    assert (found.score, found.raw["failure_reason"]) == (0, "verifier_cut_short")
