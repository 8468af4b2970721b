"""What is missing is said in the words of what is to be done."""

from runs.engine.outcome import Outcome, Verdict
from runs.proof.needs import asks_models, missing_for
from runs.proof.probes import Code
from runs.replay.causes import Fault
from tests.runs.proof.makers import compiled, evals, program, rows, tasks

REVIEW = {"type": "human_review", "rubric_paths": [], "assertions": ["It is kind."], "min_reviewers": 1}


def test_people_models_programs_and_deeds():
    _, [people] = compiled(tasks([REVIEW], "Dear all."))
    waits = Outcome(Verdict.UNDECIDED, fault=Fault.PERSON)
    assert missing_for(people, waits)[0] is Code.NEEDS_PERSON
    _, [judged] = compiled(evals([{"type": "llm-grader", "prompt": "Is it kind?"}], ("Write.", "Dear all.")))
    assert asks_models(judged)
    assert missing_for(judged, Outcome(Verdict.UNDECIDED))[0] is Code.NEEDS_JUDGE
    _, [coded] = compiled(rows(program("assert f() == 1\n", "def f():\n    return 1\n")))
    code, message = missing_for(coded, Outcome(Verdict.ERROR, fault=Fault.MACHINE, error="no sandbox here"))
    assert (code, "no sandbox here" in message) == (Code.NEEDS_SANDBOX, True)
    _, [done] = compiled(tasks([{"type": "tool_calls", "required": [{"tool": "look"}]}], "Done."))
    assert missing_for(done, Outcome(Verdict.ERROR, error="no tool calls"))[0] is Code.NEEDS_EVENTS
