"""A trial as a text: what was called and said, how it ended, and the state that it left (task-suite 4.2)."""

from collections.abc import Iterator

from runs.grading.graders.evidence.calls import ToolCall
from runs.grading.graders.evidence.recording import Recording
from runs.grading.graders.values import TooDeep, plain_json

# Of a longer value only the beginning is shown.
MAX_TOLD = 4000


def story(recording: Recording) -> str:
    """The text that judges are shown of a whole trial. The same recording gives the same text."""
    return "\n\n".join(_sections(recording))


def _sections(recording: Recording) -> Iterator[str]:
    calls = "\n".join(f"{number}. {_described(call)}" for number, call in enumerate(recording.tool_calls, start=1))
    yield f"Tool calls in order:\n{calls}" if calls else "No tool was called."
    ended = "The agent finished." if recording.completed is not False else "The agent did not finish"
    reason = f" ({recording.stop_reason})." if recording.completed is False else ""
    yield ended + reason
    yield f"Final message:\n{recording.final_output}" if recording.final_output else "There is no final message."
    state = recording.supplied.get("state")
    if state:
        yield f"State afterwards:\n{_json(state)}"


def _described(call: ToolCall) -> str:
    status = call.status or ("error" if call.failed else "ok")
    again = f", repeated {call.retries} times" if call.retries else ""
    agent = f"{call.agent}: " if call.agent else ""
    reported = f"{agent}{call.name}({_json(call.arguments)}) -> {status}{again}"
    if call.output in (None, ""):
        return f"{reported}: {call.error}" if call.error else reported
    return f"{reported}\n   {_json(call.output)}"


def _json(value: object) -> str:
    try:
        text = value if isinstance(value, str) else plain_json(value)
    except TooDeep:
        return "(too deep)"
    return text if len(text) <= MAX_TOLD else f"{text[:MAX_TOLD]} [cut]"
