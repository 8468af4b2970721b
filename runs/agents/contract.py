"""What an agent is to the engine: something that gets a message and gives a reply."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Protocol

from packs.formats.task import Task
from runs.agents.endpoints.contract import Endpoint
from runs.replay.causes import AGENT_ERROR, CONFIGURATION_ERROR, PROVIDER_ERROR, Cause, Fault
from runs.replay.redaction import Redactor

if TYPE_CHECKING:
    from runs.agents.endpoints.exchange import Web
    from runs.sandbox.contract import Workspace

Config = Mapping[str, Any]
# Records one event of the agent: its type and payload, in the words of challenge-pack h.2 and h.3.
Record = Callable[[str, dict[str, Any]], None]


class Purpose(StrEnum):
    """What a kind of agent is for, as the gallery of agents says it."""

    MODEL = "A model answers"
    OWN = "Your own program answers"
    KNOWN = "The answers are written down"
    PROBE = "To check a pack without a model"


class AgentFailed(Exception):
    """The agent did not give a usable answer, and that is its own doing. `stop_reason` is one of docs/blame.md."""

    def __init__(self, message: str, stop_reason: str = AGENT_ERROR) -> None:
        super().__init__(message)
        self.stop_reason = stop_reason


class NotTried(Exception):
    """There is nothing of the agent for this task, and that says nothing about it."""


class PackProblem(Exception):
    """The task cannot be done as it is written: its author must fix something."""


class Unreachable(Exception):
    """What the agent depends on could not be used: nothing is said about the agent, and trying again may help.

    `stop_reason` says whether a provider or a configuration has to be looked at. `facts` go into the event that ends
    the trial (challenge-pack h.3, `provider_failure`).
    """

    def __init__(self, message: str, facts: Mapping[str, Any] | None = None, stop_reason: str = PROVIDER_ERROR) -> None:
        super().__init__(message)
        self.facts = dict(facts or {})
        self.stop_reason = stop_reason


def unusable(message: str) -> Unreachable:
    """The exception for an agent that is configured so that it cannot be asked."""
    return Unreachable(message, stop_reason=CONFIGURATION_ERROR)


def blamed(cause: Cause, message: str, facts: Mapping[str, Any] | None = None) -> Exception:
    """The exception that a cause means for a trial; `facts` are reported where the agent is not to blame."""
    if cause.fault is Fault.AGENT:
        return AgentFailed(message, cause.stop_reason)
    return Unreachable(message, facts, cause.stop_reason)


class Cancelled(Exception):
    """The run was cancelled while the agent was at work."""


def never() -> bool:
    """The answer of a request that nobody can cancel."""
    return False


@dataclass(frozen=True, slots=True)
class Request:
    """What an agent is asked.

    `message` is what it is told now: the task's prompt, or what the simulated user says in turn `turn` (from 0).
    `history` holds the earlier messages as `{"role", "content"}`. `expected` are the texts that a conversation's turn
    states for its reply, which must be just that where `is_exact`; only the `reference` agent looks at them. `seconds`
    is the time left, None for no limit; `steps` how many the agent took in earlier turns.

    `endpoint` is where the agent's models answer, `web` its way to other hosts, None where it has none; `secrets` are
    those of the team by name. `redactor` is for texts that are recorded piece by piece; whole events are cleared by the
    engine.
    """

    task: Task
    message: str
    turn: int = 0
    history: tuple[dict[str, str], ...] = ()
    expected: tuple[str, ...] = ()
    is_exact: bool = False
    seconds: float | None = None
    steps: int = 0
    workspace: "Workspace | None" = None
    endpoint: Endpoint | None = None
    web: "Web | None" = None
    secrets: Mapping[str, str] = field(default_factory=dict)
    redactor: Redactor = field(default_factory=Redactor)
    record: Record = field(default=lambda event_type, payload: None)
    is_cancelled: Callable[[], bool] = never


@dataclass(frozen=True, slots=True)
class Reply:
    """What an agent answers.

    `recording` is a whole recorded trial, run-level events included, which then stands in place of the engine's own.
    Where it tells of the answer alone (`is_bare`), what graders need run is run on it, in the files that were `left`.
    """

    text: str
    recording: tuple[Mapping[str, Any], ...] = ()
    is_bare: bool = False
    left: Mapping[str, bytes] | None = None


class Agent(Protocol):
    """A kind of agent: a module listed in `runs.agents.AGENTS`.

    `PURPOSE`, `HELP` (a sentence) and `EXAMPLE` (what it may be given or answer, code in backticks) present it in the
    gallery. `SCHEMA` is the JSON Schema (2020-12) of its configuration; forms are made from it. `CONVERSES` says if
    it can take part in a conversation of several turns, `NEEDS_WORKSPACE` whether it works on files, always or in a
    task, `RUNS_PROGRAMS` whether it is nothing without a sandbox to run a program in.
    """

    LABEL: str
    HELP: str
    PURPOSE: Purpose
    EXAMPLE: str
    SCHEMA: dict[str, Any]
    CONVERSES: bool
    RUNS_PROGRAMS: bool

    @property
    def NEEDS_WORKSPACE(self) -> bool | Callable[[Task], bool]: ...

    def respond(self, config: Config, request: Request) -> Reply:
        """Answer. Raises AgentFailed, NotTried, PackProblem, Unreachable, Cancelled, and SandboxUnavailable."""


# Modes in which an agent that a model plays has no tools and no workspace (challenge-pack a.4).
WITHOUT_WORKSPACE = ("prompt_eval", "responses")


def asks_models(agent: Agent) -> bool:
    """Whether agents of a kind need a connection: whether their configuration names one."""
    return "connection" in agent.SCHEMA.get("properties", {})


def needs_workspace(agent: Agent, task: Task) -> bool:
    """Whether an agent works on files in this task."""
    needs = agent.NEEDS_WORKSPACE
    if callable(needs):
        return needs(task)
    return needs and not (asks_models(agent) and task.environment.mode in WITHOUT_WORKSPACE)
