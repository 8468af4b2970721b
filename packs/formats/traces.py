"""Traces of trials: what is wrong with one from elsewhere, and what can be checked of one (task-suite 8.1, TS-7xx)."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any

from packs.formats import jsonio
from packs.formats.findings import Finding, Path, Rule
from packs.formats.values import is_number, is_whole, listing, mapping, whole_expected

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
UNKNOWN_STATUS = Rule("task_suite.E705", "There is no status {value}.", hint="Use one of: {known}.", rule="TS-705")
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
_HASH = re.compile(r"sha256:[0-9a-f]{64}")
_TEXT, _COUNT, _AMOUNT = "text that is not empty", "a whole number of at least 0", "a number of at least 0"
_FITS: Mapping[str, Callable[[Any], bool]] = {
    _TEXT: lambda value: isinstance(value, str) and bool(value),
    _COUNT: lambda value: is_whole(value, 0),
    _AMOUNT: lambda value: is_number(value) and value >= 0,
    "a list": lambda value: isinstance(value, list),
    "a mapping": lambda value: isinstance(value, dict),
    "true or false": lambda value: isinstance(value, bool),
}
_FIELDS = {
    **dict.fromkeys(("run_id", "agent_version", "model_id", "prompt_hash", "tool_allowlist_hash"), _TEXT),
    "steps": "a list",
    **dict.fromkeys(("tokens_in", "tokens_out", "tool_call_count"), _COUNT),
    "latency_ms": _AMOUNT,
    "outcome": "a mapping",
}
_STEP_FIELDS = {
    "turn": _COUNT,
    "tokens_in": _COUNT,
    "tokens_out": _COUNT,
    "latency_ms": _AMOUNT,
    "retries": _COUNT,
}


def read_trace(data: bytes | str, file: str = "") -> tuple[dict[str, Any] | None, list[Finding]]:
    """A trace from JSON text, None where it is not a JSON object, and its findings. Never raises."""
    value, findings = jsonio.read(data, file=file)
    if not isinstance(value, dict):
        reported = findings or [WRONG_TYPE.at((), name="the trace", expected="a mapping")]
        return None, reported
    return value, [*findings, *check_trace(value)]


def check_trace(trace: Mapping[str, Any]) -> Iterator[Finding]:
    """Every finding about a trace; paths start at it."""
    for name, shape in _FIELDS.items():
        yield from _field(trace, name, shape, ())
    for name in ("prompt_hash", "tool_allowlist_hash"):
        stated = trace.get(name)
        if isinstance(stated, str) and stated and not _HASH.fullmatch(stated):
            yield BAD_HASH.at((name,))
    if trace.get("termination", TERMINATIONS[0]) not in TERMINATIONS:
        yield WRONG_TYPE.at(("termination",), name="termination", expected=f"one of {', '.join(TERMINATIONS)}")
    if isinstance(trace.get("outcome"), dict):
        yield from _field(trace["outcome"], "success", "true or false", ("outcome",))
        yield from _field(trace["outcome"], "safety_flags", "a list", ("outcome",))
    yield from _check_steps(listing(trace.get("steps")))
    yield from _check_totals(trace)


def _field(owner: Mapping[str, Any], name: str, shape: str, path: Path) -> Iterator[Finding]:
    if name not in owner:
        yield MISSING.at((*path, name), name=name)
    elif not _FITS[shape](owner[name]):
        yield _wrong((*path, name), owner[name], shape)


def _wrong(path: Path, value: Any, shape: str) -> Finding:
    expected = whole_expected(value, 0) if shape == _COUNT else shape
    return WRONG_TYPE.at(path, name=path[-1], expected=expected)


def _check_steps(steps: list[Any]) -> Iterator[Finding]:
    latest: datetime | None = None
    for index, step in enumerate(steps):
        path: Path = ("steps", index)
        if not isinstance(step, dict):
            yield WRONG_TYPE.at(path, name="a step", expected="a mapping")
            continue
        yield from _check_step(step, path)
        at = moment(step.get("timestamp"))
        if at is None:
            rule = MISSING if "timestamp" not in step else WRONG_TYPE
            yield rule.at((*path, "timestamp"), name="timestamp", expected="a time with its zone (RFC 3339)")
        elif latest is not None and at < latest:
            yield BACKWARDS.at((*path, "timestamp"))
        else:
            latest = at


def _check_step(step: dict[str, Any], path: Path) -> Iterator[Finding]:
    kind = step.get("kind", "tool")
    if kind not in KINDS:
        yield WRONG_TYPE.at((*path, "kind"), name="kind", expected=f"one of {', '.join(KINDS)}")
    if kind not in ("model", "user"):
        yield from _field(step, "tool_name", _TEXT, path)
        yield from _field(step, "tool_args", "a mapping", path)
        yield from (
            MISSING.at((*path, name), name=name) for name in ("retries", "tool_result_status") if name not in step
        )
    for name, shape in _STEP_FIELDS.items():
        if name in step and not _FITS[shape](step[name]):
            yield _wrong((*path, name), step[name], shape)
    status = step.get("tool_result_status")
    if status is not None and status not in STATUSES:
        yield UNKNOWN_STATUS.at((*path, "tool_result_status"), value=repr(status)[:80], known=", ".join(STATUSES))


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
