"""Models whose answers are kept: the same request is answered as before, without a call.

A request is the same if all that is sent is the same: the address, the model, the messages and every setting. Trials
that repeat a case ask anew each, as does a judge that asks several times, or their agreement would say nothing: the
number of the trial, and how often it asked the same before, belong to the key.
"""

import hashlib
import threading
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Protocol

import orjson

from runs.agents.endpoints.contract import Around, Endpoint, ModelReply, ModelRequest, ToolCall, Usage

# What of a request is sent; the rest says how this call is made.
SENT = ("model", "messages", "tools", "temperature", "max_tokens", "seed", "response_format", "extra")


class Replies(Protocol):
    """Where replies are kept, by keys of 64 hexadecimal digits."""

    def find(self, key: str) -> ModelReply | None:
        """The reply that is kept, None where none is."""

    def keep(self, key: str, reply: ModelReply) -> None:
        """Keep a reply, or not where nothing new is to be kept."""


@dataclass(slots=True)
class Memory:
    """The replies that one trial may take; `trial` is its number among the trials of its case."""

    replies: Replies
    trial: int
    asked: Counter[bytes] = field(default_factory=Counter)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def before(self, endpoint: Endpoint | None) -> Endpoint | None:
        """An endpoint that is asked only what is not kept."""
        return None if endpoint is None else Remembering(endpoint, self)

    def before_each(self, endpoints: Callable[[str], Endpoint | None]) -> Callable[[str], Endpoint | None]:
        """The same of the endpoints of several models."""
        return lambda model: self.before(endpoints(model))

    def key_of(self, way: str, address: str, request: ModelRequest) -> str:
        """The key of a request that is about to be made."""
        sent = {name: getattr(request, name) for name in SENT}
        asked = orjson.dumps([way, address, sent], option=orjson.OPT_SORT_KEYS, default=dict)
        with self.lock:
            self.asked[asked] += 1
            times = self.asked[asked]
        return hashlib.sha256(asked + f"/{self.trial}/{times}".encode()).hexdigest()


@dataclass(slots=True)
class Remembering(Around):
    """An endpoint that answers from a memory where it can."""

    memory: Memory

    def ask(self, request: ModelRequest) -> ModelReply:
        """The reply that is kept, else one answer. Raises EndpointFailed."""
        return self._answer("ask", request, self.endpoint.ask)

    def respond(self, request: ModelRequest) -> ModelReply:
        """The reply that is kept, else one call of the endpoint's own agent. Raises EndpointFailed."""
        return self._answer("respond", request, self.endpoint.respond)

    def _answer(self, way: str, request: ModelRequest, act: Callable[[ModelRequest], ModelReply]) -> ModelReply:
        key = self.memory.key_of(way, self.address, request)
        kept = self.memory.replies.find(key)
        if kept is not None:
            return kept
        reply = act(request)
        self.memory.replies.keep(key, reply)
        return reply


def as_text(reply: ModelReply) -> str:
    """A reply as it is kept: what was answered, and what it used up."""
    usage = reply.usage
    kept = {
        "text": reply.text,
        "model": reply.model,
        "tool_calls": [[call.id, call.name, call.arguments] for call in reply.tool_calls],
        "finish_reason": reply.finish_reason,
        "usage": [usage.input_tokens, usage.output_tokens, usage.cost_usd],
    }
    return orjson.dumps(kept).decode()


def from_text(text: str) -> ModelReply:
    """A kept reply; that it took no attempt says that nobody was asked."""
    kept: dict[str, Any] = orjson.loads(text)
    return ModelReply(
        text=kept["text"],
        model=kept["model"],
        tool_calls=tuple(ToolCall(*call) for call in kept["tool_calls"]),
        finish_reason=kept["finish_reason"],
        usage=Usage(*kept["usage"]),
        attempts=0,
    )
