"""How a trial ended, and whose doing that was."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from runs.engine.conversation.waiting import Wait
from runs.grading.graders.contract import Grade
from runs.grading.graders.evidence.recording import Recording
from runs.replay.causes import Fault


class Verdict(StrEnum):
    """What is said of a trial in the end: the final values of a trial's status, and that it waits for a person."""

    PASSED = "passed"
    FAILED = "failed"
    UNDECIDED = "undecided"
    ERROR = "error"
    CANCELLED = "cancelled"
    WAITING = "waiting"


@dataclass(frozen=True, slots=True)
class Ending:
    """How the agent's part of a trial ended; `final_output` is None where it gave none.

    `facts` go with a failure, beside its error and reason. `waits_for` is what a person is asked, in a trial that
    has not ended but goes on when they have answered.
    """

    final_output: str | None = None
    stop_reason: str = "completed"
    error: str = ""
    fault: Fault = Fault.NONE
    is_cancelled: bool = False
    facts: dict[str, Any] = field(default_factory=dict)
    waits_for: Wait | None = None


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of a trial. `score` is 0 to 1, None without a verdict; `scorecard` as in challenge-pack h.6.

    `usage` is what the agent used up as far as it is known: steps, tool_calls, input_tokens, output_tokens,
    total_tokens and cost_usd in US dollars. `recording` is what was read of the events where they were judged;
    `waits_for` is set just where the verdict is that the trial waits.
    """

    verdict: Verdict
    score: float | None = None
    stop_reason: str = "completed"
    fault: Fault = Fault.NONE
    error: str = ""
    final_output: str = ""
    scorecard: dict[str, Any] = field(default_factory=dict)
    grades: Sequence[Grade] = ()
    usage: Mapping[str, float] = field(default_factory=dict)
    recording: Recording | None = None
    waits_for: Wait | None = None
