"""One call of a tool and what is recorded of it (challenge-pack h.3)."""

from dataclasses import dataclass, field
from typing import Any

import orjson

from runs.agents.tools.contract import Bench, Category, Done, Origin, Primitive, ToolFailed, ToolResult
from runs.agents.tools.delegation import OwnTool
from runs.agents.tools.faults import FAULT_TEXTS

# Of longer arguments that are no JSON object only the beginning is recorded.
MAX_WRITTEN = 10_000


@dataclass(slots=True)
class Call:
    """A call in progress. `chain` are the names of the tools it went through, the called one first.

    `status` says how it failed where the task wants it to (task-suite 8.1).
    """

    name: str
    id: str
    category: Category
    bench: Bench
    arguments: Any = None
    chain: list[str] = field(default_factory=list)
    resolved: Category | None = None
    is_started: bool = False
    status: str = ""

    def read(self, written: str) -> dict[str, Any]:
        """The arguments that a model wrote; none at all stand for an empty object. Raises ToolFailed."""
        self.arguments = written[:MAX_WRITTEN]
        try:
            value = orjson.loads(written) if written.strip() else {}
        except orjson.JSONDecodeError as error:
            raise ToolFailed(f"the arguments must be JSON: {error}", Origin.RESOLUTION) from None
        if not isinstance(value, dict):
            raise ToolFailed("the arguments must be a JSON object", Origin.RESOLUTION)
        self.arguments = value
        return value

    def start(self) -> None:
        """Record that the tool is called; what a used up budget raises comes through."""
        self.is_started = True
        self.bench.record("tool.call.started", self._facts())

    def resolve(self, tool: Primitive | OwnTool) -> None:
        """Note the next tool of the chain."""
        self.chain.append(tool.name)
        self.resolved = tool.category if isinstance(tool, OwnTool) else Category.PRIMITIVE

    def finish(self, done: Done, text: str) -> ToolResult:
        """Record the end of a call that did its work."""
        if done.is_error:
            return self._close(ToolResult(text, is_error=True), Origin.PRIMITIVE)
        return self._close(ToolResult(text, final_output=done.final_output))

    def fail(self, text: str, origin: Origin) -> ToolResult:
        """Record the end of a call that could not do its work; `text` tells the agent why, as JSON."""
        if not self.is_started:
            self.start()
        return self._close(ToolResult(text, is_error=True), origin)

    def disturb(self, mode: str) -> ToolResult:
        """Record the end of a call that fails because the task wants it to."""
        self.status = mode
        return self.fail(FAULT_TEXTS[mode], Origin.INJECTED)

    def _close(self, result: ToolResult, origin: Origin | None = None) -> ToolResult:
        reported = {"tool_call_id": self.id, "content": result.text, "is_error": result.is_error}
        payload = {**self._facts(), "result": reported, **self._resolution()}
        if origin is not None:
            payload["failure_origin"] = origin.value
            if len(self.chain) > 1:
                payload["failure_depth"] = len(self.chain) - 1
        if self.status:
            payload["status"] = self.status
        if self.bench.network:
            payload["network"] = [use.as_dict() for use in self.bench.network]
        self.bench.record("tool.call.failed" if result.is_error else "tool.call.completed", payload)
        return result

    def _facts(self) -> dict[str, Any]:
        return {
            "tool_call_id": self.id,
            "tool_name": self.name,
            "tool_category": self.category.value,
            "arguments": self.arguments,
        }

    def _resolution(self) -> dict[str, Any]:
        """Which tool did the work of another; nothing for a tool that does its own."""
        if len(self.chain) < 2 or self.resolved is None:
            return {}
        shown = {"resolution_chain": self.chain}
        if self.resolved is Category.COMPOSED:
            return shown
        return {"resolved_tool_name": self.chain[-1], "resolved_tool_category": self.resolved.value, **shown}
