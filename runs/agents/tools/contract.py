"""What tools share: what they are given, what they give back, and how a call fails (challenge-pack c.5, h.3)."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from runs.agents.endpoints.addresses import AllowList
from runs.agents.endpoints.watch import Watch
from runs.sandbox.contract import Workspace

Json = Any
Arguments = Mapping[str, Json]
# Records one event of the agent's work: its type and its payload.
Record = Callable[[str, dict[str, Any]], None]

# The texts that scoring reads as a call outside of the agent's scope (challenge-pack d.6).
NOT_ALLOWED = "tool is not allowed in this runtime"
NOT_AVAILABLE = "tool is not available in this runtime"


class Category(StrEnum):
    """What does the work of a tool."""

    PRIMITIVE = "primitive"
    COMPOSED = "composed"
    MOCK = "mock"


class Origin(StrEnum):
    """Where a failed call failed."""

    POLICY = "policy"
    RESOLUTION = "resolution"
    PRIMITIVE = "primitive"
    DELEGATION = "delegation"
    CYCLE = "cycle"
    DEPTH = "depth"
    INJECTED = "injected"


class ToolFailed(Exception):
    """A call did not succeed. The agent gets the message and may try something else; the trial goes on.

    `facts` are added to the message.
    """

    def __init__(
        self, message: str, origin: Origin = Origin.PRIMITIVE, facts: Mapping[str, Json] | None = None
    ) -> None:
        super().__init__(message)
        self.origin = origin
        self.facts = dict(facts or {})


@dataclass(frozen=True, slots=True)
class ToolResult:
    """What the agent is given back: the text that stands for the result, and whether the call failed.

    `final_output` is the answer that the agent handed in by this call, None for every other call.
    """

    text: str
    is_error: bool = False
    final_output: str | None = None


@dataclass(frozen=True, slots=True)
class NetworkUse:
    """One request that a tool sent or wanted to send; `status` is the HTTP status, `blocked` or `failed`."""

    host: str
    path: str
    status: str

    def as_dict(self) -> dict[str, str]:
        return {"host": self.host, "path": self.path, "status": self.status}


@dataclass(slots=True)
class Bench:
    """What the tools of one trial work with.

    `working_directory` is the path of the workspace as the task knows it; the roots narrow what tools may read and
    write below it, empty for all of it. `hosts` are those that may be called, `watch` is how long the call may take,
    and `network` holds the requests that it made.
    """

    workspace: Workspace | None
    record: Record
    working_directory: str = "/workspace"
    readable_roots: tuple[str, ...] = ()
    writable_roots: tuple[str, ...] = ()
    hosts: AllowList = field(default_factory=AllowList)
    watch: Watch = field(default_factory=Watch)
    network: list[NetworkUse] = field(default_factory=list)

    @property
    def room(self) -> Workspace:
        """The workspace. Raises ToolFailed where the trial has none."""
        if self.workspace is None:
            raise ToolFailed(NOT_AVAILABLE, Origin.POLICY)
        return self.workspace

    def seconds(self, wanted: float) -> float:
        """How long a program may run: what is asked for, within the time left. Raises ToolFailed when there is none."""
        left = self.watch.left()
        if left == 0:
            raise ToolFailed("there is no time left")
        return wanted if left is None else min(wanted, left)


@dataclass(frozen=True, slots=True)
class Done:
    """What a tool did: its result as a JSON value, and the answer where it hands one in.

    `is_error` for work that was done and turned out badly, such as a command that ended with a code other than 0.
    """

    value: Json
    is_error: bool = False
    final_output: str | None = None


@dataclass(frozen=True, slots=True)
class Primitive:
    """A built-in tool. `kind` is one of the kinds of a tool policy, `shell`, or empty for a tool of no kind."""

    name: str
    kind: str
    description: str
    parameters: dict[str, Json]
    work: Callable[[Bench, Arguments], Done]
    needs_workspace: bool = True


def parameters(required: tuple[str, ...] = (), **properties: Json) -> dict[str, Json]:
    """The JSON Schema of a primitive's arguments."""
    schema: dict[str, Json] = {"type": "object", "properties": properties, "additionalProperties": False}
    return {**schema, "required": list(required)} if required else schema


TEXT: dict[str, Json] = {"type": "string"}
POSITIVE: dict[str, Json] = {"type": "integer", "minimum": 1}


def named(schema: dict[str, Json], description: str) -> dict[str, Json]:
    """A schema with what the agent is told of it."""
    return {**schema, "description": description}
