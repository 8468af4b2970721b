"""Trials as a run folder, in the shape of either generation (agentv H.1 to H.4)."""

import re
from collections.abc import Iterator, Sequence
from hashlib import sha256
from statistics import fmean, pstdev
from typing import Any

import orjson

from runs.trajectories.agentv.messages import mapping
from runs.trajectories.agentv.results import BROKEN, Json, Result, asked, grading, identity, timing

CLASSIC, PINNED = GENERATIONS = ("classic", "pinned")
MESSAGE = ("role", "name", "content", "tool_calls")
_UNSAFE = re.compile(r'[/\\:*?"<>|\x00-\x1f]')


def write_folder(results: Sequence[Result], source: str, generation: str = CLASSIC) -> dict[str, bytes]:
    """The files of a run folder by their paths. `source` is the suite's file as its readers know it.

    Where several trials have one test and target, all but the first get folders with a number.
    """
    files: dict[str, bytes] = {}
    rows: list[Json] = []
    taken: set[str] = set()
    for result in results:
        folder = _folder(result, taken)
        paths = dict(_paths(folder, generation))
        files |= _of_trial(result, folder, generation)
        rows.append({**identity(result), "artifact_dir": folder, **paths, **_projection(result, source, generation)})
    files["index.jsonl"] = _lines(rows)
    files["benchmark.json"] = _pretty(benchmark(results, source))
    files["timing.json"] = _pretty(timing(results))
    if generation == CLASSIC:
        files["transcript.jsonl"] = _lines([line for result in results for line in transcript(result, generation)])
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


def _of_trial(result: Result, folder: str, generation: str) -> dict[str, bytes]:
    answer = result.answer or (f"Error occurred: {result.error}" if result.error else "")
    files = {
        f"{folder}/grading.json": _pretty(grading(result)),
        f"{folder}/timing.json": _pretty(timing([result])),
        f"{folder}/input.md": asked(result).encode(),
    }
    if generation == CLASSIC:
        files[f"{folder}/outputs/response.md"] = f"@[assistant]:\n{answer}".encode()
        return files
    files |= dict.fromkeys((f"{folder}/outputs/answer.md", f"{folder}/outputs/response.md"), answer.encode())
    files[f"{folder}/outputs/transcript.jsonl"] = _lines(list(transcript(result, generation)))
    return files


def transcript(result: Result, generation: str) -> Iterator[Json]:
    """The rows of a transcript, one a message."""
    common = {
        "transcript_token_usage": dict(result.token_usage) or None,
        "transcript_duration_ms": result.duration_ms,
        "transcript_cost_usd": result.cost_usd,
    }
    known = {name: value for name, value in common.items() if value is not None}
    marks: Json = {} if generation == CLASSIC else {"schema_version": "agentv.transcript.v1"}
    capture: Json = {"content": "full", "redaction_level": "none", "redacted_fields": []}
    told: Json = {} if generation == CLASSIC else {"capture": capture}
    origin = {"provider": result.target, "session_id": result.test_id, "timestamp": result.timestamp}
    for number, message in enumerate(result.messages):
        facts: Json = {name: message[name] for name in MESSAGE if name in message}
        about: Json = {"test_id": result.test_id, "target": result.target, "message_index": number}
        yield {**marks, **about, **facts, **known, **told, "source": origin}


def _projection(result: Result, source: str, generation: str) -> Json:
    """What makes a row of the later generation one of its own, wherever it is sent."""
    if generation == CLASSIC:
        return {}
    dimensions = {
        "suite": result.suite,
        "eval_path": source,
        "test_id": result.test_id,
        "target": result.target,
        "source_target": result.target,
        "attempt": 0,
        "variant": None,
    }
    key = orjson.dumps([*dimensions.items(), result.timestamp])
    schema = "agentv.projection_identity.v1"
    mark = f"agentv-prj-{sha256(key).hexdigest()[:32]}"
    return {
        "projection_identity": {"schema_version": schema, "id": mark, "dimensions": dimensions},
        "export_metadata": {"duplicate_policy": "update"},
    }


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
        "pass_rate": [rate for result in results if (rate := result.pass_rate) is not None],
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
