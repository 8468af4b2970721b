"""Trials as a run folder, in the shape of either generation (agentv H.1 to H.4)."""

import re
from collections.abc import Iterator, Sequence
from statistics import fmean, pstdev
from typing import Any

import orjson

from packs.formats.values import listing, mapping
from runs.replay.trajectories.agentv.messages import Message
from runs.replay.trajectories.agentv.results import BROKEN, Json, Result, asked, grading, identity, timing
from runs.replay.trajectories.agentv.tasks import EVAL, FILES, GRADERS, TARGETS
from runs.replay.trajectories.agentv.traces import CAPTURE, Marks, projection, trace_document
from runs.replay.trajectories.agentv.traces import PLACE as TRACE

CLASSIC, PINNED = GENERATIONS = ("classic", "pinned")
MESSAGE = ("role", "name", "content", "tool_calls")
_UNSAFE = re.compile(r'[/\\:*?"<>|\x00-\x1f]')


def write_folder(
    results: Sequence[Result], source: str, generation: str = CLASSIC, run_id: str = "run"
) -> dict[str, bytes]:
    """The files of a run folder by their paths. `source` is the suite's file as its readers know it.

    Where several trials have one test and target, all but the first get folders with a number.
    """
    files: dict[str, bytes] = {}
    rows: list[Json] = []
    taken: set[str] = set()
    for result in results:
        folder = _folder(result, taken)
        paths = {**dict(_paths(folder, generation)), **dict(_task_paths(folder, result))}
        files |= _of_trial(result, folder, generation, (source, run_id))
        mark = {} if generation == CLASSIC else projection(result, source, run_id)
        rows.append({**identity(result), "artifact_dir": folder, **paths, **mark})
    files["index.jsonl"] = _lines(rows)
    files["benchmark.json"] = _pretty(benchmark(results, source))
    files["timing.json"] = _pretty(timing(results))
    if generation == CLASSIC:
        files["transcript.jsonl"] = _lines([line for result in results for line in transcript(result)])
    return files


def _folder(result: Result, taken: set[str]) -> str:
    name = f"{safe(result.suite)}/{safe(result.test_id)}"
    folder, number = name, 2
    while folder in taken:
        folder, number = f"{name}-{number}", number + 1
    taken.add(folder)
    return folder


def safe(name: str) -> str:
    """A name as part of a path."""
    found = _UNSAFE.sub("_", name)
    return "_" if found in ("", ".", "..") else found


def _paths(folder: str, generation: str) -> Iterator[tuple[str, str]]:
    yield "grading_path", f"{folder}/grading.json"
    yield "timing_path", f"{folder}/timing.json"
    yield "input_path", f"{folder}/input.md"
    yield "response_path", f"{folder}/outputs/response.md"
    if generation == CLASSIC:
        yield "output_path", f"{folder}/outputs/response.md"
        return
    yield "output_path", f"{folder}/outputs/answer.md"
    yield "answer_path", f"{folder}/outputs/answer.md"
    yield "transcript_path", f"{folder}/outputs/transcript.jsonl"


def _task_paths(folder: str, result: Result) -> Iterator[tuple[str, str]]:
    """Where the parts of the frozen task stand, as far as there are any."""
    if not result.task:
        return
    yield "task_dir", f"{folder}/task"
    yield "eval_path", f"{folder}/task/{EVAL}"
    yield "targets_path", f"{folder}/task/{TARGETS}"
    for part in (FILES, GRADERS):
        if any(name.startswith(f"{part}/") for name in result.task):
            yield f"{part}_path", f"{folder}/task/{part}"


def _of_trial(result: Result, folder: str, generation: str, origin: tuple[str, str]) -> dict[str, bytes]:
    answer = result.answer or (f"Error occurred: {result.error}" if result.error else "")
    files = {
        f"{folder}/grading.json": _pretty(grading(result)),
        f"{folder}/timing.json": _pretty(timing([result])),
        f"{folder}/input.md": asked(result).encode(),
        **{f"{folder}/task/{name}": data for name, data in result.task.items()},
    }
    if generation == CLASSIC:
        files[f"{folder}/outputs/response.md"] = f"@[assistant]:\n{answer}".encode()
        return files
    files |= dict.fromkeys((f"{folder}/outputs/answer.md", f"{folder}/outputs/response.md"), answer.encode())
    files[f"{folder}/outputs/transcript.jsonl"] = _lines(list(transcript(result, Marks.of(result, *origin))))
    files[f"{folder}/{TRACE}"] = _pretty(trace_document(result, *origin))
    return files


def transcript(result: Result, marks: Marks | None = None) -> Iterator[Json]:
    """The rows of a transcript, one a message; with marks of a trace in the shape of the later generation."""
    common = {
        "transcript_token_usage": dict(result.token_usage) or None,
        "transcript_duration_ms": result.duration_ms,
        "transcript_cost_usd": result.cost_usd,
    }
    known = {name: value for name, value in common.items() if value is not None}
    schema: Json = {"schema_version": "agentv.transcript.v1"} if marks else {}
    origin = {"provider": result.target, "session_id": result.test_id, "timestamp": result.timestamp}
    for number, message in enumerate(result.messages):
        facts: Json = {name: message[name] for name in MESSAGE if name in message}
        about: Json = {"test_id": result.test_id, "target": result.target, "message_index": number}
        traced = _traced(marks, message, number) if marks else {}
        yield {**schema, **about, **facts, **known, **traced, "source": origin}


def _traced(marks: Marks, message: Message, number: int) -> Json:
    """Where a message and its calls stand in the trace."""
    own, calls = marks.message(number), listing(message.get("tool_calls"))
    is_reply = message.get("role") == "assistant"
    reported: Json = {
        "capture": CAPTURE,
        "trace": marks.reference(own, marks.root) if is_reply else marks.reference(marks.root),
    }
    if calls:
        reported["tool_calls"] = [
            {
                **mapping(call),
                "id": marks.call_id(call, number, place),
                "trace": marks.reference(marks.call(number, place), own),
            }
            for place, call in enumerate(calls)
        ]
    return reported


def benchmark(results: Sequence[Result], source: str) -> Json:
    """`benchmark.json`: means over the trials of each target and of each grader; trials that broke do not count."""
    targets = list(dict.fromkeys(result.target for result in results))
    broken = sum(result.status == BROKEN for result in results)
    note = f"{broken} test(s) had execution errors and are excluded from quality pass_rate"
    return {
        "metadata": {
            "eval_file": source,
            "timestamp": min((result.timestamp for result in results), default=""),
            "targets": targets,
            "tests_run": sorted({result.test_id for result in results}),
            "experiment": "default",
            "planned_test_count": len(results),
        },
        "run_summary": {
            target: _summary([result for result in results if result.target == target]) for target in targets
        },
        "per_grader_summary": {name: _spread(scores) for name, scores in _by_grader(results).items()},
        "notes": [note] if broken else [],
    }


def _summary(results: Sequence[Result]) -> Json:
    values: dict[str, list[float]] = {
        "pass_rate": [rate for result in results if (rate := result.grader_pass_rate) is not None],
        "time_seconds": [result.duration_ms / 1000 for result in results if result.duration_ms is not None],
        "tokens": [result.tokens for result in results if result.token_usage],
        "tool_calls": [float(len(result.calls)) for result in results],
        "cost_usd": [result.cost_usd for result in results if result.cost_usd is not None],
    }
    needed = ("pass_rate", "time_seconds", "tokens")
    return {name: _spread(found) for name, found in values.items() if name in needed or any(found)}


def _by_grader(results: Sequence[Result]) -> dict[str, list[float]]:
    found: dict[str, list[float]] = {}
    for row in (mapping(row) for result in results for row in result.scores):
        found.setdefault(f"{row.get('name')}:{row.get('type')}", []).append(float(row.get("score") or 0))
    return found


def _spread(values: Sequence[float]) -> Json:
    """Mean and population deviation, to three decimals."""
    if not values:
        return {"mean": 0, "stddev": 0}
    return {"mean": round(fmean(values), 3), "stddev": round(pstdev(values), 3)}


def _pretty(document: Any) -> bytes:
    return orjson.dumps(document, option=orjson.OPT_INDENT_2, default=str) + b"\n"


def _lines(rows: Sequence[Json]) -> bytes:
    return b"".join(orjson.dumps(row, default=str) + b"\n" for row in rows)
