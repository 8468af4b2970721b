"""Endpoints that speak the chat completions API, as OpenAI, most providers and most local servers do."""

import time
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field, replace
from typing import Any

import orjson

from runs.agents.endpoints.contract import Delta, EndpointFailed, ModelPrice, ModelReply, ModelRequest, Trouble
from runs.agents.endpoints.exchange import Answer, Web, drain
from runs.agents.endpoints.replies import (
    DONE,
    Draft,
    Teller,
    bad_reply,
    data_lines,
    read_json,
    responses_reply,
    said,
    shorten,
    whole_reply,
)
from runs.agents.endpoints.retrying import read_retry_after, retry
from runs.agents.endpoints.statuses import trouble_of
from runs.agents.endpoints.watch import Watch
from runs.replay.redaction import Redactor

# Gives a place among the calls that a connection may make at a time, with the watch to use while it is held. Waiting
# for a place raises EndpointFailed when the watch ends.
Slots = Callable[[Watch], AbstractContextManager[Watch]]

# What an endpoint does that refuses, by the trouble.
REFUSALS = {
    Trouble.AUTHENTICATION: "The endpoint does not accept the key",
    Trouble.NOT_FOUND: "The endpoint does not know this address or model",
    Trouble.REDIRECTED: "Redirects are not followed, and the endpoint sends one",
    Trouble.REFUSED: "The endpoint refused the request",
    Trouble.TOO_LONG: "The request is too long for the model",
    Trouble.FILTERED: "The endpoint's filter stopped the request",
    Trouble.SPENT: "The account at the endpoint has no credit left",
    Trouble.RATE_LIMITED: "The endpoint limits how often it may be asked",
    Trouble.TIMEOUT: "The endpoint gave up",
    Trouble.SERVER: "The endpoint has an error of its own",
}


def free(watch: Watch) -> AbstractContextManager[Watch]:
    """A place for everybody at once."""
    return nullcontext(watch)


@dataclass(slots=True)
class OpenAIEndpoint:
    """An endpoint with its key. `base_url` is the address before `/chat/completions`.

    `timeout_seconds` limits each attempt. What an endpoint turns out not to understand is left out from then on.
    """

    name: str
    base_url: str
    web: Web = field(repr=False)
    key: str = field(default="", repr=False)
    provider: str = "openai"
    prices: Mapping[str, ModelPrice] = field(default_factory=dict)
    timeout_seconds: float = 120.0
    max_retries: int = 3
    has_responses: bool = False
    slots: Slots = field(default=free, repr=False)
    streams: bool = field(default=True, repr=False)
    counts_streams: bool = field(default=True, repr=False)
    limits_completions: bool = field(default=False, repr=False)

    @property
    def address(self) -> str:
        """Where it answers."""
        return self.base_url

    def ask(self, request: ModelRequest) -> ModelReply:
        """One answer of a model. Raises EndpointFailed."""
        return self._with_retries(request, self._ask_adapting)

    def respond(self, request: ModelRequest) -> ModelReply:
        """One call of the responses API, in one piece. Raises EndpointFailed."""
        if not self.has_responses:
            raise EndpointFailed(Trouble.REFUSED, f"The connection {self.name!r} has no responses API.")
        return self._with_retries(request, self._respond_once)

    def _with_retries(self, request: ModelRequest, act: Callable[[ModelRequest, Watch], ModelReply]) -> ModelReply:
        watch = Watch.of(request.seconds, request.is_cancelled)

        def attempt(number: int) -> ModelReply:
            try:
                with self.slots(watch) as held:
                    reply = act(request, held.within(self.timeout_seconds))
            except EndpointFailed as error:
                # An endpoint may repeat the key in what it says of it.
                reported = Redactor([self.key]).text(str(error))
                raise EndpointFailed(error.trouble, reported, error.retry_after) from None
            usage = replace(reply.usage, cost_usd=self._cost(request.model, reply))
            return replace(reply, model=reply.model or request.model, usage=usage, attempts=number)

        return retry(attempt, watch, self.max_retries)

    def _cost(self, model: str, reply: ModelReply) -> float | None:
        price = self.prices.get(model) or self.prices.get(reply.model)
        return reply.usage.cost_usd if price is None else price.of(reply.usage)

    def _ask_adapting(self, request: ModelRequest, watch: Watch) -> ModelReply:
        """Ask, and again where the endpoint objects to something that it can do without."""
        while True:
            known = self._known(request)
            try:
                return self._ask_once(request, known, watch)
            except EndpointFailed as error:
                if error.trouble is not Trouble.REFUSED or not self._learn(str(error), known):
                    raise

    def _learn(self, objection: str, known: Mapping[str, Any]) -> bool:
        """Whether an objection to these members teaches how to ask this endpoint.

        Threads that share the endpoint may meet the same objection at once: each goes by what it asked with itself.
        """
        if "stream_options" in objection and "stream_options" in known:
            self.counts_streams = False
            return True
        if "stream" in objection and "stream" in known:
            self.streams = False
            return True
        if "max_completion_tokens" in objection and "max_tokens" in known:
            self.limits_completions = True
            return True
        return False

    def _ask_once(self, request: ModelRequest, known: Mapping[str, Any], watch: Watch) -> ModelReply:
        started = time.monotonic()
        body = {"model": request.model, "messages": list(request.messages), **known, **request.extra}
        with self._post("/chat/completions", body, watch) as answer:
            self._refuse_trouble(answer)
            if "text/event-stream" in answer.headers.get("content-type", "").lower():
                return self._read_stream(answer, started, request.on_delta)
            reply = whole_reply(read_json(answer.body()))
        return replace(reply, seconds=time.monotonic() - started)

    def _respond_once(self, request: ModelRequest, watch: Watch) -> ModelReply:
        started = time.monotonic()
        known: dict[str, Any] = {"temperature": request.temperature, "max_output_tokens": request.max_tokens}
        body = {"model": request.model, "input": list(request.messages), **present(known), **request.extra}
        if request.tools:
            body["tools"] = list(request.tools)
        with self._post("/responses", body, watch) as answer:
            self._refuse_trouble(answer)
            reply = responses_reply(read_json(answer.body()))
        return replace(reply, seconds=time.monotonic() - started)

    def _known(self, request: ModelRequest) -> dict[str, Any]:
        """What a request asks for beside model and messages, in the members that this endpoint understands."""
        limit = "max_completion_tokens" if self.limits_completions else "max_tokens"
        streams = request.stream and self.streams
        known: dict[str, Any] = {
            "temperature": request.temperature,
            limit: request.max_tokens,
            "seed": request.seed,
            "response_format": request.response_format,
            "tools": list(request.tools) or None,
            "stream": streams or None,
            "stream_options": {"include_usage": True} if streams and self.counts_streams else None,
        }
        return present(known)

    def _post(self, path: str, body: Mapping[str, Any], watch: Watch) -> AbstractContextManager[Answer]:
        headers = {"content-type": "application/json", "accept": "application/json, text/event-stream"}
        if self.key:
            headers["authorization"] = f"Bearer {self.key}"
        return self.web.send("POST", self.base_url.rstrip("/") + path, watch, headers, orjson.dumps(body))

    def _refuse_trouble(self, answer: Answer) -> None:
        """Raises EndpointFailed for every status but success."""
        status = answer.status
        if trouble_of(status) is None:
            return
        body = b"" if status < 400 else answer.body()
        trouble = trouble_of(status, body.decode("utf-8", "replace")) or Trouble.REFUSED
        message = f"{REFUSALS[trouble]} ({status})"
        words = shorten(words_of(body))
        message = f"{message}: {words}" if words else f"{message}."
        raise EndpointFailed(trouble, message, read_retry_after(answer.headers.get("retry-after", "")))

    def _read_stream(self, answer: Answer, started: float, hear: Callable[[Delta], None] | None) -> ModelReply:
        draft, first, is_done = Draft(), None, False
        teller = None if hear is None else Teller(hear)
        chunks = answer.chunks()
        for data in data_lines(chunks):
            if data == DONE:
                is_done = True
                break
            try:
                chunk = orjson.loads(data)
            except orjson.JSONDecodeError:
                raise bad_reply("a part of its stream is not JSON") from None
            if isinstance(chunk, dict) and draft.add(chunk) and first is None:
                first = time.monotonic() - started
            if teller is not None:
                teller.tell(draft)
        refuse_part(draft, is_done=is_done)
        seconds = time.monotonic() - started
        drain(chunks)
        return replace(draft.reply(), seconds=seconds, first_token_seconds=first)


def refuse_part(draft: Draft, *, is_done: bool) -> None:
    """Raises EndpointFailed for a stream that broke off, and for one that ended without any message."""
    if not is_done and not draft.finish_reason:
        raise EndpointFailed(Trouble.UNREACHABLE, "The endpoint's stream ended in the middle of the answer.")
    if not draft.has_message:
        raise bad_reply("it holds no message")


def present(values: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in values.items() if value is not None}


def words_of(body: bytes) -> str:
    """What an endpoint says with a refusal."""
    try:
        return said(orjson.loads(body))
    except orjson.JSONDecodeError:
        return body.decode("utf-8", "replace")
