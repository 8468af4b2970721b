"""Trials as a run folder, in the shape of either generation (agentv H.1 to H.4)."""

import re
from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from statistics import fmean, pstdev
from tempfile import SpooledTemporaryFile
from typing import IO, Any

import orjson

from packs.formats.values import listing, mapping
from runs.replay.trajectories.agentv.messages import Message
from runs.replay.trajectories.agentv.results import BROKEN, Json, Result, asked, grading, identity, timing
from runs.replay.trajectories.agentv.tasks import EVAL, FILES, GRADERS, TARGETS
from runs.replay.trajectories.agentv.traces import CAPTURE, Marks, projection, trace_document
from runs.replay.trajectories.agentv.traces import PLACE as TRACE

CLASSIC, PINNED = GENERATIONS = ("classic", "pinned")
# What is measured of each target; the first three are always stated.
MEASURES = ("pass_rate", "time_seconds", "tokens", "tool_calls", "cost_usd")
NEEDED = MEASURES[:3]
# Longer files are gathered on the disk.
MOST_IN_MEMORY = 1 << 22
MESSAGE = ("role", "name", "content", "tool_calls")
_UNSAFE = re.compile(r'[/\\:*?"<>|\x00-\x1f]')


def write_folder(
    results: Iterable[Result], source: str, generation: str = CLASSIC, run_id: str = "run"
) -> Iterator[tuple[str, bytes | IO[bytes]]]:
    """The files of a run folder with their paths, of one trial after the other; those about all trials come last and
    open. `source` is the suite's file as its readers know it.

    Where several trials have one test and target, all but the first get folders with a number.
    """
    taken, summary = _Names(), Summary()
    with SpooledTemporaryFile(MOST_IN_MEMORY) as rows, SpooledTemporaryFile(MOST_IN_MEMORY) as transcripts:
        for result in results:
            folder = taken.folder(result)
            paths = {**dict(_paths(folder, generation)), **dict(_task_paths(folder, result))}
            yield from _of_trial(result, folder, generation, (source, run_id)).items()
            mark = {} if generation == CLASSIC else projection(result, source, run_id)
            rows.write(_lines([{**identity(result), "artifact_dir": folder, **paths, **mark}]))
            if generation == CLASSIC:
                transcripts.write(_lines(transcript(result)))
            summary.add(result)
        yield "benchmark.json", _pretty(summary.benchmark(source))
        yield "timing.json", _pretty(timing(summary.usage, summary.milliseconds))
        for name, file in (("index.jsonl", rows), ("transcript.jsonl", transcripts)):
            if generation == CLASSIC or file is rows:
                file.seek(0)
                yield name, file


class _Names:
    """Folders for trials, each another one."""

    def __init__(self) -> None:
        self.taken: set[str] = set()
        self.counts: Counter[str] = Counter()

    def folder(self, result: Result) -> str:
        folder = name = f"{safe(result.suite)}/{safe(result.test_id)}"
        while folder in self.taken:
            self.counts[name] += 1
            folder = f"{name}-{self.counts[name] + 1}"
        self.taken.add(folder)
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
        f"{folder}/timing.json": _pretty(timing(result.token_usage, result.duration_ms or 0)),
        f"{folder}/input.md": asked(result).encode(),
        **{f"{folder}/task/{name}": data for name, data in result.task.items()},
    }
    if generation == CLASSIC:
        files[f"{folder}/outputs/response.md"] = f"@[assistant]:\n{answer}".encode()
        return files
    files |= dict.fromkeys((f"{folder}/outputs/answer.md", f"{folder}/outputs/response.md"), answer.encode())
    files[f"{folder}/outputs/transcript.jsonl"] = _lines(transcript(result, Marks.of(result, *origin)))
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


@dataclass
class Summary:
    """What `benchmark.json` and `timing.json` say of trials, added one by one; of each a few numbers are kept."""

    trials: int = 0
    broken: int = 0
    began: str = ""
    tests: set[str] = field(default_factory=set)
    targets: dict[str, dict[str, "array[float]"]] = field(default_factory=dict)
    graders: dict[str, "array[float]"] = field(default_factory=dict)
    usage: Counter[str] = field(default_factory=Counter)
    milliseconds: float = 0

    def add(self, result: Result) -> None:
        self.began = result.timestamp if not self.trials else min(self.began, result.timestamp)
        self.trials += 1
        self.broken += result.status == BROKEN
        self.tests.add(result.test_id)
        self.usage.update(result.token_usage)
        self.milliseconds += result.duration_ms or 0
        known = self.targets.setdefault(result.target, {name: array("d") for name in MEASURES})
        for name, value in zip(MEASURES, _measured(result), strict=True):
            if value is not None:
                known[name].append(value)
        for row in map(mapping, result.scores):
            scores = self.graders.setdefault(f"{row.get('name')}:{row.get('type')}", array("d"))
            scores.append(float(row.get("score") or 0))

    def benchmark(self, source: str) -> Json:
        """`benchmark.json`: means over the trials of each target and of each grader; those that broke do not count."""
        note = f"{self.broken} test(s) had execution errors and are excluded from quality pass_rate"
        return {
            "metadata": {
                "eval_file": source,
                "timestamp": self.began,
                "targets": list(self.targets),
                "tests_run": sorted(self.tests),
                "experiment": "default",
                "planned_test_count": self.trials,
            },
            "run_summary": {
                target: {name: _spread(each) for name, each in found.items() if name in NEEDED or any(each)}
                for target, found in self.targets.items()
            },
            "per_grader_summary": {name: _spread(scores) for name, scores in self.graders.items()},
            "notes": [note] if self.broken else [],
        }


def _measured(result: Result) -> tuple[float | None, ...]:
    """The values of one trial by `MEASURES`; None where it has none."""
    seconds = None if result.duration_ms is None else result.duration_ms / 1000
    tokens = result.tokens if result.token_usage else None
    return result.grader_pass_rate, seconds, tokens, float(len(result.calls)), result.cost_usd


def _spread(values: Sequence[float]) -> Json:
    """Mean and population deviation, to three decimals."""
    if not values:
        return {"mean": 0, "stddev": 0}
    return {"mean": round(fmean(values), 3), "stddev": round(pstdev(values), 3)}


def _pretty(document: Any) -> bytes:
    return orjson.dumps(document, option=orjson.OPT_INDENT_2, default=str) + b"\n"


def _lines(rows: Iterable[Json]) -> bytes:
    return b"".join(orjson.dumps(row, default=str) + b"\n" for row in rows)
