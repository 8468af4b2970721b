"""Which requests are the same, and what is kept of a reply."""

from dataclasses import replace

import pytest

from runs.agents.endpoints.contract import ModelReply, ModelRequest, ToolCall, Usage
from runs.agents.endpoints.remembering import Memory, as_text, from_text

ADDRESS = "https://models.example/v1"
ASKED = ModelRequest("small", [{"role": "user", "content": "Where is it?"}], temperature=0.5, seed=4)
REPLY = ModelReply(
    "At the hub.",
    "small-2",
    tool_calls=(ToolCall("c1", "look", '{"id": 4}'),),
    finish_reason="stop",
    usage=Usage(10, 5, 0.25),
    seconds=3.0,
    attempts=2,
)


def key_of(request=ASKED, trial=1, way="ask", address=ADDRESS):
    return Memory({}, trial).key_of(way, address, request)


@pytest.mark.parametrize(
    "changes",
    [
        {"model": "large"},
        {"messages": [{"role": "user", "content": "Where is it? "}]},
        {"tools": [{"type": "function"}]},
        {"temperature": 0.6},
        {"max_tokens": 9},
        {"seed": None},
        {"response_format": {"type": "json_object"}},
        {"extra": {"top_p": 1}},
    ],
)
def test_whatever_is_sent_makes_a_request_another_one(changes):
    assert key_of(replace(ASKED, **changes)) != key_of()


def test_how_a_call_is_made_does_not():
    assert key_of(replace(ASKED, stream=False, seconds=4, on_delta=print)) == key_of()


def test_another_address_way_or_trial_is_another_request():
    assert len({key_of(), key_of(trial=2), key_of(way="respond"), key_of(address="https://other.example")}) == 4


def test_the_same_question_in_one_trial_is_asked_as_often_as_before():
    memory, again = Memory({}, 1), Memory({}, 1)
    asked = [memory.key_of("ask", ADDRESS, ASKED) for _ in range(3)]
    assert len(set(asked)) == 3
    assert [again.key_of("ask", ADDRESS, ASKED) for _ in range(3)] == asked


def test_a_kept_reply_says_the_same_and_that_nobody_was_asked():
    kept = from_text(as_text(REPLY))
    assert kept == replace(REPLY, seconds=0.0, attempts=0)
