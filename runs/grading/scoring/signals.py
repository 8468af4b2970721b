"""Behavioural signals over the tool calls of a trial, in order (challenge-pack d.6)."""

from collections.abc import Callable, Sequence

from packs.formats.task import Signal
from runs.grading.graders.contract import Grade
from runs.grading.graders.evidence import Evidence, ToolCall, Turn
from runs.grading.scoring.results import Measured


def recovery(calls: Sequence[ToolCall]) -> float:
    """The share of failed calls with a successor whose successor is another call; 1 without failures."""
    failed = [position for position, call in enumerate(calls) if call.failed]
    followed = [position for position in failed if position + 1 < len(calls)]
    if not failed or not followed:
        return float(not failed)
    changed = [position for position in followed if calls[position].signature != calls[position + 1].signature]
    return len(changed) / len(followed)


def exploration(calls: Sequence[ToolCall]) -> float:
    """1 minus the share of calls that repeat an earlier one."""
    return len({call.signature for call in calls}) / len(calls) if calls else 1.0


def error_cascade(calls: Sequence[ToolCall]) -> float:
    """1 divided by the length of the longest streak of failures; 1 without failures."""
    longest = streak = 0
    for call in calls:
        streak = streak + 1 if call.failed else 0
        longest = max(longest, streak)
    return 1 / max(longest, 1)


def scope_adherence(calls: Sequence[ToolCall]) -> float:
    """1 minus the share of calls outside the agent's scope."""
    return 1 - sum(call.is_out_of_scope for call in calls) / len(calls) if calls else 1.0


def conversation_recovery(turns: Sequence[Turn], grades: Sequence[Grade]) -> Measured:
    """1 without a mismatching turn; else 1 only if every grader gives the full score."""
    if not any(turn.mismatch for turn in turns):
        return Measured(1.0)
    if not grades:
        return Measured(None, "no grader says how the conversation ended")
    for grade in grades:
        if grade.score is None:
            return Measured(None, f"grader {grade.key!r} gave no score")
        if grade.score < 1:
            return Measured(0.0)
    return Measured(1.0)


SIGNALS: dict[str, Callable[[Sequence[ToolCall]], float]] = {
    "recovery_behavior": recovery,
    "exploration_efficiency": exploration,
    "error_cascade": error_cascade,
    "scope_adherence": scope_adherence,
}


def measure_signal(key: str, evidence: Evidence, grades: Sequence[Grade]) -> Measured:
    """The score of one signal; in a conversation recovery is about its turns."""
    recording = evidence.recording
    if key == "recovery_behavior" and recording.turns:
        return conversation_recovery(recording.turns, grades)
    signal = SIGNALS.get(key)
    if signal is None:
        return Measured(None, f"there is no behavioural signal {key!r}", is_error=True)
    return Measured(signal(recording.tool_calls))


def behaviour(signals: Sequence[Signal], evidence: Evidence, grades: Sequence[Grade]) -> Measured:
    """The weighted mean of the signals; 0 when a gated one is below its threshold."""
    total, weights, failed = 0.0, 0.0, []
    for signal in signals:
        measured = measure_signal(signal.key, evidence, grades)
        if measured.value is None:
            return Measured(None, f"signal {signal.key!r}: {measured.reason}", measured.is_error)
        total += signal.weight * measured.value
        weights += signal.weight
        if signal.gate and signal.pass_threshold is not None and measured.value < signal.pass_threshold:
            failed.append(f"{signal.key} {measured.value:.3f} is below {signal.pass_threshold:.3f}")
    if weights <= 0:
        return Measured(None, "the pack states no weighted behavioural signals")
    return Measured(0.0, "; ".join(failed)) if failed else Measured(total / weights)
