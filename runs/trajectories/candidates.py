"""Result records of the benchmark format's own runner as trials that took place elsewhere (benchmark-pack 12)."""

from collections.abc import Mapping
from typing import Any

# What every record states, whatever became of it.
_ALWAYS = ("task_id", "benchmark_id", "task_type", "verification_status")
TIMED_OUT = "producer_timeout"


def is_candidate(value: Any) -> bool:
    """Whether a JSON object looks like a record of `candidates.jsonl`."""
    return isinstance(value, Mapping) and all(isinstance(value.get(name), str) for name in _ALWAYS)


def record_of(candidate: Mapping[str, Any]) -> dict[str, Any]:
    """The record with its answer as events, to be graded anew.

    The answer is the candidate's text or patch; a workspace is named by its folder only and cannot be judged again. A
    producer that ran out of time has failed. What was said of the answer there is kept beside it.
    """
    answer = _answer(candidate)
    metadata = candidate.get("producer_metadata")
    harness = metadata.get("harness") if isinstance(metadata, Mapping) else None
    said = {name: candidate[name] for name in _SAID if name in candidate}
    return {
        "task_id": candidate["task_id"],
        "agent": " ".join(part for part in (harness, candidate.get("run_id")) if isinstance(part, str)) or "recorded",
        "output": answer,
        "events": [_event("system.run.started", {"deployment_type": "recorded"}), _ending(candidate, answer)],
        "said_elsewhere": said,
    }


_SAID = ("verification_status", "passed", "score", "failure_reason", "verifier_metadata", "candidate_workspace")


def _answer(candidate: Mapping[str, Any]) -> str | None:
    given = (candidate.get("candidate_text"), candidate.get("candidate_patch"))
    return next((text for text in given if isinstance(text, str)), None)


def _ending(candidate: Mapping[str, Any], answer: str | None) -> dict[str, Any]:
    reason = candidate.get("failure_reason")
    if answer is not None or not isinstance(reason, str):
        return _event("system.run.completed", {"final_output": answer or ""})
    stop = "timeout" if reason == TIMED_OUT else "provider_error"
    return _event("system.run.failed", {"stop_reason": stop, "error": str(candidate.get("failure_message") or reason)})


def _event(event_type: str, payload: dict[str, Any]) -> dict[str, Any]:
    return {"event_type": event_type, "payload": payload}
