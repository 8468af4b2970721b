"""Asking a model in the course of a trial, and what is recorded of it (challenge-pack h.3)."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any

import orjson

from runs.agents.chat.messages import Message
from runs.agents.chat.telling import Telling
from runs.agents.contract import AgentFailed, Cancelled, Config, Request, blamed
from runs.agents.endpoints.contract import Endpoint, EndpointFailed, ModelReply, ModelRequest, ToolCall, Trouble
from runs.agents.endpoints.retrying import PASSING
from runs.agents.endpoints.watch import Watch
from runs.agents.tools import ToolResult
from runs.replay.causes import Group, cause


@dataclass(slots=True)
class Session:
    """The talk with a model about one message: `messages` grows with every answer and every result of a tool."""

    config: Config
    request: Request
    endpoint: Endpoint
    messages: list[Message]
    steps: int = 0
    watch: Watch = field(init=False)

    def __post_init__(self) -> None:
        self.steps = self.request.steps
        self.watch = Watch.of(self.request.seconds, self.request.is_cancelled)

    def seconds(self) -> float | None:
        """The time that is left, None for no limit."""
        return self.watch.left()

    @contextmanager
    def step(self) -> Iterator[None]:
        """One round: a call of the model and of the tools that it asks for."""
        self.steps += 1
        self.request.record("system.step.started", {"step_index": self.steps})
        yield
        self.request.record("system.step.completed", {"step_index": self.steps})

    def ask(self, tools: Sequence[dict[str, Any]] = ()) -> ModelReply:
        """One answer of the model. Raises AgentFailed, Unreachable, Cancelled."""
        return self._call(self.endpoint.ask, tools)

    def research(self) -> ModelReply:
        """One call of the provider's own agent. Raises as `ask` does."""
        with self.step():
            return self._call(self.endpoint.respond, self.config.get("provider_tools", []))

    def _call(self, act: Callable[[ModelRequest], ModelReply], tools: Sequence[dict[str, Any]]) -> ModelReply:
        wanted = self._wanted(tools)
        self.request.record("model.call.started", self._started(wanted))
        telling = self._telling(wanted)
        try:
            reply = act(replace(wanted, on_delta=telling.take) if telling else wanted)
        except EndpointFailed as error:
            raise self._meaning_of(error) from None
        if telling:
            telling.end()
        self.request.record("model.call.completed", self._completed(reply))
        return reply

    def _telling(self, wanted: ModelRequest) -> Telling | None:
        """Who tells of the answer while it comes; None where nobody wants that."""
        if self.config.get("live_output") is not True:
            return None
        return Telling(self.request.record, self.endpoint.provider, wanted.model, self.request.redactor)

    def _wanted(self, tools: Sequence[dict[str, Any]]) -> ModelRequest:
        config = self.config
        return ModelRequest(
            model=config["model"],
            messages=tuple(self.messages),
            tools=tuple(tools),
            temperature=config.get("temperature"),
            max_tokens=config.get("max_tokens"),
            seed=config.get("seed"),
            extra=config.get("extra", {}),
            seconds=self.seconds(),
            is_cancelled=self.request.is_cancelled,
        )

    def _meaning_of(self, error: EndpointFailed) -> Exception:
        """What trouble of the endpoint means for the trial."""
        if error.trouble is Trouble.CANCELLED:
            return Cancelled()
        if error.trouble is Trouble.TIMEOUT and self.seconds() == 0:
            return AgentFailed("The agent took longer than the task allows.", "timeout")
        failure = {
            "provider_key": self.endpoint.provider,
            "code": error.trouble.value,
            "retryable": error.trouble in PASSING,
            "message": str(error),
        }
        message = f"Connection {self.endpoint.name!r}: {error}"
        return blamed(cause(Group.MODEL, error.trouble), message, {"provider_failure": failure})

    def _started(self, wanted: ModelRequest) -> dict[str, Any]:
        chosen = {"temperature": wanted.temperature, "max_tokens": wanted.max_tokens, "seed": wanted.seed}
        return {
            "provider_key": self.endpoint.provider,
            "provider_account_id": self.endpoint.name,
            "model": wanted.model,
            "trace_mode": "structured",
            "step_timeout_ms": None if wanted.seconds is None else round(wanted.seconds * 1000),
            "message_count": len(wanted.messages),
            "tool_definition_count": len(wanted.tools),
            "metadata": {name: value for name, value in chosen.items() if value is not None},
        }

    def _completed(self, reply: ModelReply) -> dict[str, Any]:
        usage = reply.usage
        counts = {
            "input_tokens": usage.input_tokens,
            "output_tokens": usage.output_tokens,
            "total_tokens": usage.total_tokens,
            "cost_usd": usage.cost_usd,
        }
        timing = {
            "ttft_ms": None if reply.first_token_seconds is None else round(reply.first_token_seconds * 1000, 1),
            "total_latency_ms": round(reply.seconds * 1000, 1),
        }
        return {
            "provider_key": self.endpoint.provider,
            "provider_model_id": reply.model,
            "finish_reason": reply.finish_reason,
            "output_text": reply.text,
            "tool_calls": [shown(call) for call in reply.tool_calls],
            "usage": {name: count for name, count in counts.items() if count is not None},
            "timing": {name: time for name, time in timing.items() if time is not None},
            "attempts": reply.attempts,
            **({} if reply.attempts else {"is_stored": True}),
        }

    def say_back(self, reply: ModelReply) -> None:
        """Put the model's answer into the talk, with the calls that it asks for."""
        calls = [
            {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": call.arguments}}
            for call in reply.tool_calls
        ]
        self.messages.append({"role": "assistant", "content": reply.text or None, "tool_calls": calls})

    def tell_result(self, call: ToolCall, result: ToolResult) -> None:
        """Put what a tool gave into the talk."""
        self.messages.append({"role": "tool", "tool_call_id": call.id, "content": result.text})


def shown(call: ToolCall) -> dict[str, Any]:
    """A call as events have it: the arguments as JSON, or as text where they are none."""
    try:
        arguments = orjson.loads(call.arguments) if call.arguments.strip() else {}
    except orjson.JSONDecodeError:
        arguments = call.arguments
    return {"id": call.id, "name": call.name, "arguments": arguments}
