"""Tool calls as the trace of a trial shows them."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from runs.grading.graders.contract import Source
from runs.grading.graders.values import TooDeep, as_count, as_number, compact_json, loose_text, parse_json

# What a tool runtime answers when a tool lies outside the agent's scope (challenge-pack d.6).
_REFUSALS = ("tool is not allowed in this runtime", "tool is not available in this runtime")


@dataclass(frozen=True, slots=True)
class ToolCall:
    """One finished tool call. `failed` also when the call completed with an error as its result.

    `status` says how it failed where the event tells (timeout, denied, malformed), `retries` how often the call
    was repeated, `agent` which of several agents called. `output` is the result as it was reported; a call `is_bare`
    when nothing was reported of its arguments.
    """

    name: str
    arguments: Any
    failed: bool
    sequence: int = 0
    event_type: str = ""
    failure_origin: str = ""
    error: str = ""
    status: str = ""
    retries: int = 0
    agent: str = ""
    output: Any = None
    duration_ms: float | None = None
    is_bare: bool = False

    @property
    def source(self) -> Source | None:
        return Source("tool_call", self.sequence, self.event_type, "tool_calls") if self.sequence > 0 else None

    @property
    def signature(self) -> tuple[str, str]:
        """Name and arguments, for telling a repeated call from a new one."""
        try:
            return self.name, compact_json(self.arguments)
        except TooDeep:
            return self.name, f"call {self.sequence}"

    @property
    def is_out_of_scope(self) -> bool:
        if not self.failed:
            return False
        error = self.error.lower()
        return self.failure_origin.lower() == "policy" or any(refusal in error for refusal in _REFUSALS)


def read_tool_call(event_type: str, sequence: int, payload: Mapping[str, Any]) -> ToolCall | None:
    """The call that a tool.call.completed or tool.call.failed event tells of; None without a tool name."""
    name = loose_text(payload.get("tool_name")) or ""
    if not name.strip():
        return None
    failed, error = event_type == "tool.call.failed", ""
    result = payload.get("result")
    if isinstance(result, Mapping):
        failed = failed or result.get("is_error") is True
        error = _error_text(loose_text(result.get("content")) or "")
    origin = loose_text(payload.get("failure_origin")) or ""
    return ToolCall(
        name=name.strip(),
        arguments=payload.get("arguments", {}),
        failed=failed,
        sequence=sequence,
        event_type=event_type,
        failure_origin=origin.strip(),
        error=error,
        status=loose_text(payload.get("status")) or "",
        retries=max(as_count(payload.get("retries")) or 0, 0),
        agent=loose_text(payload.get("agent_id")) or "",
        output=result.get("content", result) if isinstance(result, Mapping) else result,
        duration_ms=_duration(payload),
        is_bare="arguments" not in payload,
    )


def _duration(payload: Mapping[str, Any]) -> float | None:
    """How long a call took in milliseconds, where the event says so."""
    timing = payload.get("timing")
    stated = timing.get("total_latency_ms") if isinstance(timing, Mapping) else None
    return as_number(payload.get("duration_ms", stated))


def _error_text(content: str) -> str:
    """The message in a tool result, which may be a JSON object with a member `error`."""
    if content.lstrip().startswith("{"):
        try:
            message = loose_text(parse_json(content).get("error"))
        except ValueError:
            message = None
        if message is not None:
            return message.strip()
    return content.strip()
