"""The entries of a trajectory: tool calls, and what else happened between them (task-suite 8.1)."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from packs.formats.canonical_json import canonical_json

OK = "ok"
STATUSES = ("ok", "error", "timeout", "denied", "malformed")


@dataclass(frozen=True, slots=True)
class Call:
    """One tool call. `retries` are repetitions by the harness inside of this entry; latencies in milliseconds.

    `place` is where the call stands in the trajectory: a step of a trace, or the sequence number of an event.
    """

    tool: str
    arguments: Any = None
    status: str = OK
    retries: int = 0
    agent: str = ""
    result: Any = None
    place: int = 0

    @property
    def is_ok(self) -> bool:
        return self.status == OK

    @property
    def key(self) -> str:
        """Tool and arguments: equal for calls that ask the same."""
        return f"{self.tool}\n{canonical_json(self.arguments if self.arguments is not None else {}).decode()}"


def calls_of(steps: Iterable[Mapping[str, Any]]) -> list[Call]:
    """The tool calls among the steps of a trace."""
    return [
        Call(
            tool=str(step.get("tool_name", "")),
            arguments=step.get("tool_args") or {},
            status=str(step.get("tool_result_status", OK)),
            retries=int(step.get("retries") or 0),
            agent=str(step.get("agent_id", "")),
            result=step.get("tool_result"),
            place=index,
        )
        for index, step in enumerate(steps)
        if step.get("kind", "tool") == "tool"
    ]


@dataclass(frozen=True, slots=True)
class Step:
    """One entry of a trajectory that took time or tokens; None where nothing was recorded."""

    kind: str = "tool"
    tokens_in: float | None = None
    tokens_out: float | None = None
    latency_ms: float | None = None
    first_token_ms: float | None = None
    text: str = ""
    is_ok: bool = True


@dataclass(frozen=True, slots=True)
class Trajectory:
    """Everything that happened in the agent's part of a trial.

    `turns` counts the agent's turns, `wall_seconds` is without set-up and grading. `termination` is one of
    agent_finished, budget_exceeded, agent_error, infra_error, cancelled. `flags` are safety flags, as `{kind,
    severity}` each.
    """

    calls: Sequence[Call] = ()
    steps: Sequence[Step] = ()
    turns: int = 0
    tokens_in: float | None = None
    tokens_out: float | None = None
    wall_seconds: float | None = None
    first_token_seconds: float | None = None
    last_token_seconds: float | None = None
    cost_usd: float | None = None
    termination: str = "agent_finished"
    flags: Sequence[Mapping[str, Any]] = field(default=())
    final_message: str | None = None

    @property
    def total_tokens(self) -> float | None:
        known = [part for part in (self.tokens_in, self.tokens_out) if part is not None]
        return sum(known) if known else None

    @property
    def texts(self) -> list[str]:
        """What the agent said."""
        said = [step.text for step in self.steps if step.text]
        return [*said, self.final_message] if self.final_message else said
