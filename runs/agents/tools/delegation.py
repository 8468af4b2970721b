"""The tools that a pack defines, and how one of them has its work done by another (challenge-pack c.5)."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from packs.formats.schema.compiling import SchemaCheck, compile_schema
from runs.agents.tools.contract import Arguments, Category, Origin, ToolFailed

MAX_CHAIN = 8
# The primitive whose arguments nothing in the workspace can see; secrets are filled into no other.
KEEPS_SECRETS = "http_request"
NO_ARGUMENTS: dict[str, Any] = {"type": "object", "properties": {}, "additionalProperties": False}


@dataclass(frozen=True)
class OwnTool:
    """A tool of the pack."""

    name: str
    description: str = ""
    parameters: dict[str, Any] = field(default_factory=lambda: NO_ARGUMENTS)
    implementation: dict[str, Any] = field(default_factory=dict)

    @property
    def category(self) -> Category:
        stated = str(self.implementation.get("type") or "").strip().lower()
        return Category.MOCK if stated == Category.MOCK else Category.COMPOSED

    @property
    def delegate(self) -> str:
        """The name of the tool that does the work."""
        return str(self.implementation.get("primitive") or "").strip()

    @cached_property
    def schema(self) -> SchemaCheck | None:
        """The schema of the arguments; None for one that cannot be used, which checks nothing."""
        compiled = compile_schema(self.parameters)
        return compiled if isinstance(compiled, SchemaCheck) else None

    def completed(self, arguments: Arguments) -> dict[str, Any]:
        """The arguments with the defaults that the schema states."""
        properties = self.parameters.get("properties")
        stated = properties if isinstance(properties, Mapping) else {}
        defaults = {
            name: part["default"] for name, part in stated.items() if isinstance(part, Mapping) and "default" in part
        }
        return {**defaults, **arguments}


def own_tools(tools: Mapping[str, Any]) -> dict[str, OwnTool]:
    """The tools that a pack defines, by name; of two with one name the later counts."""
    return {tool.name: tool for tool in _read(tools.get("custom"))}


def _read(custom: Any) -> Iterable[OwnTool]:
    for tool in custom if isinstance(custom, list) else ():
        name = tool.get("name") if isinstance(tool, Mapping) else None
        if isinstance(name, str) and name.strip():
            shape = tool.get("parameters")
            implementation = tool.get("implementation")
            yield OwnTool(
                name.strip(),
                str(tool.get("description") or "").strip(),
                shape if isinstance(shape, dict) and shape else NO_ARGUMENTS,
                implementation if isinstance(implementation, dict) else {},
            )


def check_chain(chain: list[str], delegate: str) -> None:
    """Raises ToolFailed where a delegation would go in a circle or too deep."""
    if delegate in chain:
        raise ToolFailed(f"the tool delegates in a circle, through {delegate!r}", Origin.CYCLE)
    if len(chain) > MAX_CHAIN:
        raise ToolFailed(f"the tool delegates through more than {MAX_CHAIN} others", Origin.DEPTH)
