"""Which models the graders of AgentV may ask, and whose name they have."""

import pytest

from runs.grading.graders import MODELS, grade
from runs.grading.graders.contract import Outcome
from tests.runs.grading.graders.test_agentv import evidence_of, execution, needs, spec_of

CODE = {"type": "code-grader", "command": ["python", "check.py"]}
JUDGE = {"type": "llm-grader", "prompt": "Kind?"}
MATRIX = {"targets": ["small", "strict"], "judge": "strict", "judges": {"small": "strict", "large": "mild"}}
STARTED = ("system.run.started", {"agent_name": "large"})


def access(target, **test):
    [command] = needs(CODE | {"target": target}, **test)
    return command.access


@pytest.mark.parametrize(
    ("target", "calls"),
    [(True, 50), ({}, 50), ({"max_calls": 3}, 3), ({"max_calls": 0}, 50), ({"max_calls": True}, 50)],
)
def test_a_program_asks_as_often_as_its_assertion_says(target, calls):
    assert access(target).most_calls == calls


@pytest.mark.parametrize("target", [None, False, "strict"])
def test_a_program_may_ask_only_where_its_assertion_says_so(target):
    assert access(target) is None


def test_a_program_asks_the_judge_of_the_agent_and_whom_the_targets_file_lists():
    assert (access(True, **MATRIX).model, access(True, **MATRIX).names) == ("strict", ("small", "strict"))
    [command] = needs(CODE | {"target": True}, STARTED, **MATRIX)
    assert command.access.model == "mild"
    assert access(True).names is None


def test_an_agent_is_judged_by_the_judge_of_the_target_of_its_name():
    assert needs(JUDGE, STARTED, **MATRIX)[0].model == "mild"
    assert needs(JUDGE, **MATRIX)[0].model == "strict"


def test_all_that_can_judge_are_known_before_a_run():
    assert MODELS["agentv.llm-grader"](spec_of(JUDGE, **MATRIX)) == ("strict", "mild")
    assert MODELS["agentv.code-grader"](spec_of(CODE | {"target": True}, **MATRIX)) == ("strict", "mild")
    assert MODELS["agentv.code-grader"](spec_of(CODE, **MATRIX)) == ()


@pytest.mark.parametrize(
    ("facts", "outcome"),
    [
        ({"asked": {"failed": 1, "problem": "unreachable", "error": "gone"}}, Outcome.INFRA_ERROR),
        ({"asked": {"failed": 1, "problem": "limit", "error": "used up"}}, Outcome.UNAVAILABLE),
        ({"asked": {"failed": 0}}, Outcome.FAIL),
        ({"execution_error": "nobody answers", "problem": "not_connected"}, Outcome.UNAVAILABLE),
    ],
)
def test_a_program_that_breaks_for_want_of_a_model_is_no_fail(facts, outcome):
    told = execution("it", code=1, stderr="boom", **facts)
    assert grade(spec_of(CODE | {"target": True}), evidence_of(told)).outcome is outcome
