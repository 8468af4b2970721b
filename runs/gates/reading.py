"""Runs as files: tasks with their trials in JSON, as other systems or `manage.py gate check` hand them in."""

from collections.abc import Mapping
from typing import Any

from packs.formats.values import is_number
from runs.gates.values import GateTask, GateTrial
from runs.replay.trajectories.tracked import is_violation, kind_of
from runs.statistics.estimates import FIRST, LEFT_OUT, MEANS, METRICS

RULES = (*METRICS, *MEANS)
STATES = ("passed", "failed", "error", "skipped", LEFT_OUT)


class Unreadable(ValueError):
    """A file that is no run; the message says where and why."""


def read_tasks(value: Any) -> list[GateTask]:
    """The tasks of a run: a list, or a mapping with the list under `tasks`. Raises Unreadable."""
    tasks = value.get("tasks") if isinstance(value, dict) else value
    if not isinstance(tasks, list):
        raise Unreadable("a run is a list of tasks, or a mapping with the list under tasks")
    return [_task(task, f"tasks[{index}]") for index, task in enumerate(tasks)]


def _task(task: Any, where: str) -> GateTask:
    if not isinstance(task, dict):
        raise Unreadable(f"{where} must be a mapping")
    for name in ("task_id", "suite"):
        if not isinstance(task.get(name), str):
            raise Unreadable(f"{where}.{name} must be text")
    k = task.get("k", 1)
    if isinstance(k, bool) or not isinstance(k, int) or k < 1:
        raise Unreadable(f"{where}.k must be a whole number of at least 1")
    metric, threshold = _rule(task, where)
    trials, flags = task.get("trials", []), task.get("gates", {})
    if not isinstance(trials, list) or not isinstance(flags, dict):
        raise Unreadable(f"{where} needs a list of trials, and gates as a mapping")
    return GateTask(
        task_id=task["task_id"],
        suite=task["suite"],
        k=k,
        metric=metric,
        threshold=threshold,
        trials=[_trial(trial, f"{where}.trials[{index}]") for index, trial in enumerate(trials)],
        fingerprint=str(task.get("fingerprint", "")),
        flags={name: flag for name, flag in flags.items() if isinstance(flag, bool)},
    )


def _rule(task: Mapping[str, Any], where: str) -> tuple[str, float | None]:
    """How the trials of a task become one verdict, with the threshold that a rule about scores needs."""
    metric, threshold = task.get("metric", FIRST), _amount(task, "threshold", where)
    if metric not in RULES:
        raise Unreadable(f"{where}.metric must be one of {', '.join(RULES)}")
    if metric in MEANS and threshold is None:
        raise Unreadable(f"{where}.threshold must be a number, since {metric} joins scores")
    return metric, threshold


def _trial(trial: Any, where: str) -> GateTrial:
    if not isinstance(trial, dict) or trial.get("state") not in STATES:
        raise Unreadable(f"{where} must be a mapping whose state is one of {', '.join(STATES)}")
    latencies, flags = trial.get("step_latency_ms", []), trial.get("safety_flags", [])
    if not isinstance(latencies, list) or not all(is_number(value) for value in latencies):
        raise Unreadable(f"{where}.step_latency_ms must be a list of numbers")
    if not isinstance(flags, list) or not all(isinstance(flag, str | dict) for flag in flags):
        raise Unreadable(f"{where}.safety_flags must be a list of texts or mappings")
    return GateTrial(
        state=trial["state"],
        step_latencies=latencies,
        cost_usd=_amount(trial, "cost_usd", where),
        wall_seconds=_amount(trial, "wall_time_seconds", where),
        violations=[kind_of(flag) for flag in flags if is_violation(flag)],
        forbidden_calls=int(_amount(trial, "forbidden_tool_calls", where) or 0),
        reason=str(trial.get("reason", "")),
        score=_amount(trial, "score", where),
    )


def _amount(trial: Mapping[str, Any], name: str, where: str) -> float | None:
    value = trial.get(name)
    if value is not None and not is_number(value):
        raise Unreadable(f"{where}.{name} must be a number")
    return value
