"""One step of a replay from the one or two events that it is made of (challenge-pack h.4)."""

import math
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Any

from runs.replay.vocabulary import HEADLINES, INTERRUPTED, TERMINAL

Event = Mapping[str, Any]

# Field of a step -> the members of a payload that give it; the first text that is not empty counts.
TEXT_FIELDS = (
    ("provider_key", ("provider_key",)),
    ("provider_model_id", ("provider_model_id", "model")),
    ("tool_name", ("tool_name",)),
    ("subagent_key", ("subagent_key",)),
    ("subagent_label", ("subagent_label",)),
    ("sandbox_action", ("action", "sandbox_action")),
    ("metric_key", ("metric_key",)),
    ("final_output", ("final_output",)),
    ("model_output", ("output_text", "text_delta")),
    ("error_message", ("error", "error_message")),
)


def fields_of(payload: Mapping[str, Any]) -> dict[str, Any]:
    """What one payload tells about its step; a later event's values replace an earlier one's."""
    fields: dict[str, Any] = {}
    for name in ("step_index", "turn_index"):
        number = whole_number(payload.get(name))
        if number is not None:
            fields[name] = number
    if isinstance(payload.get("mismatch"), bool):
        fields["mismatch"] = payload["mismatch"]
    if payload.get("is_stored") is True:
        fields["is_stored"] = True
    for name, members in TEXT_FIELDS:
        text = text_of(payload, *members)
        if text:
            fields[name] = text
    result = payload.get("result")
    if isinstance(result, Mapping) and text_of(result, "content"):
        fields["tool_result"] = result["content"]
    return fields


def shows_trouble(payload: Mapping[str, Any]) -> bool:
    result = payload.get("result")
    return bool(
        text_of(payload, "error", "error_message", "execution_error")
        or (isinstance(result, Mapping) and result.get("is_error") is True)
        or payload.get("timed_out") is True
        or payload.get("exit_code") not in (None, 0)
    )


def headline_of(event: Event) -> str:
    """The headline of one event (challenge-pack h.4)."""
    event_type, payload = event["event_type"], event["payload"]
    fixed = HEADLINES.get(event_type)
    if fixed is not None:
        return fixed
    room = event_type.rpartition(".")[0]
    return NAMING[room](payload) if room in NAMING else str(event_type)


def _name_agent_step(payload: Mapping[str, Any]) -> str:
    label = text_of(payload, "subagent_label")
    return _spaced(f"{label} step" if label else "Agent step", whole_number(payload.get("step_index")))


def _name_model_call(payload: Mapping[str, Any]) -> str:
    label, model = text_of(payload, "subagent_label"), text_of(payload, "provider_model_id", "model")
    return _named(f"{label} model call" if label else "Model call", " to ", model)


def _name_tool_call(payload: Mapping[str, Any]) -> str:
    label, tool = text_of(payload, "subagent_label"), text_of(payload, "tool_name")
    return _named(f"{label} tool call" if label else "Tool call", ": ", tool)


def _name_metric(payload: Mapping[str, Any]) -> str:
    return _named("Metric recorded", ": ", text_of(payload, "metric_key"))


def _name_hook(payload: Mapping[str, Any]) -> str:
    return _named(_named("Hook", ": ", text_of(payload, "hook")), " of ", text_of(payload, "agent_name"))


def _name_repository(payload: Mapping[str, Any]) -> str:
    return _named("Repository", ": ", text_of(payload, "path"))


def _name_model(payload: Mapping[str, Any]) -> str:
    return _named("Model asked by grader", " ", text_of(payload, "validator_key"))


def _name_review(payload: Mapping[str, Any]) -> str:
    return _named("Reviewed by people for grader", " ", text_of(payload, "validator_key"))


def _name_overruling(payload: Mapping[str, Any]) -> str:
    words = "A person overruled" if payload.get("verdict") else "Overruling taken back of"
    return _named(words, " ", text_of(payload, "validator_key"))


# First words of an event type -> what gives the headline from the payload.
NAMING: dict[str, Callable[[Mapping[str, Any]], str]] = {
    "system.step": _name_agent_step,
    "model.call": _name_model_call,
    "tool.call": _name_tool_call,
    "scoring.metric": _name_metric,
    "workspace.hook": _name_hook,
    "workspace.repository": _name_repository,
    "grader.opinion": _name_model,
    "grader.review": _name_review,
    "grader.verdict": _name_overruling,
}


def interrupted(kind: str, payload: Mapping[str, Any]) -> str:
    if kind == "agent_step":
        return _spaced("Agent step", whole_number(payload.get("step_index"))) + " interrupted"
    return f"{INTERRUPTED[kind]} interrupted"


def _spaced(words: str, number: int | None) -> str:
    return words if number is None else f"{words} {number}"


def _named(words: str, joint: str, name: str) -> str:
    return f"{words}{joint}{name}" if name else words


def terminal_state(event: Event) -> dict[str, Any]:
    state = {
        "status": TERMINAL[event["event_type"]],
        "event_type": event["event_type"],
        "source": event["source"],
        "sequence_number": event["sequence_number"],
        "occurred_at": moment(event["occurred_at"]),
        "headline": headline_of(event),
    }
    error = text_of(event["payload"], "error", "error_message")
    return {**state, "error_message": error} if error else state


def artifacts_of(payload: Mapping[str, Any]) -> list[str]:
    """The ids of artifacts that a payload names."""
    several = payload.get("artifact_ids")
    given = [*(several if isinstance(several, list) else []), payload.get("artifact_id")]
    return [artifact for artifact in given if isinstance(artifact, str) and artifact]


def moment(value: str | datetime) -> str:
    """A time in UTC as RFC 3339 with no more digits of a second than it needs."""
    at = value if isinstance(value, datetime) else datetime.fromisoformat(value)
    at = at.astimezone(UTC) if at.tzinfo else at.replace(tzinfo=UTC)
    text = at.strftime("%Y-%m-%dT%H:%M:%S")
    return f"{text}.{at.microsecond:06d}".rstrip("0") + "Z" if at.microsecond else f"{text}Z"


def text_of(payload: Mapping[str, Any], *members: str) -> str:
    for member in members:
        value = payload.get(member)
        if isinstance(value, str) and value:
            return value
    return ""


def whole_number(value: Any) -> int | None:
    """A JSON number without its fraction (challenge-pack h.3: 2.9 is 2); None for anything else."""
    if isinstance(value, float) and math.isfinite(value):
        return int(value)
    return value if isinstance(value, int) and not isinstance(value, bool) else None
