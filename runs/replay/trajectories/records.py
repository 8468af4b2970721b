"""Trials that took place elsewhere, as events; and trials of ours as traces (task-suite 8)."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

from runs.replay.causes import AGENT_ERROR, CANCELLED, Group, cause

Event = dict[str, Any]
Step = Mapping[str, Any]

INFRASTRUCTURE = cause(Group.RECORDING, "infrastructure")
EVIDENCE = ("commands", "tests", "http", "logs", "files", "state", "facts", "judge", "human", "secrets")
# How a trial ended that did not finish: its stop reason and, where it was no trouble of the agent, whose.
ENDED = {
    "budget_exceeded": {"stop_reason": "step_limit"},
    "cancelled": {"stop_reason": CANCELLED},
    "infra_error": {"stop_reason": INFRASTRUCTURE.stop_reason, "fault": INFRASTRUCTURE.fault.value},
}


def is_record(value: Any) -> bool:
    """Whether a JSON object looks like a trial record, or a trace alone."""
    if not isinstance(value, Mapping):
        return False
    trace = value.get("trace", value)
    is_trace = isinstance(trace, Mapping) and isinstance(trace.get("steps"), list) and "outcome" in trace
    return is_trace or has_events(value)


def has_events(record: Mapping[str, Any]) -> bool:
    """Whether a record holds the events themselves in place of a trace."""
    return isinstance(record.get("events"), list) and isinstance(record.get("task_id"), str)


def events_of(record: Mapping[str, Any]) -> tuple[str | None, list[Event]]:
    """The final message and the events of a trial record, or of a trace alone, in the shape of challenge-pack h.1.

    What graders cannot see in events (evidence, safety flags, how it ended) is in one event of its own. Values of
    an odd shape are passed over. A record that holds its events is taken by its word.
    """
    if has_events(record):
        return record.get("output"), [each for each in record["events"] if isinstance(each, dict)]
    trace = record.get("trace", record)
    steps = [step for step in trace.get("steps", ()) if isinstance(step, Mapping)]
    started, ended = _times(trace, steps)
    events: list[Event] = [_event("system.run.started", started, {"deployment_type": "recorded"})]
    for number, turn in _turns(steps):
        events.extend(_turn_events(number, turn))
    events.append(_event("grader.evidence.supplied", ended, _supplied(record, trace)))
    message = _message(record, steps)
    events.append(_end(record, trace, ended, message))
    return message, events


def _event(event_type: str, at: Any, payload: dict[str, Any]) -> Event:
    when = {"occurred_at": at} if isinstance(at, str) else {}
    return {"event_type": event_type, "payload": payload, **when}


def _times(trace: Mapping[str, Any], steps: Sequence[Mapping[str, Any]]) -> tuple[Any, Any]:
    moments = [step["timestamp"] for step in steps if isinstance(step.get("timestamp"), str)]
    first, last = (moments[0], moments[-1]) if moments else (None, None)
    return trace.get("started_at", first), trace.get("finished_at", last)


def _turns(steps: Sequence[Step]) -> Iterator[tuple[int, list[Step]]]:
    """The steps that belong together, in their order, each time with the number (from 1) of the agent's turn that they
    are; 0 for what the user says, and for what goes on with a turn after that."""
    reported, latest = 0, None
    for (is_of_user, turn), found in groupby(enumerate(steps), key=_turn_of):
        numbers, group = zip(*found, strict=True)
        is_new = not is_of_user and (not reported or turn != latest)
        reported, latest = (reported, latest) if is_of_user else (numbers[0] + 1, turn)
        yield reported if is_new else 0, list(group)


def _turn_of(place: tuple[int, Step]) -> tuple[bool, Any]:
    """Whether the user says a step, and which turn of the agent it belongs to: without a word, one of its own."""
    number, step = place
    is_of_user = step.get("kind", "tool") == "user"
    return is_of_user, None if is_of_user else step.get("turn", number)


def _turn_events(number: int, steps: Sequence[Step]) -> Iterator[Event]:
    """What happened in steps that belong together; a turn of the agent begins and ends."""
    index = {"step_index": number}
    if number:
        yield _event("system.step.started", steps[0].get("timestamp"), index)
    for step in steps:
        yield from _step_events(step)
    if number:
        yield _event("system.step.completed", steps[-1].get("timestamp"), index)


def _step_events(step: Mapping[str, Any]) -> Iterator[Event]:
    at = step.get("timestamp")
    used = {name: step[name] for name in ("tokens_in", "tokens_out") if _is_count(step.get(name))}
    if used:
        usage = {"input_tokens": used.get("tokens_in", 0), "output_tokens": used.get("tokens_out", 0)}
        timing = {"total_latency_ms": step.get("latency_ms"), "ttft_ms": step.get("ttft_ms")}
        payload = {"usage": {**usage, "total_tokens": sum(usage.values())}, "timing": timing}
        text = step.get("text")
        yield _event(
            "model.call.completed", at, {**payload, **({"output_text": text} if isinstance(text, str) else {})}
        )
    if step.get("kind", "tool") == "tool" and isinstance(step.get("tool_name"), str):
        yield _call_event(step)


def _is_count(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _call_event(step: Mapping[str, Any]) -> Event:
    status = step.get("tool_result_status", "ok")
    payload = {
        "tool_name": step["tool_name"],
        "arguments": step.get("tool_args") or {},
        "status": status,
        "retries": step.get("retries", 0),
        **({"agent_id": step["agent_id"]} if isinstance(step.get("agent_id"), str) else {}),
        **({"result": {"content": step["tool_result"]}} if "tool_result" in step else {}),
    }
    return _event("tool.call.completed" if status == "ok" else "tool.call.failed", step.get("timestamp"), payload)


def _supplied(record: Mapping[str, Any], trace: Mapping[str, Any]) -> dict[str, Any]:
    evidence, outcome = record.get("evidence"), trace.get("outcome")
    stated = dict(evidence) if isinstance(evidence, Mapping) else {}
    found = {name: stated[name] for name in EVIDENCE if name in stated}
    reported = outcome if isinstance(outcome, Mapping) else {}
    if "state" not in found and "final_state" in reported:
        found["state"] = reported["final_state"]
    found["safety_flags"] = reported.get("safety_flags", [])
    found["termination"] = record.get("termination", trace.get("termination", "agent_finished"))
    if trace.get("cost_usd") is not None:
        found["cost_usd"] = trace["cost_usd"]
    return found


def _message(record: Mapping[str, Any], steps: Sequence[Mapping[str, Any]]) -> str | None:
    """The last thing that the agent said; empty where the trace keeps no texts."""
    stated = record.get("output")
    if isinstance(stated, str):
        return stated
    said = [step["text"] for step in steps if isinstance(step.get("text"), str) and step.get("kind") != "user"]
    return said[-1] if said else ""


def _end(record: Mapping[str, Any], trace: Mapping[str, Any], at: Any, message: str | None) -> Event:
    termination = str(record.get("termination", trace.get("termination", "agent_finished")))
    if termination in ("agent_finished", ""):
        totals = {
            "input_tokens": trace.get("tokens_in"),
            "output_tokens": trace.get("tokens_out"),
            "tool_call_count": trace.get("tool_call_count"),
        }
        known = {name: value for name, value in totals.items() if _is_count(value)}
        return _event("system.run.completed", at, {"final_output": message, "stop_reason": "completed", **known})
    meaning = ENDED.get(termination, {"stop_reason": AGENT_ERROR})
    return _event("system.run.failed", at, {**meaning, "error": f"The trial ended with {termination}."})
