import pytest

from tests.runs.grading.graders.grading import graded_on, outcome


def executed(config=None, key="v", **result):
    pairs = [("grader.verification.code_executed", {"validator_key": key, "target": "file:f", **result})]
    return graded_on("code_execution", pairs, config=config)


@pytest.mark.parametrize(
    ("config", "result", "score"),
    [
        ({}, {"exit_code": 1, "passed_tests": 3, "failed_tests": 1}, 0.75),
        ({}, {"passed_tests": 3, "total_tests": 10}, 0.3),
        ({"scoring": "all_or_nothing"}, {"passed_tests": 3, "failed_tests": 0, "error_tests": 1}, 0),
        ({"scoring": "all_or_nothing"}, {"passed_tests": 3}, 1),
        ({}, {"exit_code": 0}, 1),
        ({}, {"exit_code": 2}, 0),
        ({}, {"exit_code": 0, "timed_out": True}, 0),
        ({}, {"stdout": "2 passed, 2 failed"}, 0.5),
        ({}, {"exit_code": 1, "stdout": "2 passed, 2 failed"}, 0),
        ({}, {"exit_code": 0, "failed_tests": 2}, 1),
        # Tests that all passed do not end with another code than 0.
        ({}, {"exit_code": 1, "passed_tests": 5}, 0),
        ({"pass_threshold": 0.5}, {"exit_code": 1, "passed_tests": 5, "total_tests": 6}, 5 / 6),
    ],
)
def test_the_score_comes_from_counts_or_else_the_exit_code(config, result, score):
    assert executed({"test_command": "t", **config}, **result).score == score


WRITTEN = {"awaited": True, "written": True, "passed": 1, "failed": 1, "error": 0}


@pytest.mark.parametrize(
    ("report", "result", "score"),
    [
        (WRITTEN, {"exit_code": 1, "passed_tests": 9, "failed_tests": 1}, 0.5),
        (WRITTEN, {"exit_code": 0, "passed_tests": 9}, 0),
        ({**WRITTEN, "failed": 0}, {"exit_code": 0}, 1),
        ({"awaited": True, "written": False}, {"exit_code": 0, "passed_tests": 9}, 0),
        ({"awaited": True, "written": False}, {"exit_code": 1, "passed_tests": 9, "failed_tests": 1}, 0),
        ({"awaited": False, "written": True, "passed": 0, "failed": 1, "error": 0}, {"exit_code": 0}, 1),
    ],
)
def test_what_pytest_reports_counts_and_not_what_was_printed(report, result, score):
    assert executed({"test_command": "pytest"}, reports=[report], **result).score == score


def test_the_threshold_decides():
    half = {"passed_tests": 1, "failed_tests": 1}
    assert outcome(executed({"test_command": "t", "pass_threshold": 0.5}, **half)) == "pass"
    assert outcome(executed(None, **half)) == "fail"


def test_a_command_that_could_not_start_says_nothing_of_the_agent():
    grade = executed(execution_error="sh: not found", exit_code=127)
    assert (outcome(grade), grade.score) == ("infra_error", None)


@pytest.mark.parametrize(
    "config", [{"scoring": "pass_at_k"}, {"scoring": "best"}, {"pass_threshold": "1"}, {"cmd": "x"}]
)
def test_an_unusable_configuration_is_the_authors_mistake(config):
    assert outcome(executed(config, exit_code=0)) == "pack_error"


def test_without_a_result_there_is_nothing_to_judge():
    assert outcome(executed()) == "unavailable"
    assert outcome(executed(key="another", exit_code=0)) == "unavailable"


def test_the_grade_points_to_the_event():
    assert executed(exit_code=0).source.as_dict() == {
        "kind": "tool_call",
        "sequence": 1,
        "event_type": "grader.verification.code_executed",
        "field_path": "file:f",
    }
