"""The trial as messages and as a summary, the way programs and judges are told of it (agentv F.7)."""

from collections.abc import Iterator
from typing import Any

from runs.grading.graders.evidence import ToolCall
from runs.grading.graders.evidence.recording import Recording

Message = dict[str, Any]


def messages_of(recording: Recording) -> list[Message]:
    """What was said and called. Where the events tell no turns, one message of the assistant has everything."""
    calls = [call_document(call) for call in recording.tool_calls]
    called = {"tool_calls": calls} if calls else {}
    if not recording.turns:
        return [{"role": "assistant", "content": recording.final_output or "", **called}]
    found = list(_turns(recording))
    found[-1] |= called
    return found


def _turns(recording: Recording) -> Iterator[Message]:
    for turn in recording.turns:
        yield {"role": "user", "content": turn.user}
        yield {"role": "assistant", "content": turn.assistant}


def call_document(call: ToolCall) -> Message:
    """One call of a tool; what nobody recorded is left out."""
    given = {} if call.is_bare else {"input": call.arguments}
    reported = {"output": call.output, "duration_ms": call.duration_ms}
    return {"tool": call.name, **given, **{name: value for name, value in reported.items() if value is not None}}


def summary_of(recording: Recording) -> Message:
    """Counts of what happened."""
    calls: dict[str, int] = {}
    durations: dict[str, list[float]] = {}
    for call in recording.tool_calls:
        calls[call.name] = calls.get(call.name, 0) + 1
        if call.duration_ms is not None:
            durations.setdefault(call.name, []).append(call.duration_ms)
    return {
        "event_count": len(recording.tool_calls),
        "tool_calls": calls,
        "error_count": sum(call.failed for call in recording.tool_calls),
        **({"tool_durations": durations} if durations else {}),
        "llm_call_count": len(recording.model_calls) or int(recording.final_output is not None),
    }
