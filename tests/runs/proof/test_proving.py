"""How the state of a case follows from what was tried."""

import json

from runs.proof.document import CaseState
from tests.runs.proof.makers import EXPECTED, TIDY, challenge, evals, exact, proven, tasks


def codes(proof):
    return [reason.code.value for reason in proof.reasons]


def test_a_case_without_a_right_answer_is_unproven_and_still_refuted_by_a_cheap_one():
    tight = proven(tasks([{"type": "tool_calls", "required": [{"tool": "look"}]}], None))
    assert (tight.state, codes(tight)) == (CaseState.UNPROVEN, ["no_reference"])
    loose = proven(tasks([{"type": "string_match", "patterns": [".*"], "regex": True}], None))
    assert loose.state is CaseState.REFUTED
    assert codes(loose)[:2] == ["no_reference", "accepts_empty"]


def test_a_case_that_a_model_decides_is_unproven():
    proof = proven(evals([{"type": "llm-grader", "prompt": "Is it kind?"}], ("Write a letter.", "Dear all.")))
    assert (proof.state, codes(proof)) == (CaseState.UNPROVEN, ["needs_judge"])


def test_a_reference_that_fails_does_not_count_as_too_strict_too():
    proof = proven(challenge({"v": ("regex_match", "literal:^York$"), "w": TIDY}, ["the Leeds hub"]))
    assert codes(proof) == ["reference_fails"]


def test_an_equal_answer_that_is_refused_names_the_check_that_refuses_it():
    [reason] = proven(challenge({"v": ("exact_match", EXPECTED)}, ["the Leeds hub"])).reasons
    assert reason.probe == "white space around"
    assert "v: " in reason.message


def test_strength_is_the_share_of_mutants_refused_and_equals_accepted():
    whole = proven(challenge({"v": ("json_schema", EXPECTED)}, [exact(done=True, code=7)]))
    assert whole.state is CaseState.PROVEN
    # A code fence around JSON is refused, which decides nothing.
    assert 0.8 < whole.strength < 1.0
    open_schema = {"type": "json_schema", "schema": {"required": ["done"]}}
    half = proven(tasks([open_schema], json.dumps({"done": True, "code": 7})))
    assert half.strength < whole.strength


def test_what_the_author_accepts_is_listed_and_does_not_refute():
    notes = {"accepts": [{"code": "refuses_equal", "reason": "Every byte counts."}]}
    proof = proven(challenge({"v": ("exact_match", EXPECTED)}, ["the Leeds hub"]), notes)
    assert proof.state is CaseState.PROVEN
    assert [(reason.code.value, reason.accepted) for reason in proof.accepted] == [
        ("refuses_equal", "Every byte counts.")
    ]


def test_a_conversation_needs_what_was_done():
    turns = [{"input": "And now?", "expected_output": "Leeds"}]
    talk = {"input": "Where is it?", "mode": "conversation", "turns": turns}
    notes = {"cases": [{"case_key": "case-1", "reference": "Leeds"}]}
    assert codes(proven(evals([{"type": "equals", "value": "Leeds"}], talk), notes)) == ["needs_events"]
