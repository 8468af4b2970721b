"""A run folder of either generation as records of its trials, each with the events that its replay is made of.

What programs and judges said in that run becomes evidence, so that grading the trials again asks nobody and gives what
the run gave; so does what broke.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import orjson

from packs.formats.abilities import FREEZERS
from packs.formats.values import listing, mapping
from runs.replay.causes import AGENT_ERROR
from runs.replay.trajectories.agentv.messages import Event, answer_of, event, events_of_messages, number_in, usage_of
from runs.replay.trajectories.agentv.traces import PLACE as TRACE
from runs.replay.trajectories.agentv.traces import messages_in, usage_in

INDEX, TRANSCRIPT = "index.jsonl", "transcript.jsonl"
FIXTURE, TRANSCRIPT_SCHEMA = "agentv.replay_fixture.v1", "agentv.transcript.v1"
BROKEN = "execution_error"
Files = Mapping[str, bytes]


@dataclass(frozen=True, slots=True)
class FolderTrial:
    """One trial of a run folder: the record of it, and where it stands."""

    record: dict[str, Any]
    file: str
    line: int


@dataclass(frozen=True, slots=True)
class Around:
    """The files of a run folder, and its transcripts by test and target."""

    files: Files
    base: str
    transcripts: Mapping[tuple[str, str], list[dict[str, Any]]] = field(default_factory=dict)

    def read(self, path: Any) -> bytes | None:
        """A file that a row names."""
        return self.files.get(f"{self.base}{path}") if isinstance(path, str) else None


def is_run_folder(files: Files) -> bool:
    """Whether files are results of AgentV: a run folder, or recorded answers."""
    return any(_indexes(files)) or any(_described_by_lines(files))


def _indexes(files: Files) -> Iterator[str]:
    for name, data in files.items():
        if name.rpartition("/")[2] == INDEX and b'"test_id"' in data and b'"execution_status"' in data:
            yield name


def _described_by_lines(files: Files) -> Iterator[str]:
    """Files of recorded answers that belong to no run folder."""
    for name, data in files.items():
        first = data[:4000]
        if name.endswith(".jsonl") and (FIXTURE.encode() in first or TRANSCRIPT_SCHEMA.encode() in first):
            yield name


def read_folder(files: Files) -> list[FolderTrial]:
    """The trials of all run folders among the files; where there is none, those of recorded answers.

    Lines that are no JSON objects are passed over: their writer was interrupted.
    """
    found = [reported for name in sorted(_indexes(files)) for reported in _of_index(files, name)]
    return found or [reported for name in sorted(_described_by_lines(files)) for reported in _of_lines(files, name)]


def lines_of(data: bytes) -> Iterator[tuple[int, dict[str, Any]]]:
    """The JSON objects of a file with their lines, from 1."""
    for number, line in enumerate(data.split(b"\n"), 1):
        try:
            value = orjson.loads(line) if line.strip() else None
        except orjson.JSONDecodeError:
            continue
        if isinstance(value, dict):
            yield number, value


def _of_index(files: Files, name: str) -> Iterator[FolderTrial]:
    base = name.removesuffix(INDEX)
    transcripts: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for _, row in lines_of(files.get(f"{base}{TRANSCRIPT}", b"")):
        transcripts.setdefault((str(row.get("test_id")), str(row.get("target"))), []).append(row)
    around = Around(files, base, transcripts)
    run_id = base.rstrip("/").rpartition("/")[2] or "run"
    folders: dict[tuple[str, str], list[str]] = {}
    for number, row in lines_of(files[name]):
        if isinstance(row.get("test_id"), str):
            reported = {**row, "attempt": _attempt(row, folders)}
            yield FolderTrial(record_of(reported, transcript_of(row, around), run_id, around), name, number)


def _attempt(row: Mapping[str, Any], folders: dict[tuple[str, str], list[str]]) -> int:
    """Which trial of its test and target a row is, from 0: as it says, else the place of its folder among theirs."""
    stated = mapping(mapping(row.get("projection_identity")).get("dimensions")).get("attempt", row.get("attempt"))
    known = folders.setdefault((str(row["test_id"]), str(row.get("target"))), [])
    folder = str(row.get("artifact_dir"))
    if folder not in known:
        known.append(folder)
    return stated if isinstance(stated, int) and stated else known.index(folder)


def transcript_of(row: Mapping[str, Any], around: Around) -> list[dict[str, Any]]:
    """The messages of a test: those of its own file, of the run's, or the answer alone."""
    own = around.read(row.get("transcript_path"))
    if own is not None:
        return [message for _, message in lines_of(own)]
    shared = around.transcripts.get((str(row.get("test_id")), str(row.get("target"))))
    if shared:
        return sorted(shared, key=lambda message: number_in(message, "message_index"))
    traced = messages_in(trace_of(row, around))
    if traced:
        return traced
    if isinstance(row.get("output"), list):
        return [dict(mapping(message)) for message in row["output"]]
    answer = around.read(row.get("answer_path")) or around.read(row.get("response_path"))
    text = (answer or b"").decode("utf-8", "replace").removeprefix("@[assistant]:\n")
    return [{"role": "assistant", "content": text}]


def trace_of(row: Mapping[str, Any], around: Around) -> dict[str, Any]:
    """The trace of a test; empty where there is none."""
    data = around.read(f"{row['artifact_dir']}/{TRACE}") if isinstance(row.get("artifact_dir"), str) else None
    try:
        value = orjson.loads(data) if data is not None else None
    except orjson.JSONDecodeError:
        return {}
    return value if isinstance(value, dict) else {}


def record_of(
    row: Mapping[str, Any], messages: Sequence[Mapping[str, Any]], run_id: str, around: Around | None = None
) -> dict[str, Any]:
    """The record of one trial: its case, its agent, its answer, its events, and the row as it was."""
    is_broken = row.get("execution_status") == BROKEN
    answer = None if is_broken else answer_of(messages)
    frozen = around.read(row.get("eval_path")) if around else None
    task = FREEZERS["agentv"].read_frozen(frozen) if frozen is not None else {}
    return {
        "task_id": row["test_id"],
        "trial_index": row.get("attempt", 0),
        "run_id": run_id,
        "agent": str(row.get("target") or "agentv"),
        "output": answer,
        "events": list(_events(row, messages, answer, around)),
        "result": {name: value for name, value in row.items() if name not in ("output", "transcript")},
        **({"task": task} if task else {}),
    }


def _events(
    row: Mapping[str, Any], messages: Sequence[Mapping[str, Any]], answer: str | None, around: Around | None
) -> Iterator[Event]:
    used = _used(row, messages, around)
    yield event("system.run.started", {"deployment_type": "recorded"}, row.get("start_time"))
    if answer is not None:
        yield from events_of_messages(messages)
        yield from _judged(row)
    supplied = {} if used.get("cost_usd") is None else {"cost_usd": used["cost_usd"]}
    yield event("grader.evidence.supplied", supplied)
    if answer is None:
        reported = {"error": str(row.get("error") or "The trial broke."), "stop_reason": AGENT_ERROR}
        codes = {name: row[name] for name in ("failure_stage", "failure_reason_code") if name in row}
        yield event("system.run.failed", {**reported, **codes}, row.get("end_time"))
        return
    latency = {} if used.get("duration_ms") is None else {"latency_ms": used["duration_ms"]}
    end = {"final_output": answer, "stop_reason": "completed", **usage_of(used.get("token_usage")), **latency}
    yield event("system.run.completed", end, row.get("end_time"))


def _used(row: Mapping[str, Any], messages: Sequence[Mapping[str, Any]], around: Around | None) -> dict[str, Any]:
    """Tokens, cost and time: of the row, else of the transcript, the trace, the timing file."""
    first = mapping(messages[0]) if messages else {}
    timing: Mapping[str, Any] = {}
    data = around.read(row.get("timing_path")) if around else None
    if data is not None:
        timing = next((value for _, value in lines_of(data.replace(b"\n", b" "))), {})
    traced = usage_in(trace_of(row, around)) if around else {}
    found = {}
    for name in ("token_usage", "cost_usd", "duration_ms"):
        places = (row.get(name), first.get(f"transcript_{name}"), traced.get(name), timing.get(name))
        found[name] = next((value for value in places if value is not None), None)
    return found


def _judged(row: Mapping[str, Any]) -> Iterator[Event]:
    """What programs and judges said, under the names of their rows."""
    for reported in map(mapping, listing(row.get("scores"))):
        name, kind = reported.get("name"), reported.get("type")
        if not isinstance(name, str) or reported.get("verdict") == "skip":
            continue
        if kind == "code-grader":
            reply = {"score": reported.get("score"), "assertions": listing(reported.get("assertions"))}
            reply |= {"details": reported["details"]} if "details" in reported else {}
            done = {"exit_code": 0, "stdout": orjson.dumps(reply).decode(), "stderr": "", "timed_out": False}
            yield event("grader.verification.code_executed", {"validator_key": name, "target": "workspace", **done})
        elif kind == "llm-grader":
            yield event("grader.opinion.recorded", _reply(name, reported))


def _reply(name: str, reported: Mapping[str, Any]) -> dict[str, Any]:
    """The reply of a judge, as far as its row tells: of a checklist the checks, otherwise score and assertions."""
    assertions = [mapping(item) for item in listing(reported.get("assertions"))]
    marked = [_marked(item) for item in assertions]
    if assertions and all(mark is not None for mark in marked):
        reply: dict[str, Any] = {"checks": marked, "overall_reasoning": ""}
    else:
        reply = {"score": reported.get("score"), "assertions": assertions}
    text = orjson.dumps(reply).decode()
    return {"validator_key": name, "model": str(reported.get("target") or "judge"), "messages": [], "output_text": text}


def _marked(item: Mapping[str, Any]) -> dict[str, Any] | None:
    """The check of a criterion, whose id stands in brackets before its text."""
    start, _, _ = str(item.get("text", "")).partition("] ")
    if not start.startswith("["):
        return None
    return {"id": start[1:], "satisfied": item.get("passed") is True, "reasoning": str(item.get("evidence") or "")}


def _of_lines(files: Files, name: str) -> Iterator[FolderTrial]:
    """Recorded answers: fixtures, one a line, or the messages of transcripts."""
    groups: dict[tuple[str, str], tuple[int, list[dict[str, Any]]]] = {}
    for number, row in lines_of(files[name]):
        if row.get("schema_version") == FIXTURE and isinstance(row.get("test_id"), str):
            fixture = {**row, "target": row.get("source_target")}
            yield FolderTrial(
                record_of(fixture, [mapping(each) for each in listing(row.get("output"))], name), name, number
            )
        elif isinstance(row.get("test_id"), str):
            mark = (row["test_id"], str(row.get("target")))
            groups.setdefault(mark, (number, []))[1].append(row)
    for (test_id, target), (number, messages) in groups.items():
        yield FolderTrial(record_of({"test_id": test_id, "target": target}, messages, name), name, number)
