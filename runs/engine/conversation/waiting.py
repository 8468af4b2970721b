"""Waiting for a person: what is asked, and what a trial keeps meanwhile. No worker is held while it waits."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from runs.engine.events import Event
from runs.sandbox.contract import SandboxUnavailable, Workspace

MAX_FILE_BYTES = 4 * 1024 * 1024
MAX_KEPT_BYTES = 16 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Wait:
    """What a person is asked: the turn and phase, what the pack says to them, and how long they have, in seconds.

    `files` is the agent's workspace, by path below its working directory.
    """

    turn: int
    phase: str
    hint: str
    seconds: float
    files: Mapping[str, bytes] = field(default_factory=dict)

    @property
    def payload(self) -> dict[str, Any]:
        """The payload of `turn.awaiting_human`."""
        return {
            "turn_index": self.turn,
            "phase_id": self.phase,
            "prompt_hint": self.hint,
            "timeout_ms": round(self.seconds * 1000),
        }


@dataclass(frozen=True, slots=True)
class Resumption:
    """How a trial goes on that waited for a person.

    `events` are all until then, the last of them `turn.awaiting_human`; `answer` is what the person said, None when
    their time was over; `files` is the agent's workspace as it was kept.
    """

    events: Sequence[Event]
    answer: str | None
    files: Mapping[str, bytes] = field(default_factory=dict)

    @property
    def turn(self) -> int:
        """The turn that waited."""
        return int(self.events[-1]["payload"]["turn_index"])

    @property
    def phase(self) -> str:
        """The phase that waited."""
        return str(self.events[-1]["payload"]["phase_id"])

    def worked_seconds(self) -> float:
        """How long the trial was at work before; waiting for a person does not count."""
        worked, began = 0.0, self.events[0]["occurred_at"]
        for before, event in zip(self.events, self.events[1:], strict=False):
            if before["event_type"] == "turn.awaiting_human":
                began = event["occurred_at"]
            if event["event_type"] == "turn.awaiting_human":
                worked += (event["occurred_at"] - began).total_seconds()
        return max(worked, 0.0)


class PersonAwaited(Exception):
    """The conversation goes on when a person has answered, or their time is over."""

    def __init__(self, wait: Wait) -> None:
        super().__init__(wait.phase)
        self.wait = wait


def keep_files(workspace: Workspace) -> dict[str, bytes]:
    """The files of a workspace, to be put into the next one. Raises SandboxUnavailable where they are too large."""
    kept: dict[str, bytes] = {}
    size = 0
    for entry in workspace.list_directory(".", recursive=True) or ():
        if entry.is_directory:
            continue
        found = workspace.read_file(entry.path, MAX_FILE_BYTES)
        if found is not None:
            kept[entry.path] = found.content
            size += len(found.content)
        if (found is not None and found.is_truncated) or size > MAX_KEPT_BYTES:
            raise SandboxUnavailable(
                "The workspace cannot be kept while a person is asked: it may hold up to "
                f"{MAX_KEPT_BYTES // 2**20} MiB, and {MAX_FILE_BYTES // 2**20} MiB in one file."
            )
    return kept
