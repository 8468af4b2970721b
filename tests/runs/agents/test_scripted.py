import pytest

from runs.agents.contract import AgentFailed, Cancelled, NotTried, Request
from runs.agents.scripted import respond
from tests.runs.tasks import make_task


def ask(**more):
    return Request(make_task(), "Where?", **more)


def test_the_most_exact_key_wins():
    config = {"answers": {"one": "by case", "locate/one": "by both"}, "default": "default"}
    assert respond(config, ask()).text == "by both"
    assert respond({"answers": {"one": "by case"}, "default": "d"}, ask()).text == "by case"
    assert respond({"answers": {"two": "x"}, "default": "d"}, ask()).text == "d"


def test_a_case_without_an_answer_is_not_tried():
    with pytest.raises(NotTried):
        respond({"answers": {"two": "x"}}, ask())


def test_events_are_recorded_once_before_the_first_reply():
    told = []
    config = {"default": {"output": "hub", "events": [{"type": "tool.call.started"}]}}
    for turn in (0, 1):
        respond(config, ask(turn=turn, record=lambda kind, payload: told.append((kind, payload))))
    assert told == [("tool.call.started", {})]


def test_waiting_ends_with_the_time_that_is_left():
    with pytest.raises(AgentFailed) as caught:
        respond({"default": "hub", "delay_seconds": 60}, ask(seconds=0.01))
    assert caught.value.stop_reason == "timeout"


def test_waiting_ends_when_the_run_is_cancelled():
    with pytest.raises(Cancelled):
        respond({"default": "hub", "delay_seconds": 3600}, ask(is_cancelled=lambda: True))
