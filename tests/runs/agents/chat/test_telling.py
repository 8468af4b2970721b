"""Answers that are told while they are written."""

import pytest

from packs.formats.task import Environment
from runs.agents.chat.telling import DELTA, Telling
from runs.agents.endpoints.contract import Delta
from runs.replay.redaction import Redactor
from tests.openai_server import Answer, calls
from tests.runs.agents.talking import make_web, talk
from tests.runs.tasks import make_task, types

LIVE = {"live_output": True}


@pytest.fixture
def web():
    web = make_web()
    yield web
    web.close()


class Clock:
    now = 0.0

    def __call__(self):
        return self.now


def telling(clock, secrets=()):
    told = []
    return Telling(lambda _, payload: told.append(payload), "acme", "small", Redactor(secrets), clock), told


def texts(told):
    return [payload["text_delta"] for payload in told]


def deltas(events):
    return [event["payload"] for event in events if event["event_type"] == DELTA]


def test_the_first_words_are_told_at_once_and_the_rest_in_batches():
    clock = Clock()
    live, told = telling(clock)
    for number in range(40):
        clock.now = number / 10
        live.take(Delta(f"{number} "))
    assert texts(told)[0] == "0 "
    assert len(told) == 4
    live.end()
    assert "".join(texts(told)) == "".join(f"{number} " for number in range(40))


def test_a_long_answer_does_not_make_events_without_end():
    clock = Clock()
    live, told = telling(clock)
    for number in range(6000):
        clock.now = number / 10
        live.take(Delta("word "))
    live.end()
    assert len(told) < 100
    assert "".join(texts(told)) == "word " * 6000


def test_a_secret_that_comes_in_pieces_is_cut_out():
    clock = Clock()
    live, told = telling(clock, ["hunter2hunter2"])
    for piece in ("It is hun", "ter2hu", "nter2, as ", "you know" * 40):
        clock.now += 2
        live.take(Delta(piece))
    live.end()
    assert "".join(texts(told)) == f"It is [secret], as {'you know' * 40}"


def test_a_trial_tells_the_answer_before_it_is_complete(model_server, web):
    model_server.reply("It is at the hub.")
    task = make_task(environment=Environment(mode="prompt_eval"))
    outcome, events = talk(task, model_server, web, config=LIVE)
    assert "".join(part["text_delta"] for part in deltas(events)) == outcome.final_output
    order = [kind for kind in types(events) if kind.startswith("model.")]
    assert order[:2] == ["model.call.started", DELTA]
    assert order[-1] == "model.call.completed"
    assert deltas(events)[0]["provider_key"] == "acme"


def test_of_a_call_of_a_tool_its_beginning_is_told(model_server, web):
    model_server.script([calls(submit='{"answer": "The hub."}')])
    _, events = talk(make_task(), model_server, web, config=LIVE)
    assert [part["tool_call_fragment"] for part in deltas(events)] == [{"id": "call_1", "name": "submit"}]


def test_nothing_is_told_unless_it_is_wanted(model_server, web):
    model_server.reply("It is at the hub.")
    _, events = talk(make_task(environment=Environment(mode="prompt_eval")), model_server, web)
    assert DELTA not in types(events)


def test_an_endpoint_that_does_not_stream_is_no_trouble(model_server, web):
    raw = b'{"choices": [{"message": {"content": "Whole."}}]}'
    model_server.answer = lambda request: Answer(raw=raw)
    outcome, events = talk(make_task(environment=Environment(mode="prompt_eval")), model_server, web, config=LIVE)
    assert (outcome.final_output, deltas(events)) == ("Whole.", [])
