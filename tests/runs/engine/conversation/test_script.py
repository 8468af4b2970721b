import pytest

from runs.engine.outcome import Verdict
from tests.runs.engine.conversation.stage import said, scripted, talk
from tests.runs.tasks import payload, types

HELD = {"key": "k", "kind": "contains", "value": "hub"}
EXACT = {"key": "k", "kind": "exact_match", "value": " the hub "}


def test_turns_are_played_in_order_and_counted_from_zero():
    outcome, events = talk(scripted("a", "one", "two"), scripted("b", "at the hub"))
    assert types(events)[1:4] == ["turn.user.message", "turn.assistant.message", "turn.completed"]
    assert said(events) == ["one", "two", "at the hub"]
    numbers = [event["payload"]["turn_index"] for event in events if event["event_type"] == "turn.completed"]
    assert numbers == [0, 1, 2]
    done = payload(events, "conversation.completed")
    assert (done["turn_count"], done["stop_reason"], done["actors_used"]) == (3, "completed", ["scripted"])
    assert (outcome.verdict, outcome.final_output) == (Verdict.PASSED, "at the hub")


def test_a_phase_on_mismatch_is_played_only_after_one():
    again = scripted("again", "sure?", trigger="on_assistant_mismatch")
    assert said(talk(scripted("a", "hub", expects=[HELD]), again)[1]) == ["hub"]
    _, events = talk(scripted("a", "depot", expects=[HELD]), again)
    assert said(events) == ["depot", "sure?"]
    assert payload(events, "conversation.completed")["mismatch_turns"] == [0]


def test_a_phase_that_is_never_due_is_skipped_and_every_other_trigger_lets_it_run():
    _, events = talk(scripted("a", "one"), scripted("n", "no", trigger="never"), scripted("m", "two", trigger="manual"))
    assert said(events) == ["one", "two"]


@pytest.mark.parametrize(
    ("expectation", "answer", "mismatch"),
    [
        (HELD, "at the hub", False),
        (HELD, "at the depot", True),
        (EXACT, "the hub\n", False),
        (EXACT, "at the hub", True),
        ({"key": "k", "kind": "regex", "value": "hub"}, "hub", True),
        ({"key": "k", "kind": "contains", "source": "input:x"}, "hub", True),
        ({"key": "k", "kind": "contains", "value": 7}, "it is 7", False),
    ],
)
def test_a_turn_mismatches_when_an_expectation_is_not_met(expectation, answer, mismatch):
    _, events = talk(scripted("a", "where?", expects=[expectation]), kind="scripted", config={"default": answer})
    assert payload(events, "turn.completed")["mismatch"] is mismatch


def test_a_conversation_ends_at_its_limit():
    _, events = talk(scripted("a", "1", "2", "3"), max_turns=2)
    done = payload(events, "conversation.completed")
    assert (done["turn_count"], done["stop_reason"]) == (2, "max_turns")


def test_without_a_limit_fifty_turns_are_played():
    _, events = talk(scripted("a", *(str(number) for number in range(60))))
    assert payload(events, "conversation.completed")["turn_count"] == 50


def test_recorded_turns_are_given_in_order_and_then_the_output():
    config = {"default": {"turns": ["first"], "output": "the hub"}}
    outcome, _ = talk(scripted("a", "1", "2"), kind="scripted", config=config)
    assert outcome.final_output == "the hub"


def test_the_reference_agent_says_what_turns_and_case_expect():
    outcome, events = talk(scripted("a", "1", expects=[EXACT]), scripted("b", "2", expects=[HELD]), kind="reference")
    assert payload(events, "conversation.completed")["mismatch_turns"] == []
    assert outcome.verdict is Verdict.PASSED
