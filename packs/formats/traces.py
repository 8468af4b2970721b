"""Traces of trials: what is wrong with one from elsewhere, and what can be checked of one (task-suite 8.1, TS-7xx)."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import datetime
from functools import cache
from typing import Any

from packs.formats import jsonio
from packs.formats.findings import Finding, Path, Rule
from packs.formats.schema.pieces import Schema, asking, says
from packs.formats.structure import Structure
from packs.formats.values import LARGEST_WHOLE, is_number, listing, mapping

MISSING = Rule("task_suite.E701", "The trace has no {name}.", hint="Every trace has {name}.", rule="TS-701")
WRONG_TYPE = Rule("task_suite.E702", "{name} must be {expected}.", hint="Give {expected} here.", rule="TS-702")
BACKWARDS = Rule(
    "task_suite.W703", "The step is older than the one before.", hint="Sort the steps by time.", rule="TS-703"
)
OTHER_TOTAL = Rule(
    "task_suite.W704",
    "{name} is {stated}, the steps add up to {counted}.",
    hint="The steps count; fix the total.",
    rule="TS-704",
)
UNKNOWN_STATUS = Rule(
    "task_suite.E705", "There is no such status as {found}.", hint="Use one of: {known}.", rule="TS-705"
)
BAD_HASH = Rule(
    "task_suite.E706",
    "This is not a digest.",
    hint="Write sha256: and 64 hexadecimal digits in lower case.",
    rule="TS-706",
)

STATUSES = ("ok", "error", "timeout", "denied", "malformed")
KINDS = ("tool", "model", "user", "handoff")
TERMINATIONS = ("agent_finished", "budget_exceeded", "agent_error", "infra_error", "cancelled")
# Checks of a trajectory: `bool`, `int`, `number` or `share`.
TRAJECTORY_CHECKS: Mapping[str, str] = {
    "no_loops": "bool",
    "max_retries_per_tool": "int",
    "max_turns": "int",
    "max_steps": "int",
    "max_tool_calls": "int",
    "max_total_tokens": "int",
    "max_wall_time_seconds": "number",
    "max_tool_error_rate": "share",
    "max_retry_rate": "share",
    "min_action_precision": "share",
    "min_action_recall": "share",
    "in_order_match": "bool",
}
_TEXT: Schema = {"type": "string", "minLength": 1}
_DIGEST: Schema = {**_TEXT, "pattern": "^sha256:[0-9a-f]{64}$", "x-rules": {"pattern": "digest"}}
_COUNT: Schema = {"type": "integer", "minimum": 0, "maximum": LARGEST_WHOLE}
_AMOUNT: Schema = {"type": "number", "minimum": 0}
_LIST: Schema = {"type": "array"}
_MAPPING: Schema = {"type": "object"}
_CALL = {"tool_name": _TEXT, "tool_args": _MAPPING}
_STEP: Schema = {
    **_MAPPING,
    "properties": {
        "kind": {"enum": [*KINDS]},
        **dict.fromkeys(("turn", "tokens_in", "tokens_out", "retries"), _COUNT),
        "latency_ms": _AMOUNT,
        "tool_result_status": {"enum": [*STATUSES, None], "x-rules": "status"},
    },
    "required": ["timestamp"],
    # Whatever says no other kind is the call of a tool.
    **asking(
        says("kind", "model", "user"),
        otherwise={"properties": _CALL, "required": [*_CALL, "retries", "tool_result_status"]},
    ),
}
_FIELDS: Mapping[str, Schema] = {
    **dict.fromkeys(("run_id", "agent_version", "model_id"), _TEXT),
    **dict.fromkeys(("prompt_hash", "tool_allowlist_hash"), _DIGEST),
    "steps": {**_LIST, "items": _STEP},
    **dict.fromkeys(("tokens_in", "tokens_out", "tool_call_count"), _COUNT),
    "latency_ms": _AMOUNT,
    "outcome": {
        **_MAPPING,
        "properties": {"success": {"type": "boolean"}, "safety_flags": _LIST},
        "required": ["success", "safety_flags"],
    },
}
_TRACE: Schema = {
    **_MAPPING,
    "properties": {**_FIELDS, "termination": {"enum": [*TERMINATIONS]}},
    "required": [*_FIELDS],
}


@cache
def _structure() -> Structure:
    wrong = dict.fromkeys(("type", "enum", "limit"), WRONG_TYPE)
    return Structure(_TRACE, {**wrong, "required": MISSING, "status": UNKNOWN_STATUS, "digest": BAD_HASH})


def read_trace(data: bytes | str, file: str = "") -> tuple[dict[str, Any] | None, list[Finding]]:
    """A trace from JSON text, None where it is not a JSON object, and its findings. Never raises."""
    value, findings = jsonio.read(data, file=file)
    if not isinstance(value, dict):
        reported = findings or [WRONG_TYPE.at((), name="the trace", expected="a mapping")]
        return None, reported
    return value, [*findings, *check_trace(value)]


def check_trace(trace: Mapping[str, Any]) -> Iterator[Finding]:
    """Every finding about a trace; paths start at it."""
    yield from _structure().examine(dict(trace))
    yield from _check_times(listing(trace.get("steps")))
    yield from _check_totals(trace)


def _check_times(steps: list[Any]) -> Iterator[Finding]:
    latest: datetime | None = None
    for index, step in enumerate(steps):
        path: Path = ("steps", index, "timestamp")
        at = moment(mapping(step).get("timestamp"))
        if at is None and "timestamp" in mapping(step):
            yield WRONG_TYPE.at(path, name="timestamp", expected="a time with its zone (RFC 3339)")
        elif at is not None and latest is not None and at < latest:
            yield BACKWARDS.at(path)
        else:
            latest = at or latest


def _check_totals(trace: Mapping[str, Any]) -> Iterator[Finding]:
    steps = [step for step in listing(trace.get("steps")) if isinstance(step, dict)]
    calls = [step for step in steps if step.get("kind", "tool") == "tool"]
    counted = {"tool_call_count": sum(1 + _number(step.get("retries")) for step in calls)}
    for name in ("tokens_in", "tokens_out"):
        if any(name in step for step in steps):
            counted[name] = sum(_number(step.get(name)) for step in steps)
    for name, total in counted.items():
        if is_number(trace.get(name)) and trace[name] != total:
            yield OTHER_TOTAL.at((name,), name=name, stated=trace[name], counted=f"{total:g}")


def _number(value: Any) -> float:
    return value if is_number(value) else 0


def moment(value: Any) -> datetime | None:
    """The time that a text tells, with its zone; None for anything else."""
    if not isinstance(value, str):
        return None
    try:
        found = datetime.fromisoformat(value)
    except ValueError:
        return None
    return found if found.tzinfo is not None else None


def is_trace(value: Any) -> bool:
    """Whether a JSON object looks like a trace, a broken one included."""
    return len(_FIELDS.keys() & mapping(value).keys()) >= len(_FIELDS) / 2


def check_record(value: Any) -> Iterator[Finding]:
    """Every finding about the trace of a trial record, about a trace alone, or about a row that holds one of them."""
    steps: Path = ()
    for name in ("trial", "trace"):
        if isinstance(mapping(value).get(name), dict):
            value, steps = value[name], (*steps, name)
    if is_trace(value):
        yield from (replace(finding, path=(*steps, *finding.path)) for finding in check_trace(value))
