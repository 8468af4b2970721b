"""What a step did, in one line: what was called or said, and what came of it."""

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from runs.replay.steps import Event, text_of

# More of a line is never shown.
LINE = 160
# What the events of a conversation are called, by their type.
SPEAKERS = {"turn.user.message": "User", "turn.assistant.message": "Agent"}
# Members of a payload that hold words, the most telling first.
WORDS = ("content", "prompt_hint", "reason", "validator_key")


class Line(NamedTuple):
    """What a step did, and what came of it. `is_code` says that it reads as code: a call or a command."""

    done: str
    answer: str = ""
    is_code: bool = False


def line_of(step: Mapping[str, Any], own: Sequence[Event]) -> Line:
    """The line of a step that its events make."""
    payload: dict[str, Any] = {}
    for event in own:
        payload |= event["payload"]
    done, answer, is_code = LINES.get(step["type"], _event)(step, payload)
    return Line(short(done) or step["headline"], short(answer or trouble_in(payload)), is_code)


def short(text: str) -> str:
    """A text on one line, cut where it is long."""
    words = " ".join(text[: 4 * LINE].split())
    return words if len(words) <= LINE else f"{words[: LINE - 1]}…"


def call_text(name: str, arguments: Any) -> str:
    """A call as code: a single argument without its name, several with theirs."""
    if isinstance(arguments, Mapping):
        values = {str(key): written(value) for key, value in arguments.items()}
        inner = ", ".join(values.values() if len(values) == 1 else (f"{key}={value}" for key, value in values.items()))
    else:
        inner = "" if arguments is None else str(arguments)
    return f"{name}({inner})"


def written(value: Any) -> str:
    """A value as JSON writes it."""
    return json.dumps(value, ensure_ascii=False, default=str)


def result_of(payload: Mapping[str, Any]) -> str:
    """What a tool answered."""
    result = payload.get("result")
    if isinstance(result, Mapping):
        result = result.get("content", result)
    if result is None or isinstance(result, str):
        return result or ""
    return written(result)


def output_of(payload: Mapping[str, Any]) -> str:
    """What a command wrote; without any output how it ended."""
    exit_code = payload.get("exit_code")
    return text_of(payload, "stdout", "stderr") or ("" if exit_code is None else f"exit {exit_code}")


def command_text(payload: Mapping[str, Any]) -> str:
    command = payload.get("command")
    if isinstance(command, list):
        command = " ".join(map(str, command))
    return f"$ {command}" if command else ""


def proposed(payload: Mapping[str, Any]) -> list[str]:
    """The names of the tools that a model asked for; the calls themselves are steps of their own."""
    calls = payload.get("tool_calls")
    return [text_of(call, "name") for call in calls if isinstance(call, Mapping)] if isinstance(calls, list) else []


def trouble_in(payload: Mapping[str, Any]) -> str:
    return text_of(payload, "error", "error_message")


def _tool(step: Mapping[str, Any], payload: Mapping[str, Any]) -> Line:
    return Line(call_text(step.get("tool_name", "tool"), payload.get("arguments")), result_of(payload), is_code=True)


def _model(step: Mapping[str, Any], payload: Mapping[str, Any]) -> Line:
    words, calls = text_of(payload, "output_text"), ", ".join(dict.fromkeys(proposed(payload)))
    return Line(words or (f"Calls {calls}" if calls else ""), calls if words else "")


def _command(step: Mapping[str, Any], payload: Mapping[str, Any]) -> Line:
    return Line(command_text(payload), output_of(payload), is_code=True)


def _file(step: Mapping[str, Any], payload: Mapping[str, Any]) -> Line:
    size, path = payload.get("size"), text_of(payload, "path")
    return Line(f"{step['headline']}: {path}" if path else "", "" if size is None else f"{size} bytes")


def _output(step: Mapping[str, Any], payload: Mapping[str, Any]) -> Line:
    return Line("Final answer", text_of(payload, "final_output", "output"))


def _run(step: Mapping[str, Any], payload: Mapping[str, Any]) -> Line:
    return Line(step["headline"], trouble_in(payload) or text_of(payload, "stop_reason"))


def _scoring(step: Mapping[str, Any], payload: Mapping[str, Any]) -> Line:
    scores = payload.get("dimension_scores")
    known = scores.items() if isinstance(scores, Mapping) else ()
    named = (f"{name} {'–' if score is None else score}" for name, score in known)
    return Line(step["headline"], text_of(payload, "validity_reason") or ", ".join(named))


def _metric(step: Mapping[str, Any], payload: Mapping[str, Any]) -> Line:
    values = (payload.get(name) for name in ("numeric_value", "boolean_value", "text_value"))
    value = next((written(value) for value in values if value is not None), "")
    return Line(f"{step.get('metric_key', '')} = {value}" if value else step["headline"])


def _event(step: Mapping[str, Any], payload: Mapping[str, Any]) -> Line:
    speaker = SPEAKERS.get(step["event_types"][0], step["headline"])
    return Line(speaker, next((words for name in WORDS if (words := text_of(payload, name))), ""))


LINES: dict[str, Callable[[Mapping[str, Any], Mapping[str, Any]], Line]] = {
    "tool_call": _tool,
    "model_call": _model,
    "sandbox_command": _command,
    "sandbox_file": _file,
    "output": _output,
    "run": _run,
    "scoring": _scoring,
    "scoring_metric": _metric,
    "event": _event,
}
