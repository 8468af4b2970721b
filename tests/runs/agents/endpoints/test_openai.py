"""Asking models of an OpenAI-compatible server."""

import threading
import time
import traceback
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace

import pytest

from runs.agents.endpoints.addresses import AllowList
from runs.agents.endpoints.contract import EndpointFailed, ModelPrice, ModelRequest, ToolCall, Trouble, Usage
from runs.agents.endpoints.exchange import Web
from runs.agents.endpoints.openai import OpenAIEndpoint
from tests.openai_server import Answer, calls, trouble

KEY = "sk-planted-4711"
STREAM = {"Content-Type": "text/event-stream"}
HELLO = ({"role": "user", "content": "Hello"},)


@pytest.fixture
def web():
    web = Web(AllowList.read(["127.0.0.1"]), max_reply_bytes=20_000)
    yield web
    web.close()


@pytest.fixture
def endpoint(model_server, web):
    return lambda **more: OpenAIEndpoint("test", model_server.url, web, KEY, **more)


def request(**more):
    return ModelRequest("small", HELLO, **more)


def failure(endpoint, **more):
    with pytest.raises(EndpointFailed) as caught:
        endpoint.ask(request(**more))
    return caught.value


@pytest.mark.parametrize("stream", [True, False])
def test_it_gives_text_usage_cost_and_times(model_server, endpoint, stream):
    model_server.reply("It is at the Leeds hub.", token_delay=0.002)
    reply = endpoint(prices={"small": ModelPrice(1.0, 10.0)}).ask(request(stream=stream, temperature=0.5))
    assert (reply.text, reply.finish_reason, reply.model) == ("It is at the Leeds hub.", "stop", "small")
    assert reply.usage == Usage(7, 3, (7 * 1.0 + 3 * 10.0) / 1e6)
    assert reply.seconds > 0
    assert (reply.first_token_seconds is not None) == stream
    assert model_server.requests[0]["temperature"] == 0.5
    assert model_server.headers[0]["authorization"] == f"Bearer {KEY}"


@pytest.mark.parametrize("stream", [True, False])
def test_it_puts_tool_calls_together(model_server, endpoint, stream):
    model_server.answer = lambda request: calls(track=['{"id": "PX-1"}', '{"id": "PX-2"}'], submit="not json")
    reply = endpoint().ask(request(stream=stream, tools=[{"type": "function", "function": {"name": "track"}}]))
    assert reply.tool_calls == (
        ToolCall("call_1", "track", '{"id": "PX-1"}'),
        ToolCall("call_2", "track", '{"id": "PX-2"}'),
        ToolCall("call_3", "submit", "not json"),
    )
    assert reply.finish_reason == "tool_calls"


def test_a_price_that_nobody_knows_leaves_the_cost_open(model_server, endpoint):
    assert endpoint().ask(request()).usage.cost_usd is None


@pytest.mark.parametrize("first", [trouble(429, retry_after=0.01), trouble(503), Answer("a b c d", breaks_after=2)])
def test_trouble_that_passes_is_tried_again(model_server, endpoint, first):
    model_server.script([first, "Here."])
    reply = endpoint().ask(request())
    assert (reply.text, reply.attempts) == ("Here.", 2)


def test_it_waits_as_long_as_the_endpoint_asks(model_server, endpoint):
    model_server.script([trouble(429, retry_after=0.6), "Here."])
    started = time.monotonic()
    endpoint().ask(request())
    assert time.monotonic() - started >= 0.6


def test_a_pause_longer_than_the_time_left_is_not_waited_for(model_server, endpoint):
    model_server.answer = lambda request: trouble(429, retry_after=30)
    failed = failure(endpoint(), seconds=5)
    assert (failed.trouble, failed.retry_after) == (Trouble.RATE_LIMITED, 30)
    assert len(model_server.requests) == 1


@pytest.mark.parametrize(
    ("answer", "kind", "asked"),
    [
        (trouble(401), Trouble.AUTHENTICATION, 1),
        (trouble(403), Trouble.AUTHENTICATION, 1),
        (trouble(400), Trouble.REFUSED, 1),
        (trouble(404), Trouble.NOT_FOUND, 1),
        (trouble(400, code="model_not_found"), Trouble.NOT_FOUND, 1),
        (trouble(400, code="context_length_exceeded"), Trouble.TOO_LONG, 1),
        (trouble(400, code="content_filter"), Trouble.FILTERED, 1),
        (trouble(402), Trouble.SPENT, 1),
        (trouble(429, code="insufficient_quota"), Trouble.SPENT, 1),
        (trouble(429, code="insufficient_quota", message="You exceeded your current quota"), Trouble.SPENT, 1),
        (Answer(status=302, raw=b"", headers={"Location": "http://127.0.0.1:1/"}), Trouble.REDIRECTED, 1),
        (trouble(500), Trouble.SERVER, 2),
        (trouble(429), Trouble.RATE_LIMITED, 2),
        (Answer(raw=b"<html>"), Trouble.BAD_REPLY, 1),
        (Answer(raw=b""), Trouble.BAD_REPLY, 1),
        (Answer(raw=b"data: [DONE]\n\n", headers=STREAM), Trouble.BAD_REPLY, 1),
        (Answer(raw=b"", headers=STREAM), Trouble.UNREACHABLE, 2),
        (Answer(raw=b"[1]"), Trouble.BAD_REPLY, 1),
        (Answer(raw=b'{"choices": []}'), Trouble.BAD_REPLY, 1),
        (Answer(raw=b'{"choices": [{"message": {"tool_calls": [1]}}]}'), Trouble.BAD_REPLY, 1),
        (Answer(raw=b"data: {oops\n\n", headers=STREAM), Trouble.BAD_REPLY, 1),
        (Answer(raw=b'{"error": {"message": "overloaded"}}'), Trouble.SERVER, 2),
        (Answer(raw=b'{"error": {"message": "slow down", "code": 429}}'), Trouble.RATE_LIMITED, 2),
        (Answer(raw=b'{"error": {"code": "insufficient_quota"}}'), Trouble.SPENT, 1),
        (Answer("word " * 5000), Trouble.BAD_REPLY, 1),
    ],
)
def test_each_trouble_has_its_name(model_server, endpoint, answer, kind, asked):
    model_server.answer = lambda request: answer
    assert failure(endpoint(max_retries=1)).trouble is kind
    assert len(model_server.requests) == asked


def test_a_slow_answer_ends_at_the_time_limit(model_server, endpoint):
    model_server.reply("never", delay=60)
    assert failure(endpoint(), seconds=0.3).trouble is Trouble.TIMEOUT


@pytest.mark.parametrize(
    "answer", [Answer("never", delay=3600), Answer("a " * 10_000, token_delay=0.5), trouble(429, retry_after=50)]
)
def test_cancelling_ends_a_call_at_once(model_server, endpoint, answer):
    model_server.answer = lambda request: answer
    cancelled = threading.Event()
    threading.Timer(0.2, cancelled.set).start()
    assert failure(endpoint(), is_cancelled=cancelled.is_set).trouble is Trouble.CANCELLED


def test_a_host_that_is_not_there_is_unreachable(web):
    endpoint = OpenAIEndpoint("test", "http://127.0.0.1:9/v1", web, max_retries=0)
    assert failure(endpoint).trouble is Trouble.UNREACHABLE


def test_what_an_endpoint_does_not_understand_is_left_out(model_server, endpoint):
    def answer(request):
        if "stream_options" in request:
            return trouble(400, "Unknown parameter: stream_options")
        if "max_tokens" in request:
            return trouble(400, "Use 'max_completion_tokens' instead of 'max_tokens'.")
        return "Here."

    model_server.answer = answer
    asking = endpoint()
    assert asking.ask(request(stream=True, max_tokens=5)).text == "Here."
    assert model_server.requests[-1]["max_completion_tokens"] == 5
    asked = len(model_server.requests)
    asking.ask(request(max_tokens=5))
    assert len(model_server.requests) == asked + 1


@pytest.mark.parametrize("unknown", ["max_tokens", "stream_options"])
def test_threads_that_meet_one_objection_at_once_all_learn(model_server, endpoint, unknown):
    hint = {"max_tokens": "Use 'max_completion_tokens'.", "stream_options": "Unknown parameter: stream_options"}
    refusal = replace(trouble(400, hint[unknown]), together=3)
    model_server.answer = lambda request: refusal if unknown in request else "Here."
    asking = endpoint()
    with ThreadPoolExecutor(3) as threads:
        replies = list(threads.map(lambda _: asking.ask(request(stream=True, max_tokens=5)), range(3)))
    assert [reply.text for reply in replies] == ["Here."] * 3
    assert len(model_server.requests) == 6
    assert model_server.requests[-1]["stream"]


def test_calls_share_a_connection(model_server, endpoint):
    asking = endpoint()
    before = model_server.connections
    for _ in range(3):
        asking.ask(request())
        asking.ask(request(stream=False))
    assert model_server.connections == before + 1


def test_the_responses_api_is_asked_where_there_is_one(model_server, endpoint):
    model_server.reply("A report.")
    reply = endpoint(has_responses=True).respond(request(tools=[{"type": "web_search"}], max_tokens=9))
    assert (reply.text, reply.usage.total_tokens, model_server.paths) == ("A report.", 16, ["/v1/responses"])
    assert model_server.requests[0]["max_output_tokens"] == 9
    with pytest.raises(EndpointFailed):
        endpoint().respond(request())


def test_every_attempt_takes_a_place_of_its_own(model_server, endpoint):
    taken = []

    @contextmanager
    def place(watch):
        taken.append("in")
        try:
            yield watch
        finally:
            taken.append("out")

    model_server.script([trouble(500), "Here."])
    endpoint(slots=place).ask(request())
    assert taken == ["in", "out", "in", "out"]


@pytest.mark.parametrize("answer", [trouble(401, f"Bad key {KEY}"), Answer(raw=f'{{"error": "{KEY}"}}'.encode())])
def test_the_key_is_in_no_message_and_no_representation(model_server, endpoint, answer):
    model_server.answer = lambda request: answer
    asking = endpoint(max_retries=0)
    failed = failure(asking)
    assert KEY not in f"{failed!r} {''.join(traceback.format_exception(failed))} {asking!r}"


@pytest.mark.parametrize("stream", [True, False])
def test_an_answer_comes_as_it_was_given_whatever_the_key_is(model_server, web, stream):
    said = calls(track='{"id": "I"}')
    said.text = "RIGHT, I think."
    model_server.answer = lambda request: said
    for key in ("I", "RIGHT", KEY):
        heard = []
        endpoint = OpenAIEndpoint("test", model_server.url, web, key)
        reply = endpoint.ask(request(stream=stream, on_delta=heard.append))
        assert (reply.text, reply.tool_calls[0].arguments) == ("RIGHT, I think.", '{"id": "I"}')
        assert "".join(delta.text for delta in heard) == ("RIGHT, I think." if stream else "")


def test_a_short_key_leaves_the_words_of_a_refusal_readable(model_server, web):
    model_server.answer = lambda request: trouble(401, "I do not know this key")
    failed = failure(OpenAIEndpoint("test", model_server.url, web, "I", max_retries=0))
    assert "I do not know this key" in str(failed)


def test_an_endpoint_that_cannot_stream_is_asked_for_whole_answers(model_server, endpoint):
    model_server.answer = lambda request: trouble(400, "stream is not supported") if "stream" in request else "Here."
    asking = endpoint()
    assert [asking.ask(request()).text for _ in range(2)] == ["Here.", "Here."]
    assert len(model_server.requests) == 3
