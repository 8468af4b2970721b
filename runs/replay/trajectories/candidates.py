"""Result records of the benchmark format's own runner as trials that took place elsewhere (benchmark-pack 12)."""

import re
from base64 import b64decode, b64encode
from collections.abc import Mapping
from hashlib import sha256
from pathlib import PurePosixPath
from typing import Any

from runs.replay.causes import AGENT_ERROR

# What every record states, whatever became of it.
_ALWAYS = ("task_id", "benchmark_id", "task_type", "verification_status")
FILE = "candidates.jsonl"
WORKSPACES = "workspaces"
TIMED_OUT = "producer_timeout"
# What a workspace may hold to be kept with its record: characters of all files together, and files.
MAX_BYTES = 4 * 1024 * 1024
MAX_FILES = 2_000

Contents = Mapping[str, bytes]


def is_candidate(value: Any) -> bool:
    """Whether a JSON object looks like a record of `candidates.jsonl`."""
    return isinstance(value, Mapping) and all(isinstance(value.get(name), str) for name in _ALWAYS)


def record_of(candidate: Mapping[str, Any], left: Contents | None = None) -> dict[str, Any]:
    """The record with its answer as events, to be graded anew.

    The answer is the candidate's text or patch; `left` are the files of its workspace, where they are known. A producer
    that ran out of time has failed. The record itself, with what was said of the answer there, is kept beside it.
    """
    answer = _answer(candidate)
    said = {name: candidate[name] for name in _SAID if name in candidate}
    record = {
        "task_id": candidate["task_id"],
        "agent": agent_of(candidate),
        "output": answer,
        "events": [_event("system.run.started", {"deployment_type": "recorded"}), _ending(candidate, answer)],
        "said_elsewhere": said,
        "candidate": dict(candidate),
    }
    number = producer_of(candidate).get("trial")
    reported = {"run_id": candidate.get("run_id"), "trial_index": number if type(number) is int else None}
    files = {} if left is None else {"files": packed(left)}
    return record | {name: value for name, value in reported.items() if value is not None} | files


def lacks_files(record: Mapping[str, Any]) -> bool:
    """Whether the candidate is a workspace whose files did not come with its record."""
    candidate = record["candidate"]
    is_workspace = bool(candidate.get("candidate_workspace")) and _answer(candidate) is None
    return is_workspace and "files" not in record and "failure_reason" not in candidate


def packed(left: Contents) -> dict[str, Any]:
    """The files of a workspace as JSON; `left_by` reads them again."""
    return {path: _packed(data) for path, data in left.items()}


def left_by(record: Mapping[str, Any]) -> dict[str, bytes] | None:
    """The files of the workspace that a record, or the event of a trial, keeps; None where it keeps none."""
    files = record.get("files")
    return {path: _unpacked(held) for path, held in files.items()} if isinstance(files, Mapping) else None


def workspace_name(task_id: str) -> str:
    """The folder of a task below `workspaces` (benchmark-pack 12)."""
    name = re.sub(r"[^A-Za-z0-9_.-]+", "_", task_id).strip("._")
    return name if name == task_id else f"{name}-{sha256(task_id.encode()).hexdigest()[:8]}"


def workspaces_of(files: Contents) -> dict[str, dict[str, bytes]]:
    """The files that stand in workspaces beside a file of records: folder of the workspace -> path -> bytes."""
    homes = [PurePosixPath(path).parent / WORKSPACES for path in files if PurePosixPath(path).name == FILE]
    found: dict[str, dict[str, bytes]] = {}
    for path, data in files.items():
        place = PurePosixPath(path)
        home = next((home for home in homes if home in place.parents), None)
        parts = place.relative_to(home).parts if home is not None else ()
        if len(parts) > 1:
            found.setdefault(f"{home}/{parts[0]}", {})["/".join(parts[1:])] = data
    return found


def workspace_of(candidate: Mapping[str, Any], file: str) -> str:
    """The folder of a record's workspace in the upload that holds its file; empty for one that names none."""
    stated = candidate.get("candidate_workspace")
    if not isinstance(stated, str) or not stated:
        return ""
    return f"{PurePosixPath(file).parent / WORKSPACES}/{workspace_name(candidate['task_id'])}"


def is_too_large(left: Contents) -> bool:
    """Whether a workspace holds more than is kept with a record."""
    return len(left) > MAX_FILES or sum(map(len, left.values())) > MAX_BYTES


def producer_of(candidate: Mapping[str, Any]) -> Mapping[str, Any]:
    metadata = candidate.get("producer_metadata")
    return metadata if isinstance(metadata, Mapping) else {}


def agent_of(candidate: Mapping[str, Any]) -> str:
    """Who made the candidate: the agent that our own exports name, else the harness and the run."""
    metadata = producer_of(candidate)
    if isinstance(metadata.get("agent"), str):
        return str(metadata["agent"])
    parts = (metadata.get("harness"), candidate.get("run_id"))
    return " ".join(part for part in parts if isinstance(part, str)) or "recorded"


_SAID = ("verification_status", "passed", "score", "failure_reason", "verifier_metadata", "candidate_workspace")


def _answer(candidate: Mapping[str, Any]) -> str | None:
    given = (candidate.get("candidate_text"), candidate.get("candidate_patch"))
    return next((text for text in given if isinstance(text, str)), None)


def _ending(candidate: Mapping[str, Any], answer: str | None) -> dict[str, Any]:
    reason = candidate.get("failure_reason")
    if answer is not None or not isinstance(reason, str):
        return _event("system.run.completed", {"final_output": answer or ""})
    stop = "timeout" if reason == TIMED_OUT else AGENT_ERROR
    return _event("system.run.failed", {"stop_reason": stop, "error": str(candidate.get("failure_message") or reason)})


def _event(event_type: str, payload: dict[str, Any]) -> dict[str, Any]:
    return {"event_type": event_type, "payload": payload}


def _packed(data: bytes) -> str | dict[str, str]:
    """Bytes as JSON: a text where they are one."""
    try:
        text = data.decode()
    except UnicodeDecodeError:
        return {"base64": b64encode(data).decode()}
    return {"base64": b64encode(data).decode()} if "\0" in text else text


def _unpacked(held: Any) -> bytes:
    return b64decode(held["base64"]) if isinstance(held, Mapping) else str(held).encode()
