"""Assertions about what the agent used up: time, money, tokens, calls (agentv F.4, F.12)."""

from collections.abc import Iterator, Mapping
from typing import Any

from runs.grading.graders.agentv.rows import Check, ScoreRow, failing, one, share
from runs.grading.graders.agentv.scene import Scene
from runs.grading.graders.agentv.usage import cost_of, tokens_of
from runs.grading.graders.values import as_number

EXPLORING = frozenset(("read", "grep", "glob", "search", "list", "Read", "Grep", "Glob", "WebSearch", "WebFetch"))
TOLERANCE = 0.2


def latency(scene: Scene) -> ScoreRow:
    """The trial took no longer than `threshold` milliseconds; without data it did."""
    return _within("latency", scene.recording.milliseconds, scene.assertion.get("threshold"), "ms")


def cost(scene: Scene) -> ScoreRow:
    """The trial cost no more than `budget` US dollars; without data it did."""
    return _within("cost", cost_of(scene.recording), scene.assertion.get("budget"), "USD")


def _within(what: str, value: float | None, limit: Any, unit: str) -> ScoreRow:
    check = _limit(what, value, as_number(limit), unit)
    return one(check.passed, check.text, check.evidence)


def _limit(what: str, value: float | None, limit: float | None, unit: str = "") -> Check:
    reported = f"{value:g} {unit}".strip() if value is not None else "nothing was reported"
    holds = value is not None and limit is not None and value <= limit
    return Check(f"{what} is at most {limit:g} {unit}".strip() if limit is not None else what, holds, reported)


def token_usage(scene: Scene) -> ScoreRow:
    """All limits of tokens are kept."""
    tokens = tokens_of(scene.recording)
    if tokens is None:
        return failing("no use of tokens was reported")
    values = {
        "max_total": tokens.input + tokens.output + tokens.cached,
        "max_input": tokens.input,
        "max_output": tokens.output,
    }
    checks = tuple(
        _limit(name.removeprefix("max_") + " tokens", value, as_number(scene.assertion.get(name)))
        for name, value in values.items()
        if scene.assertion.get(name) is not None
    )
    return ScoreRow(float(all(check.passed for check in checks)), checks)


def execution_metrics(scene: Scene) -> ScoreRow:
    """The share of the limits that are kept; one without data is missed."""
    return share(list(_metrics(scene, scene.assertion)))


def _metrics(scene: Scene, stated: Mapping[str, Any]) -> Iterator[Check]:
    recording, tokens = scene.recording, tokens_of(scene.recording)
    values: dict[str, float | None] = {
        "max_tool_calls": float(len(recording.tool_calls)),
        "max_llm_calls": float(len(recording.model_calls) or recording.final_output is not None),
        "max_tokens": None if tokens is None else tokens.input + tokens.output,
        "max_cost_usd": cost_of(recording),
        "max_duration_ms": recording.milliseconds,
    }
    for name, value in values.items():
        if stated.get(name) is not None:
            yield _limit(name.removeprefix("max_").replace("_", " "), value, as_number(stated[name]))
    if stated.get("target_exploration_ratio") is not None:
        yield _exploration(scene, stated)


def _exploration(scene: Scene, stated: Mapping[str, Any]) -> Check:
    target, calls = as_number(stated["target_exploration_ratio"]), scene.recording.tool_calls
    allowed = as_number(stated.get("exploration_tolerance"))
    allowed = TOLERANCE if allowed is None else allowed
    if not calls or target is None:
        return Check("exploration ratio", False, "no tool was called")
    ratio = sum(call.name in EXPLORING for call in calls) / len(calls)
    holds = abs(ratio - target) <= allowed
    return Check(f"exploration ratio is {target:g} within {allowed:g}", holds, f"{ratio:g}")
