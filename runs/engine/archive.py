"""The replies that judges gave when a trial was scored, for re-scores."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import orjson

from runs.agents.endpoints.contract import Endpoint, EndpointFailed, ModelReply, ModelRequest, Trouble, Usage
from runs.grading.graders.evidence import SCORING_SOURCE

Event = Mapping[str, Any]
Replies = list[Mapping[str, Any]]


def key_of(messages: Any) -> bytes:
    """What was asked, as something to look up."""
    return orjson.dumps(messages, option=orjson.OPT_SORT_KEYS)


class Archive:
    """The replies of judges by model and by what was asked, in the order of samples; of several scorings the last one
    that asked it."""

    def __init__(self, events: Sequence[Event]) -> None:
        self.replies: dict[str, dict[bytes, Replies]] = {}
        self.scorings: dict[tuple[str, bytes], int] = {}
        self.endpoints: dict[str, Recorded] = {}
        asked: dict[int, Any] = {}
        pending: Mapping[str, Any] = {}
        scoring = 0
        for event in events:
            payload, kind = event["payload"], event["event_type"]
            if event["source"] != SCORING_SOURCE:
                continue
            if kind == "scoring.started":
                scoring += 1
            elif kind == "model.call.started":
                pending = payload
                asked[event["sequence_number"]] = payload.get("messages")
            elif kind == "model.call.completed" and not payload.get("error"):
                messages = pending.get("messages") or asked.get(pending.get("same_messages_as", 0))
                self._keep(str(pending.get("model")), key_of(messages), payload, scoring)

    def _keep(self, model: str, key: bytes, payload: Mapping[str, Any], scoring: int) -> None:
        replies = self.replies.setdefault(model, {})
        if self.scorings.get((model, key)) != scoring:
            replies[key] = []
        self.scorings[model, key] = scoring
        replies[key].append(payload)
        replies[key].sort(key=lambda reply: reply.get("sample", 0))

    def endpoint(self, model: str) -> "Recorded | None":
        """Where a model answers as it did then; None when it was not asked at all."""
        if model in self.replies and model not in self.endpoints:
            self.endpoints[model] = Recorded(model, self.replies[model])
        return self.endpoints.get(model)

    def before(self, live: Callable[[str], Endpoint | None]) -> Callable[[str], Endpoint | None]:
        """Models that answer as they did then, and are asked what they were not."""
        known: dict[str, Endpoint | None] = {}

        def endpoint_for(model: str) -> Endpoint | None:
            if model not in known:
                then, now = self.endpoint(model), live(model)
                known[model] = Either(then, now) if then and now else then or now
            return known[model]

        return endpoint_for


class Recorded:
    """Answers what one model was asked before, once for each time that it was."""

    address, has_responses = "", False

    def __init__(self, model: str, replies: Mapping[bytes, Replies]) -> None:
        first = next(reply for listed in replies.values() for reply in listed)
        self.name = str(first.get("provider_account_id", ""))
        self.provider = str(first.get("provider_key", ""))
        self.model = model
        self.replies = replies

    def ask(self, request: ModelRequest) -> ModelReply:
        """The reply of then. Raises EndpointFailed when the model was asked something else."""
        try:
            reply = self.replies[key_of(list(request.messages))].pop(0)
        except (KeyError, IndexError):
            message = "the model was not asked this before, and is not asked now"
            raise EndpointFailed(Trouble.NOT_ALLOWED, message) from None
        usage = reply.get("usage") or {}
        return ModelReply(
            text=str(reply.get("output_text", "")),
            model=str(reply.get("provider_model_id", self.model)),
            finish_reason=str(reply.get("finish_reason", "")),
            usage=Usage(usage.get("input_tokens"), usage.get("output_tokens"), reply.get("cost_usd")),
            attempts=0,
            connection=str(reply.get("provider_account_id", "")),
            provider=str(reply.get("provider_key", "")),
        )

    def respond(self, request: ModelRequest) -> ModelReply:
        """Judges are asked with `ask`. Raises EndpointFailed."""
        raise EndpointFailed(Trouble.NOT_ALLOWED, "recorded replies hold no calls of an endpoint's own agent")


@dataclass(slots=True)
class Either:
    """Answers as it did before, and asks what was not asked, or got no reply, before."""

    then: Recorded
    now: Endpoint
    name: str = field(init=False)
    provider: str = field(init=False)
    address: str = field(init=False)
    has_responses: bool = False

    def __post_init__(self) -> None:
        self.name, self.provider, self.address = self.now.name, self.now.provider, self.now.address

    def ask(self, request: ModelRequest) -> ModelReply:
        """The reply of then, else one of now. Raises EndpointFailed."""
        try:
            return self.then.ask(request)
        except EndpointFailed:
            return self.now.ask(request)

    def respond(self, request: ModelRequest) -> ModelReply:
        """Judges are asked with `ask`. Raises EndpointFailed."""
        return self.then.respond(request)
