"""suite.trajectory_metrics: how the agent went about it, by loops, retries, usage, rates and a reference."""

from collections.abc import Iterator
from typing import Any

from packs.formats.traces import TRAJECTORY_CHECKS
from runs.grading.graders.contract import Judgement
from runs.grading.graders.suite.scene import Check, Misconfigured, Missing, Trial, from_checks, grade_with
from runs.replay.trajectories.actions import match_actions
from runs.replay.trajectories.facts import call_count
from runs.replay.trajectories.loops import MAX_RETRIES, has_loop, retries_per_tool, retry_count
from runs.replay.trajectories.tracked import error_count

_ACTIONS = {
    "min_action_precision": "precision",
    "min_action_recall": "recall",
    "in_order_match": "in_order",
}


def judge(trial: Trial) -> Judgement:
    """Every check holds, also of several with one name; one that is false is switched off."""
    stated = [(name, limit) for name, limit in _stated(trial) if limit is not False]
    most = min((limit for name, limit in stated if name == "max_retries_per_tool"), default=MAX_RETRIES)
    return from_checks([_check(trial, name, limit, most) for name, limit in stated])


def _stated(trial: Trial) -> Iterator[tuple[str, Any]]:
    listed = trial.grader.get("checks")
    for entry in listed if isinstance(listed, list) else ():
        if isinstance(entry, dict):
            yield from entry.items()
    # Checks can also stand beside the type, as in the old name `transcript`.
    yield from ((name, trial.grader[name]) for name in TRAJECTORY_CHECKS if name in trial.grader)


def _check(trial: Trial, name: str, limit: Any, most: int) -> Check:
    if name in _ACTIONS:
        return _compared(trial, name, limit)
    used = measured(trial, name, most)
    if name == "no_loops":
        return Check(name, used is False, limit, used)
    return Check(name, used <= limit, limit, used)


def measured(trial: Trial, name: str, most: int) -> Any:
    """What a check looks at. Raises Missing where it was not recorded, Misconfigured for no check."""
    scene = trial.scene
    calls, usage = scene.calls, scene.usage()
    count = call_count(calls)
    known = {
        "no_loops": has_loop(calls, most),
        "max_retries_per_tool": max(retries_per_tool(calls).values(), default=0),
        "max_turns": usage["max_steps"],
        "max_tool_error_rate": error_count(calls) / count if count else 0.0,
        "max_retry_rate": retry_count(calls) / count if count else 0.0,
        **usage,
    }
    if name not in known:
        raise Misconfigured(f"there is no check {name!r}")
    if known[name] is None:
        raise Missing(f"{name} cannot be checked: nothing of it was recorded")
    return known[name]


def _compared(trial: Trial, name: str, limit: Any) -> Check:
    reference = trial.texts("reference")
    if not reference:
        raise Misconfigured(f"{name} needs a reference")
    found = match_actions(reference, [call.tool for call in trial.scene.calls])
    value = getattr(found, _ACTIONS[name])
    least = 1.0 if limit is True else limit
    return Check(name, value is not None and value >= least - 1e-12, least, value)


grade = grade_with(judge)
