"""Runs as files: tasks with their trials in JSON, as other systems or `manage.py gate check` hand them in."""

from collections.abc import Mapping
from functools import cache
from typing import Any

from packs.formats.findings import Rule
from packs.formats.schema.pieces import Schema, asking, says
from packs.formats.structure import Structure
from runs.gates.values import GateTask, GateTrial
from runs.replay.trajectories.tracked import is_violation, kind_of
from runs.statistics.estimates import FIRST, LEFT_OUT, MEANS, METRICS

WRONG = Rule("gate.E001", "{where} must be {expected}; this is {found}.", hint="docs/gates.md shows the file.")
MISSING = Rule("gate.E002", "{where} is missing.", hint="docs/gates.md shows the file.")

RULES = (*METRICS, *MEANS)
STATES = ("passed", "failed", "error", "skipped", LEFT_OUT)
_TEXT: Schema = {"type": "string"}
_AMOUNT: Schema = {"type": ["number", "null"]}
_TRIAL: Schema = {
    "type": "object",
    "properties": {
        "state": {"enum": [*STATES]},
        "step_latency_ms": {"type": "array", "items": {"type": "number"}},
        "safety_flags": {"type": "array", "items": {"type": ["string", "object"]}},
        **dict.fromkeys(("cost_usd", "wall_time_seconds", "forbidden_tool_calls", "score"), _AMOUNT),
    },
    "required": ["state"],
}
_TASK: Schema = {
    "type": "object",
    "properties": {
        **dict.fromkeys(("task_id", "suite"), _TEXT),
        "k": {"type": "integer", "minimum": 1},
        "metric": {"enum": [*RULES]},
        "threshold": _AMOUNT,
        "trials": {"type": "array", "items": _TRIAL},
        "gates": {"type": "object"},
    },
    "required": ["task_id", "suite"],
    # Scores that are joined have to reach something.
    **asking(says("metric", *MEANS), {"properties": {"threshold": {"type": "number"}}, "required": ["threshold"]}),
}
_RUN: Schema = {"properties": {"tasks": {"type": "array", "items": _TASK}}, "required": ["tasks"]}


class Unreadable(ValueError):
    """A file that is no run; the message says where and why."""


@cache
def _structure() -> Structure:
    return Structure(_RUN, {"required": MISSING, "any": WRONG})


def read_tasks(value: Any) -> list[GateTask]:
    """The tasks of a run: a list, or a mapping with the list under `tasks`. Raises Unreadable."""
    run = value if isinstance(value, dict) else {"tasks": value}
    wrong = next(_structure().examine(run), None)
    if wrong is not None:
        raise Unreadable(wrong.message)
    return [_task(task) for task in run["tasks"]]


def _task(task: Mapping[str, Any]) -> GateTask:
    return GateTask(
        task_id=task["task_id"],
        suite=task["suite"],
        k=int(task.get("k", 1)),
        metric=task.get("metric", FIRST),
        threshold=task.get("threshold"),
        trials=[_trial(trial) for trial in task.get("trials", ())],
        fingerprint=str(task.get("fingerprint", "")),
        flags={name: flag for name, flag in task.get("gates", {}).items() if isinstance(flag, bool)},
    )


def _trial(trial: Mapping[str, Any]) -> GateTrial:
    return GateTrial(
        state=trial["state"],
        step_latencies=trial.get("step_latency_ms", ()),
        cost_usd=trial.get("cost_usd"),
        wall_seconds=trial.get("wall_time_seconds"),
        violations=[kind_of(flag) for flag in trial.get("safety_flags", ()) if is_violation(flag)],
        forbidden_calls=int(trial.get("forbidden_tool_calls") or 0),
        reason=str(trial.get("reason", "")),
        score=trial.get("score"),
    )
