"""suite.tool_calls: which tools were called, with which parameters and in which order."""

from collections.abc import Iterator, Mapping
from typing import Any

from runs.grading.graders.contract import Judgement
from runs.grading.graders.suite.scene import Check, Trial, from_checks, grade_with
from runs.replay.trajectories.actions import is_subsequence
from runs.replay.trajectories.calls import Call
from runs.replay.trajectories.facts import call_count
from runs.replay.trajectories.matching import matches


def judge(trial: Trial) -> Judgement:
    """Every entry holds; the score is the share of those that do."""
    return from_checks(list(_checks(trial)))


def _checks(trial: Trial) -> Iterator[Check]:
    calls = trial.scene.calls
    required = trial.grader.get("required")
    for entry in required if isinstance(required, list) else ():
        if isinstance(entry, Mapping):
            yield _required(entry, calls)
    for tool in trial.texts("forbidden"):
        count = sum(call.tool == tool for call in calls)
        yield Check(f"{tool} is not called", count == 0, 0, count)
    sequence = trial.texts("sequence")
    if sequence:
        names = [call.tool for call in calls if call.is_ok]
        yield Check("sequence", is_subsequence(sequence, names), sequence, names[:50])
    limit = trial.grader.get("max_calls")
    if isinstance(limit, int | float) and not isinstance(limit, bool):
        yield Check("max_calls", call_count(calls) <= limit, limit, call_count(calls))


def _required(entry: Mapping[str, Any], calls: Any) -> Check:
    tool, params = str(entry.get("tool", "")), entry.get("params") or {}
    count = sum(_fits(call, tool, params) for call in calls)
    least, most = entry.get("min_calls", 1), entry.get("max_calls")
    return Check(f"{tool} is called", count >= least and (most is None or count <= most), [least, most], count)


def _fits(call: Call, tool: str, params: Any) -> bool:
    return call.tool == tool and call.is_ok and matches(params, call.arguments if call.arguments is not None else {})


grade = grade_with(judge)
