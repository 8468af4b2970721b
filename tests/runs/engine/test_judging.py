"""Whose fault it is when there is no better verdict."""

import pytest

from runs.engine import Fault, Verdict
from tests.runs.tasks import make_task, payload, run


@pytest.mark.parametrize(
    ("changes", "verdict", "fault"),
    [
        ({"kind": "regex_match", "expected": "("}, Verdict.ERROR, Fault.PACK),
        ({"kind": "json_schema", "expected": "{}"}, Verdict.FAILED, Fault.AGENT),
        ({"target": "case.inputs.none"}, Verdict.UNDECIDED, Fault.NONE),
        ({"expected": "depot"}, Verdict.FAILED, Fault.NONE),
        ({"expected": "Where"}, Verdict.PASSED, Fault.NONE),
    ],
)
def test_pack_agent_and_nobody_are_told_apart(changes, verdict, fault):
    outcome, _ = run(make_task(**changes))
    assert (outcome.verdict, outcome.fault) == (verdict, fault)
    # Whatever is not simply right or wrong is explained.
    assert bool(outcome.error) == (fault is not Fault.NONE or verdict is Verdict.UNDECIDED)


def test_an_agent_that_gave_no_answer_failed_rather_than_being_undecided():
    outcome, _ = run(make_task(), "scripted", {"default": {"error": "gave up"}})
    assert (outcome.verdict, outcome.fault, outcome.error) == (Verdict.FAILED, Fault.AGENT, "gave up")


def test_scoring_tells_its_result_as_an_event():
    _, events = run(make_task(expected="Where"))
    told = payload(events, "scoring.completed")
    assert (told["status"], told["validity"], told["dimension_scores"]) == ("complete", "valid", {"correctness": 1.0})
