"""What passed between an agent and the world in one trial: messages, what tools gave back, network requests."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

import orjson

from runs.grading.graders.evidence import is_of_judges
from runs.grading.graders.values import loose_text


@dataclass(frozen=True, slots=True)
class Said:
    """A text and where it was said: `source` is user, assistant, tool or network; `sequence` 0 without an event."""

    source: str
    text: str
    sequence: int = 0
    tool: str = ""


@dataclass(frozen=True, slots=True)
class NetworkEntry:
    """One request that left, or was meant to leave."""

    host: str
    path: str
    sequence: int
    tool: str = ""


@dataclass(slots=True)
class Exchange:
    """Everything of one trial in its order. `reported` came first and is no part of what is scanned for leaks."""

    reported: list[Said] = field(default_factory=list)
    spoken: list[Said] = field(default_factory=list)
    outputs: list[Said] = field(default_factory=list)
    network: list[NetworkEntry] = field(default_factory=list)
    replies: set[str] = field(default_factory=set)

    @property
    def messages(self) -> list[Said]:
        """What was said to the agent and by it."""
        return [*self.reported, *self.spoken]

    def scanned(self) -> Iterator[Said]:
        """All texts in which a leak may show."""
        yield from self.spoken
        yield from self.outputs
        for entry in self.network:
            yield Said("network", entry.host + entry.path, entry.sequence, entry.tool)


def exchange_of(events: Iterable[Mapping[str, Any]], reported: Sequence[str] = ()) -> Exchange:
    """Read the events of a trial, in the shape of challenge-pack h.1, in sequence order; not those of its judges."""
    exchange = Exchange([Said("user", text) for text in reported if text])
    heard = [event for event in events if not is_of_judges(event)]
    ordered = sorted(heard, key=lambda event: int(event.get("sequence_number", 0)))
    has_turns = any(event.get("event_type") == "turn.assistant.message" for event in ordered)
    for event in ordered:
        payload = event.get("payload")
        if isinstance(payload, Mapping):
            _read(exchange, str(event.get("event_type")), payload, int(event.get("sequence_number", 0)), has_turns)
    return exchange


def _read(exchange: Exchange, kind: str, payload: Mapping[str, Any], sequence: int, has_turns: bool) -> None:
    if kind == "turn.user.message":
        _say(exchange, "user", payload.get("content"), sequence)
    elif kind == "turn.assistant.message":
        _say(exchange, "assistant", payload.get("content"), sequence)
    elif kind == "model.call.completed" and not has_turns:
        _say(exchange, "assistant", payload.get("output_text"), sequence)
    elif kind in ("system.output.finalized", "system.run.completed"):
        _say(exchange, "assistant", payload.get("final_output", payload.get("output")), sequence)
    elif kind in ("tool.call.completed", "tool.call.failed"):
        _read_call(exchange, payload, sequence)
    elif kind in ("sandbox.command.completed", "sandbox.command.failed"):
        for name in ("stdout", "stderr"):
            _hear(exchange, payload.get(name), sequence, f"command:{name}")


def _say(exchange: Exchange, source: str, content: Any, sequence: int) -> None:
    """Add a message. Events repeat the last words of an agent; they are said once."""
    text = loose_text(content) or ""
    if not text or (source == "assistant" and text in exchange.replies):
        return
    exchange.spoken.append(Said(source, text, sequence))
    if source == "assistant":
        exchange.replies.add(text)


def _hear(exchange: Exchange, content: Any, sequence: int, tool: str) -> None:
    if isinstance(content, str) and content:
        exchange.outputs.append(Said("tool", content, sequence, tool))


def _read_call(exchange: Exchange, payload: Mapping[str, Any], sequence: int) -> None:
    name = str(payload.get("tool_name") or "")
    arguments = payload.get("arguments")
    written = arguments if isinstance(arguments, str) else "" if not arguments else orjson.dumps(arguments).decode()
    if written:
        exchange.outputs.append(Said("assistant", written, sequence, name))
    result = payload.get("result")
    if isinstance(result, Mapping):
        _hear(exchange, loose_text(result.get("content")), sequence, name)
    exchange.network += _requests(payload, name, sequence)


def _requests(payload: Mapping[str, Any], name: str, sequence: int) -> Iterator[NetworkEntry]:
    """The requests that a call made; of a trace without them those that its arguments tell of."""
    stated = payload.get("network")
    if isinstance(stated, list):
        for entry in stated:
            if isinstance(entry, Mapping):
                host, path = (str(entry.get(part) or "") for part in ("host", "path"))
                yield NetworkEntry(host, path, sequence, name)
        return
    arguments = payload.get("arguments")
    resolved = payload.get("resolved_tool_name") or name
    if resolved == "http_request" and isinstance(arguments, Mapping) and isinstance(arguments.get("url"), str):
        yield from _address(arguments["url"], sequence, name)


def _address(url: str, sequence: int, name: str) -> Iterator[NetworkEntry]:
    try:
        parts = urlsplit(url.strip())
        host = parts.hostname
    except ValueError:
        return
    if host:
        query = f"?{parts.query}" if parts.query else ""
        yield NetworkEntry(host, parts.path + query, sequence, name)
