"""`trace.json` of a trial: its transcript as spans of OpenTelemetry, written and read back (agentv H.3, H.4)."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from typing import Any
from urllib.parse import quote

import orjson

from packs.formats.values import listing, mapping
from runs.replay.trajectories.agentv.messages import Message, number_in, text_of
from runs.replay.trajectories.agentv.results import BROKEN, Json, Result

SCHEMA, IDENTITY = "agentv.trace.v1", "agentv.projection_identity.v1"
PLACE = "outputs/trace.json"
CAPTURE: Json = {"content": "full", "redaction_level": "none", "redacted_fields": []}
_POLICY = dict.fromkeys(("tool_arguments", "tool_results", "message_text"), "metadata")
_TOLD = "agentv.transcript.message"
# Who scored, by the type of a grader; all others are AgentV's own.
_SOURCES = {"code-grader": "code", "llm-grader": "llm"}
_USAGE = {"input": "input_tokens", "output": "output_tokens", "cached": "cache_read.input_tokens"}


@dataclass(frozen=True, slots=True)
class Marks:
    """The ids of a trial's trace. They follow from what the trial is, so the same export has the same ids."""

    seed: str

    @classmethod
    def of(cls, result: Result, source: str, run_id: str) -> "Marks":
        parts = (run_id, source, result.suite, result.test_id, result.target, result.attempt)
        return cls(orjson.dumps(parts).decode())

    def _hash(self, *parts: object, length: int) -> str:
        return sha256("|".join([self.seed, *map(str, parts)]).encode()).hexdigest()[:length]

    @property
    def artifact_id(self) -> str:
        return f"execution-trace-{self._hash('artifact', length=20)}"

    @property
    def trace_id(self) -> str:
        return self._hash("trace", length=32)

    @property
    def root(self) -> str:
        return self._hash("root", length=16)

    def message(self, index: int) -> str:
        """The span of an assistant's message."""
        return self._hash("message", index, length=16)

    def call(self, index: int, number: int) -> str:
        """The span of a tool call of a message."""
        return self._hash("call", index, number, length=16)

    def call_id(self, call: Message, index: int, number: int) -> str:
        """The id of a call: its own, else one that follows from its place."""
        return str(call.get("id") or f"agentv-tool-{self._hash('id', index, number, length=12)}")

    def reference(self, span: str, parent: str | None = None) -> Json:
        """Where a row of the transcript stands in the trace."""
        own = {"schema_version": SCHEMA, "artifact_id": self.artifact_id, "trace_id": self.trace_id, "span_id": span}
        return own if parent is None else {**own, "parent_span_id": parent}


def projection(result: Result, source: str, run_id: str) -> Json:
    """What makes a trial one of its own, wherever it is sent."""
    marks = Marks.of(result, source, run_id)
    dimensions = {
        **dict(
            zip(
                ("run_id", "suite", "eval_path", "test_id"), (run_id, result.suite, source, result.test_id), strict=True
            )
        ),
        "target": result.target,
        "source_target": result.target,
        "attempt": result.attempt,
        "variant": None,
        "envelope_id": marks.artifact_id,
        "trace_id": marks.trace_id,
        "root_span_id": marks.root,
        "projection_format": "execution_trace",
        "projection_version": SCHEMA,
    }
    order = ("projection_format", "projection_version", *list(dimensions)[:-2])
    key = f"{IDENTITY}:" + "|".join(f"{name}={_spelt(dimensions[name])}" for name in order)
    mark = f"agentv-prj-{sha256(key.encode()).hexdigest()[:32]}"
    identity = {"schema_version": IDENTITY, "id": mark, "key": key, "dimensions": dimensions}
    return {"projection_identity": identity, "export_metadata": {"duplicate_policy": "update"}}


def _spelt(value: Any) -> str:
    return "~" if value is None else quote(str(value), safe="")


def trace_document(result: Result, source: str, run_id: str) -> Json:
    """The trace of a trial."""
    marks = Marks.of(result, source, run_id)
    about = {"eval_path": source, "suite": result.suite, "test_id": result.test_id, "target": result.target}
    document: Json = {
        "schema_version": SCHEMA,
        "artifact_id": marks.artifact_id,
        "created_at": result.timestamp,
        "eval": {
            **about,
            "source_target": result.target,
            "attempt": result.attempt,
            "variant": None,
            "run_id": run_id,
            "category": result.category,
            "experiment": "default",
        },
        **projection(result, source, run_id),
        "trace": {
            "format": "otlp_openinference_spans",
            "trace_id": marks.trace_id,
            "root_span_id": marks.root,
            "resource": {"attributes": {"service.name": "agentv"}},
            "scope": {"name": "agentv"},
            "spans": list(_spans(result, source, run_id, marks)),
        },
        "source": {
            "kind": "agentv_run",
            "path": "index.jsonl",
            "provider": result.target,
            "format": "agentv_result",
            "version": "1",
            "metadata": {"target": result.target, "eval_case_id": result.test_id},
        },
        "capture": {**CAPTURE, "policy": {**_POLICY, "screenshots": "none", "thinking": "none"}},
        "artifacts": {
            "trace_path": PLACE,
            **{f"{name}_path": f"outputs/{name}.md" for name in ("answer", "response")},
            "transcript_path": "outputs/transcript.jsonl",
        },
    }
    warnings, scores = list(_warnings(result, marks)), [_score(row, marks.root) for row in result.scores]
    document |= {"conversion_warnings": warnings} if warnings else {}
    return document | ({"scores": scores} if scores else {})


def _warnings(result: Result, marks: Marks) -> Iterator[Json]:
    for index, message in enumerate(result.messages):
        for number, call in enumerate(listing(message.get("tool_calls"))):
            if not call.get("id"):
                yield {
                    "code": "missing_tool_call_id",
                    "severity": "warning",
                    "span_id": marks.call(index, number),
                    "source_ref": {"event_id": f"message-{index}-tool-{number}"},
                    "message": "The call has no id; one was made from its place.",
                }


def _score(row: Mapping[str, Any], root: str) -> Json:
    kept = {name: row[name] for name in ("name", "type", "score", "weight", "verdict") if name in row}
    details = {"details": row["details"]} if "details" in row else {}
    evidence = {"span_ids": [root], "assertions": row.get("assertions", []), **details}
    return {
        **kept,
        "source": _SOURCES.get(str(row.get("type")), "agentv"),
        "target_span_id": root,
        "evidence": evidence,
    }


def _spans(result: Result, source: str, run_id: str, marks: Marks) -> Iterator[Json]:
    begin, end = _moment(result.start_time or result.timestamp), _moment(result.end_time or result.timestamp)
    yield {
        **_span(marks, marks.root, None, f"invoke_agent {result.target}", begin, end),
        "status": _status(result.status == BROKEN, result.error),
        "attributes": _of_agent(result, source, run_id),
        "events": list(_described(result)),
    }
    turn = 0
    for index, message in enumerate(result.messages):
        if message.get("role") != "assistant":
            continue
        own = marks.message(index)
        yield {
            **_span(marks, own, marks.root, f"chat {result.target}", begin, end),
            "status": _status(False),
            "attributes": {
                "gen_ai.operation.name": "chat",
                "gen_ai.request.model": result.target,
                "openinference.span.kind": "LLM",
                "agentv.message.index": index,
                "agentv.turn_index": turn,
                "gen_ai.output.messages": text_of(message.get("content")),
            },
            "events": [],
        }
        turn += 1
        for number, call in enumerate(map(mapping, listing(message.get("tool_calls")))):
            yield _of_call(marks, call, index, number, (begin, end))


def _of_call(marks: Marks, call: Mapping[str, Any], index: int, number: int, around: tuple[datetime, datetime]) -> Json:
    name = str(call.get("tool"))
    ended = _moment(call["end_time"]) if call.get("end_time") else around[1]
    took = call.get("duration_ms")
    begun = ended - timedelta(milliseconds=took) if isinstance(took, int | float) else min(around[0], ended)
    called = marks.call_id(dict(call), index, number)
    facts = {"gen_ai.tool.call.arguments": call.get("input"), "gen_ai.tool.call.result": call.get("output")}
    return {
        **_span(marks, marks.call(index, number), marks.message(index), f"execute_tool {name}", begun, ended),
        "status": _status(call.get("status") == "error"),
        "attributes": {
            "gen_ai.operation.name": "execute_tool",
            "gen_ai.tool.name": name,
            "gen_ai.tool.call.id": called,
            "openinference.span.kind": "TOOL",
            "tool.name": name,
            "tool.id": called,
            "agentv.message.index": index,
            "agentv.tool.index": number,
            **{key: value for key, value in facts.items() if value is not None},
        },
        "events": [],
    }


def _span(marks: Marks, own: str, parent: str | None, name: str, begun: datetime, ended: datetime) -> Json:
    return {
        "trace_id": marks.trace_id,
        "span_id": own,
        "parent_span_id": parent,
        "name": name,
        "kind": "INTERNAL",
        "start_time_unix_nano": _nanoseconds(begun),
        "end_time_unix_nano": _nanoseconds(max(begun, ended)),
    }


def _status(failed: bool, message: str = "") -> Json:
    return {"code": "ERROR", **({"message": message} if message else {})} if failed else {"code": "OK"}


def _of_agent(result: Result, source: str, run_id: str) -> Json:
    used = {f"gen_ai.usage.{_USAGE[name]}": count for name, count in result.token_usage.items() if name in _USAGE}
    facts = {
        "gen_ai.operation.name": "invoke_agent",
        "gen_ai.provider.name": "agentv",
        "gen_ai.agent.name": result.target,
        "openinference.span.kind": "AGENT",
        "agentv.test_id": result.test_id,
        "agentv.target": result.target,
        "agentv.suite": result.suite,
        "agentv.category": result.category,
        "agentv.eval_path": source,
        "agentv.run_id": run_id,
        "agentv.attempt": result.attempt,
        "agentv.execution_status": result.status,
        "agentv.failure_stage": result.stage or None,
        "agentv.failure_reason_code": result.reason or None,
        "agentv.trace.duration_ms": result.duration_ms,
        "agentv.trace.cost_usd": result.cost_usd,
        **used,
    }
    return {name: value for name, value in facts.items() if value is not None}


def _described(result: Result) -> Iterator[Json]:
    for index, message in enumerate(result.messages):
        yield {"name": _TOLD, "attributes": {f"{_TOLD}.index": index, _TOLD: dict(message)}}
    if result.error:
        yield {"name": "exception", "attributes": {"exception.message": result.error}}


def _moment(stated: str) -> datetime:
    """A point in time; the beginning of the epoch for a text that is none."""
    try:
        found = datetime.fromisoformat(stated)
    except ValueError:
        return datetime.fromtimestamp(0, UTC)
    return found if found.tzinfo else found.replace(tzinfo=UTC)


def _nanoseconds(when: datetime) -> str:
    passed = when - datetime.fromtimestamp(0, UTC)
    return str((passed.days * 86400 + passed.seconds) * 10**9 + passed.microseconds * 1000)


def messages_in(trace: Mapping[str, Any]) -> list[Message]:
    """The transcript that the root span of a trace tells; calls have the ids and times of their spans."""
    spans = [mapping(span) for span in listing(mapping(trace.get("trace")).get("spans"))]
    root = _root_of(trace, spans)
    reported = [mapping(mapping(event).get("attributes")) for event in listing(root.get("events"))]
    found = sorted((each for each in reported if _TOLD in each), key=lambda each: number_in(each, f"{_TOLD}.index"))
    messages = [dict(mapping(each[_TOLD])) for each in found]
    calls = {_place(span): span for span in spans if mapping(span.get("attributes")).get("tool.name")}
    return [_with_spans(message, index, calls) for index, message in enumerate(messages)]


def usage_in(trace: Mapping[str, Any]) -> Json:
    """Tokens, cost and time that the root span of a trace tells, in the words of index rows."""
    spans = [mapping(span) for span in listing(mapping(trace.get("trace")).get("spans"))]
    facts = mapping(_root_of(trace, spans).get("attributes"))
    used = {
        name: facts[f"gen_ai.usage.{theirs}"] for name, theirs in _USAGE.items() if f"gen_ai.usage.{theirs}" in facts
    }
    known = {"cost_usd": "agentv.trace.cost_usd", "duration_ms": "agentv.trace.duration_ms"}
    found = {name: facts[theirs] for name, theirs in known.items() if theirs in facts}
    return {**found, **({"token_usage": used} if used else {})}


def _root_of(trace: Mapping[str, Any], spans: Sequence[Mapping[str, Any]]) -> Mapping[str, Any]:
    wanted = mapping(trace.get("trace")).get("root_span_id")
    return next((span for span in spans if span.get("span_id") == wanted), {})


def _place(span: Mapping[str, Any]) -> tuple[int, int]:
    facts = mapping(span.get("attributes"))
    return number_in(facts, "agentv.message.index"), number_in(facts, "agentv.tool.index")


def _with_spans(message: Message, index: int, spans: Mapping[tuple[int, int], Mapping[str, Any]]) -> Message:
    calls = listing(message.get("tool_calls"))
    if not calls:
        return message
    reported = [{**_of_span(spans.get((index, number), {})), **mapping(call)} for number, call in enumerate(calls)]
    return {**message, "tool_calls": reported}


def _of_span(span: Mapping[str, Any]) -> Json:
    """What the span of a call knows of it, in the words of transcripts."""
    begun, ended = span.get("start_time_unix_nano"), span.get("end_time_unix_nano")
    if not (isinstance(begun, str) and isinstance(ended, str)):
        return {}
    try:
        facts, took = mapping(span.get("attributes")), int(ended) - int(begun)
        moment = datetime.fromtimestamp(int(ended) / 10**9, UTC)
    except (ValueError, OverflowError, OSError):
        # Times that no calendar has.
        return {}
    times = {"end_time": moment.isoformat(), "duration_ms": took / 10**6}
    failed = mapping(span.get("status")).get("code") == "ERROR"
    return {**times, "id": facts.get("tool.id"), "status": "error" if failed else "ok"}
