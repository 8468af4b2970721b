"""The tools of one trial: what the agent is told of them, and what happens when it calls one (challenge-pack c.5)."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import orjson

from packs.formats.schema.compiling import SchemaCheck, compile_schema
from runs.agents.endpoints.watch import Watch, never
from runs.agents.tools import mocks
from runs.agents.tools.calls import Call
from runs.agents.tools.contract import (
    NOT_ALLOWED,
    NOT_AVAILABLE,
    Arguments,
    Bench,
    Category,
    Done,
    Origin,
    Primitive,
    ToolFailed,
    ToolResult,
)
from runs.agents.tools.delegation import KEEPS_SECRETS, OwnTool, check_chain
from runs.agents.tools.faults import Faults
from runs.agents.tools.placeholders import Values, as_text, fill, uses_secrets
from runs.replay.redaction import Redactor
from runs.sandbox.contract import PathRefused, WorkspaceFull

# Of a longer result the agent is shown the beginning.
MAX_RESULT = 200_000
Tool = Primitive | OwnTool


@dataclass(slots=True)
class Toolbox:
    """The tools of one trial.

    `primitives` are the built-in tools that the policy lets work, `own` those of the pack; `visible` are the names that
    the agent may call, `known` every name that exists, allowed or not. `secrets` are filled in for `${secrets.NAME}`,
    `redactor` cuts out of results what they may not show, `faults` are calls that are to fail.
    """

    bench: Bench
    primitives: Mapping[str, Primitive] = field(default_factory=dict)
    own: Mapping[str, OwnTool] = field(default_factory=dict)
    visible: frozenset[str] = frozenset()
    known: frozenset[str] = frozenset()
    secrets: Mapping[str, str] = field(default_factory=dict)
    redactor: Redactor = field(default_factory=Redactor)
    faults: Faults = field(default_factory=Faults)

    @property
    def declarations(self) -> list[dict[str, Any]]:
        """The visible tools as function declarations of the OpenAI kind."""
        tools: dict[str, Tool] = {**self.primitives, **self.own}
        return [declaration(tool) for name, tool in tools.items() if name in self.visible]

    def call(
        self,
        name: str,
        arguments_text: str,
        *,
        call_id: str = "",
        seconds: float | None = None,
        is_cancelled: Callable[[], bool] = never,
    ) -> ToolResult:
        """Do what an agent asks of a tool, and record it. The result says what is wrong with the call.

        `arguments_text` is what the model wrote; `seconds` is the time that is left, None for no limit. Raises
        SandboxUnavailable for our machine, and what `bench.record` raises when a budget is used up.
        """
        self.bench.watch, self.bench.network = Watch.of(seconds, is_cancelled), []
        call = Call(name.strip(), call_id, self._category(name.strip()), self.bench)
        try:
            arguments = call.read(arguments_text)
            call.start()
            tool = self._visible(call.name)
            fault = self.faults.take(call.name)
            if fault:
                return call.disturb(fault)
            done = self._work(call, tool, arguments)
        except ToolFailed as error:
            return call.fail(self._shown({"error": str(error), **error.facts}), error.origin)
        except (PathRefused, WorkspaceFull) as error:
            return call.fail(self._shown({"error": str(error)}), Origin.PRIMITIVE)
        return call.finish(done, self._shown(done.value))

    def _category(self, name: str) -> Category:
        tool = self.own.get(name)
        return tool.category if tool else Category.PRIMITIVE

    def _visible(self, name: str) -> Tool:
        if name not in self.visible:
            if name in self.known:
                raise ToolFailed(NOT_ALLOWED, Origin.POLICY)
            raise ToolFailed(NOT_AVAILABLE, Origin.RESOLUTION)
        return self.own.get(name) or self.primitives[name]

    def _work(self, call: Call, tool: Tool, arguments: Arguments) -> Done:
        """Have a tool do its work, through as many others as it takes. Raises ToolFailed."""
        call.resolve(tool)
        check_arguments(tool, arguments)
        if isinstance(tool, Primitive):
            return tool.work(self.bench, arguments)
        if tool.category is Category.MOCK:
            return mocks.answer(tool.implementation, arguments)
        check_chain(call.chain, tool.delegate)
        template = tool.implementation.get("args") or {}
        self._check_secrets(tool, template)
        passed = fill(template, Values(tool.completed(arguments), self.secrets))
        return self._work(call, self._delegate(tool.delegate), passed)

    def _delegate(self, name: str) -> Tool:
        """A tool that another one hands its work to; it need not be visible, but allowed."""
        found = self.own.get(name) or self.primitives.get(name)
        if found is not None:
            return found
        if name in self.known:
            raise ToolFailed(f"{NOT_ALLOWED}: {name!r}", Origin.POLICY)
        raise ToolFailed(f"{NOT_AVAILABLE}: {name!r}", Origin.DELEGATION)

    def _check_secrets(self, tool: OwnTool, template: Any) -> None:
        """Raises ToolFailed where a secret would come into the workspace, where the agent could read it."""
        if not uses_secrets(template):
            return
        if tool.delegate != KEEPS_SECRETS or tool.delegate in self.own:
            raise ToolFailed(f"secrets can only be passed to {KEEPS_SECRETS}", Origin.RESOLUTION)
        if "output_path" in template:
            raise ToolFailed("a request that holds a secret cannot write into the workspace", Origin.RESOLUTION)

    def _shown(self, value: Any) -> str:
        """The result as the agent is given it: without secrets, and not longer than it may be."""
        text = self.redactor.text(as_text(value))
        if len(text) <= MAX_RESULT:
            return text
        return f"{text[:MAX_RESULT]}\n[{len(text) - MAX_RESULT} characters left out]"


def check_arguments(tool: Tool, arguments: Arguments) -> None:
    """Raises ToolFailed for arguments that do not fit the schema of the tool."""
    schema = tool.schema if isinstance(tool, OwnTool) else primitive_schema(orjson.dumps(tool.parameters))
    violation = schema.first_violation(dict(arguments)) if schema else None
    if violation:
        place = ".".join(map(str, violation.path)) or "the arguments"
        raise ToolFailed(f"{place}: {violation.message}", Origin.RESOLUTION)


@lru_cache(maxsize=64)
def primitive_schema(schema: bytes) -> SchemaCheck | None:
    """The compiled parameters of a primitive, which are the same in every trial."""
    compiled = compile_schema(orjson.loads(schema))
    return compiled if isinstance(compiled, SchemaCheck) else None


def declaration(tool: Tool) -> dict[str, Any]:
    """What a model is told of a tool."""
    function = {"name": tool.name, "description": tool.description, "parameters": tool.parameters}
    return {"type": "function", "function": function}
