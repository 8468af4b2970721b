"""What a run folder tells of one trial, and the documents that say so (agentv H.2, H.3)."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from packs.formats.values import listing, mapping
from runs.replay.trajectories.agentv.messages import Message, text_of

OK, MISSED, BROKEN = "ok", "quality_failure", "execution_error"
Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Result:
    """One trial that has ended.

    `scores` are the rows of its graders in order, as H.2 has them; `messages` the transcript; `diff` what was changed
    in the workspace; `attempt` the number of the trial from 0; `task` the files of the frozen task. Times are ISO 8601
    texts, durations milliseconds, cost US dollars; None where not known.
    """

    test_id: str
    suite: str
    target: str
    timestamp: str
    score: float
    status: str
    scores: Sequence[Json] = ()
    messages: Sequence[Message] = ()
    answer: str = ""
    error: str = ""
    stage: str = ""
    reason: str = ""
    finish_reason: str = ""
    metadata: Any = None
    category: str = "Uncategorized"
    conversation_id: str = ""
    token_usage: Mapping[str, float] = field(default_factory=dict)
    cost_usd: float | None = None
    duration_ms: float | None = None
    start_time: str | None = None
    end_time: str | None = None
    diff: str = ""
    changes: Mapping[str, Sequence[str]] = field(default_factory=dict)
    attempt: int = 0
    task: Mapping[str, bytes] = field(default_factory=dict)

    @property
    def calls(self) -> list[Message]:
        """The calls of tools, in order."""
        return [call for message in self.messages for call in listing(message.get("tool_calls"))]

    @property
    def tokens(self) -> float:
        return sum(self.token_usage.get(name, 0) for name in ("input", "output"))

    @property
    def grader_pass_rate(self) -> float | None:
        """The share of its graders that reach 0.8; None for a trial that broke."""
        if self.status == BROKEN:
            return None
        passed = [row["score"] >= 0.8 for row in self.scores]
        return sum(passed) / len(passed) if passed else float(self.score >= 0.8)


def identity(result: Result) -> Json:
    """The members of an index row that both generations share, but for paths."""
    facts = {
        "timestamp": result.timestamp,
        "test_id": result.test_id,
        "suite": result.suite,
        "category": result.category,
        "conversation_id": result.conversation_id or None,
        "score": result.score,
        "target": result.target,
        "token_usage": dict(result.token_usage) or None,
        "cost_usd": result.cost_usd,
        "duration_ms": result.duration_ms,
        "start_time": result.start_time,
        "end_time": result.end_time,
        "scores": list(result.scores) or None,
        "error": result.error or None,
        "execution_status": result.status,
        "failure_stage": result.stage or None,
        "failure_reason_code": result.reason or None,
        "finish_reason": result.finish_reason or None,
        "metadata": result.metadata,
        "experiment": "default",
    }
    return {name: value for name, value in facts.items() if value is not None}


def grading(result: Result) -> Json:
    """`grading.json` of a trial."""
    assertions = [
        {"text": item.get("text"), "passed": item.get("passed"), "evidence": item.get("evidence", "")}
        for row in result.scores
        for item in map(mapping, row.get("assertions", ()))
    ]
    if result.error:
        assertions.append({"text": f"Error: {result.error}", "passed": False, "evidence": ""})
    passed = sum(item["passed"] is True for item in assertions)
    calls = Counter(str(call.get("tool")) for call in result.calls)
    document: Json = {
        "assertions": assertions,
        "summary": {
            "passed": passed,
            "failed": len(assertions) - passed,
            "total": len(assertions),
            "pass_rate": round(passed / len(assertions), 3) if assertions else 0,
        },
        "execution_metrics": {
            "tool_calls": dict(calls),
            "total_tool_calls": calls.total(),
            "errors_encountered": sum(call.get("status") == "error" for call in result.calls) + bool(result.error),
        },
    }
    if result.scores:
        document["graders"] = [_grader(row) for row in result.scores]
    if any(result.changes.values()):
        document["workspace_changes"] = {
            "files_modified": len(result.changes.get("changed", ())),
            "files_created": len(result.changes.get("added", ())),
            "diff_summary": result.diff,
        }
    return document


def _grader(row: Mapping[str, Any]) -> Json:
    kept = {name: row[name] for name in ("name", "type", "score")}
    rest = {name: row[name] for name in ("weight", "verdict", "assertions", "details") if name in row}
    return {**kept, "reasoning": row.get("reasoning", ""), **rest}


def timing(token_usage: Mapping[str, float], milliseconds: float) -> Json:
    """`timing.json` of one trial, or of trials together."""
    usage = {name: token_usage.get(name, 0) for name in ("input", "output", "reasoning")}
    return {
        "total_tokens": usage["input"] + usage["output"],
        "duration_ms": milliseconds,
        "total_duration_seconds": round(milliseconds / 1000, 3),
        "token_usage": usage,
    }


def asked(result: Result) -> str:
    """`input.md`: what was asked, each message under who says it."""
    before: list[Message] = []
    for message in result.messages:
        if message.get("role") == "assistant":
            break
        before.append(message)
    if len(before) == 1:
        return text_of(before[0].get("content"))
    return "\n\n".join(f"@[{message.get('role')}]:\n{text_of(message.get('content'))}" for message in before)
