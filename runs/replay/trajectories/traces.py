"""Trials of ours as traces and trial records (task-suite 8); `records` is the way back."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from hashlib import sha256
from typing import Any
from unicodedata import normalize

import orjson

Event = Mapping[str, Any]
Step = dict[str, Any]

SCHEMA = "agent-eval-trace/1"
_STATUSES = ("ok", "error", "timeout", "denied", "malformed")
_OF_JUDGES = "worker_scoring"


@dataclass(frozen=True, slots=True)
class About:
    """What a trace says of its trial beside what happened.

    `prompt` and `tools` are digests only. `flags` are safety flags, `state` the final state where it is known.
    """

    run_id: str
    agent_version: str
    model_id: str
    task_id: str = ""
    prompt: str = ""
    tools: tuple[str, ...] = ()
    success: bool = False
    termination: str = "agent_finished"
    started_at: datetime | None = None
    finished_at: datetime | None = None
    seconds: float | None = None
    cost_usd: float | None = None
    flags: tuple[Any, ...] = ()
    supplied: Mapping[str, Any] = field(default_factory=dict)


def trace_of(events: Iterable[Event], about: About) -> dict[str, Any]:
    """The trace of a trial: one entry a tool call, a call of a model, a message of the user and a hand-over."""
    steps = list(_steps(events))
    calls = [step for step in steps if step["kind"] == "tool"]
    first, last = (steps[0]["timestamp"], steps[-1]["timestamp"]) if steps else (None, None)
    outcome: dict[str, Any] = {"success": about.success, "safety_flags": list(about.flags)}
    if "state" in about.supplied:
        outcome["final_state"] = about.supplied["state"]
    found = {
        "schema": SCHEMA,
        "run_id": about.run_id,
        "agent_version": about.agent_version,
        "model_id": about.model_id,
        "prompt_hash": prompt_hash(about.prompt),
        "tool_allowlist_hash": tools_hash(about.tools),
        "task_id": about.task_id or None,
        "started_at": _stamp(about.started_at) or first,
        "finished_at": _stamp(about.finished_at) or last,
        "termination": about.termination,
        "steps": steps,
        "tokens_in": sum(step.get("tokens_in", 0) for step in steps),
        "tokens_out": sum(step.get("tokens_out", 0) for step in steps),
        "latency_ms": _latency(steps, about),
        "tool_call_count": sum(1 + step["retries"] for step in calls),
        "cost_usd": about.cost_usd,
        "outcome": outcome,
    }
    return {name: value for name, value in found.items() if value is not None}


def prompt_hash(prompt: str) -> str:
    """The digest of a system prompt: NFC, line ends LF (task-suite 8.1)."""
    text = normalize("NFC", prompt.replace("\r\n", "\n").replace("\r", "\n"))
    return _digest(text.encode("utf-8", "replace"))


def tools_hash(tools: Iterable[str]) -> str:
    """The digest of the sorted distinct names of tools."""
    return _digest(orjson.dumps(sorted(set(tools))))


def _digest(content: bytes) -> str:
    return f"sha256:{sha256(content).hexdigest()}"


def _latency(steps: list[Step], about: About) -> float:
    """All step latencies together; without any, the time of the trial."""
    known = [step["latency_ms"] for step in steps if "latency_ms" in step]
    if known:
        return float(sum(known))
    return round((about.seconds or 0.0) * 1000, 3)


def _steps(events: Iterable[Event]) -> Iterator[Step]:
    turn, index = 0, 0
    latest = ""
    for event in events:
        if event["event_type"] == "system.step.started":
            turn += 1
        step = _step(event)
        if step is None:
            continue
        # Clocks of recorded events may go back; a trace's times may not.
        latest = max(latest, _stamp(event.get("occurred_at")) or latest)
        yield {"index": index, "turn": max(turn, 1), "timestamp": latest, **step}
        index += 1


def _step(event: Event) -> Step | None:
    """The entry that an event becomes; None for events that a trace does not tell."""
    payload = event.get("payload")
    kind = event["event_type"]
    if not isinstance(payload, Mapping):
        return None
    if kind in ("tool.call.completed", "tool.call.failed"):
        return _call(payload, kind == "tool.call.failed")
    if kind == "model.call.completed" and event.get("source") != _OF_JUDGES:
        return _model(payload)
    if kind == "turn.user.message":
        return {"kind": "user", "text": str(payload.get("content", ""))}
    return None


def _call(payload: Mapping[str, Any], has_failed: bool) -> Step:
    result = payload.get("result")
    reported = result if isinstance(result, Mapping) else {}
    has_failed = has_failed or reported.get("is_error") is True
    status = payload.get("status")
    arguments = payload.get("arguments")
    found: Step = {
        "kind": "tool",
        "tool_name": str(payload.get("tool_name", "")) or "unknown",
        "tool_args": dict(arguments) if isinstance(arguments, Mapping) else {"value": arguments},
        "tool_result_status": status if status in _STATUSES else _status(payload, has_failed),
        "retries": _count(payload.get("retries")) or 0,
    }
    if "content" in reported:
        found["tool_result"] = reported["content"]
    if isinstance(payload.get("agent_id"), str):
        found["agent_id"] = payload["agent_id"]
    return found


def _status(payload: Mapping[str, Any], has_failed: bool) -> str:
    if not has_failed:
        return "ok"
    return "denied" if payload.get("failure_origin") == "policy" else "error"


def _model(payload: Mapping[str, Any]) -> Step:
    usage, timing = (_mapping(payload.get(name)) for name in ("usage", "timing"))
    measured = {
        "tokens_in": _count(usage.get("input_tokens")),
        "tokens_out": _count(usage.get("output_tokens")),
        "latency_ms": _amount(timing.get("total_latency_ms")),
        "ttft_ms": _amount(timing.get("ttft_ms")),
    }
    found: Step = {"kind": "model", **{name: value for name, value in measured.items() if value is not None}}
    text = payload.get("output_text")
    return {**found, "text": text} if isinstance(text, str) and text else found


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _count(value: Any) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None


def _amount(value: Any) -> float | None:
    return value if isinstance(value, int | float) and not isinstance(value, bool) and value >= 0 else None


def _stamp(value: Any) -> str:
    """A moment as RFC 3339 in UTC; empty for none."""
    if isinstance(value, str):
        return value
    if not isinstance(value, datetime):
        return ""
    return value.astimezone(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")


def record_of(trace: Mapping[str, Any], about: Mapping[str, Any]) -> dict[str, Any]:
    """A trial record around a trace: how the trial went, what it used up, and what graders looked at and said."""
    steps = [step for step in trace.get("steps", ()) if isinstance(step, Mapping)]
    of_agent = {step.get("turn", place) for place, step in enumerate(steps) if step.get("kind") != "user"}
    usage = {
        "steps": len(of_agent),
        "tool_calls": trace.get("tool_call_count", 0),
        "total_tokens": trace.get("tokens_in", 0) + trace.get("tokens_out", 0),
        "wall_time_seconds": about.get("wall_time_seconds"),
        "cost_usd": trace.get("cost_usd"),
    }
    known = {name: value for name, value in usage.items() if value is not None}
    named = {name: about[name] for name in ("task_id", "trial_index", "state") if name in about}
    rest = {name: about[name] for name in ("output", "finish_reason", "evidence", "graders") if name in about}
    return {**named, "termination": trace.get("termination"), "usage": known, **rest, "trace": dict(trace)}
