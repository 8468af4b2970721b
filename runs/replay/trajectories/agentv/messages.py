"""Messages of a transcript as events, and events as messages (agentv H.4)."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

import orjson

from packs.formats.values import listing, mapping

Event = dict[str, Any]
Message = dict[str, Any]


def number_in(value: Mapping[str, Any], name: str) -> int:
    """A whole number of a mapping; 0 where there is none."""
    stated = value.get(name)
    return stated if isinstance(stated, int) else 0


def event(event_type: str, payload: dict[str, Any], at: Any = None) -> Event:
    """An event in the shape of challenge-pack h.1."""
    when = {"occurred_at": at} if isinstance(at, str) else {}
    return {"event_type": event_type, "payload": payload, **when}


def text_of(content: Any) -> str:
    """The text of a message: as it is, the texts of its blocks, or JSON."""
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        values = [item if isinstance(item, str) else mapping(item).get("value") for item in content]
        return "\n".join(value for value in values if isinstance(value, str))
    return "" if content is None else orjson.dumps(content).decode()


def answer_of(messages: Sequence[Mapping[str, Any]]) -> str | None:
    """What the agent said last; None where it said nothing."""
    said = [message for message in messages if message.get("role") == "assistant"]
    return text_of(said[-1].get("content")) if said else None


def events_of_messages(messages: Sequence[Mapping[str, Any]]) -> Iterator[Event]:
    """The turns and calls that messages tell. A conversation with several replies becomes turns."""
    replies = sum(message.get("role") == "assistant" for message in messages)
    users = sum(message.get("role") == "user" for message in messages)
    turn = -1
    for message in messages:
        role, content = message.get("role"), text_of(message.get("content"))
        if users > 1 and replies > 1 and role == "user":
            turn += 1
            yield event("turn.user.message", {"turn_index": turn, "content": content})
        elif role == "assistant":
            yield from _reply(message, content)
            if turn >= 0:
                yield event("turn.assistant.message", {"turn_index": turn, "content": content})


def _reply(message: Mapping[str, Any], content: str) -> Iterator[Event]:
    usage = usage_of(message.get("token_usage"))
    yield event("model.call.completed", {"output_text": content, **({"usage": usage} if usage else {})})
    for call in map(mapping, listing(message.get("tool_calls"))):
        if isinstance(call.get("tool"), str):
            yield _call(call)


def _call(call: Mapping[str, Any]) -> Event:
    payload: dict[str, Any] = {"tool_name": call["tool"]}
    if "input" in call:
        payload["arguments"] = call["input"]
    if call.get("duration_ms") is not None:
        payload["duration_ms"] = call["duration_ms"]
    if isinstance(call.get("id"), str):
        payload["tool_call_id"] = call["id"]
    failed = call.get("status") == "error"
    payload["result"] = {"content": call.get("output"), "is_error": failed}
    return event("tool.call.failed" if failed else "tool.call.completed", payload, call.get("end_time"))


def usage_of(stated: Any) -> dict[str, Any]:
    """Token counts in the words of events."""
    counts = mapping(stated)
    names = {"input": "input_tokens", "output": "output_tokens", "cached": "cached_tokens"}
    found = {ours: counts[theirs] for theirs, ours in names.items() if isinstance(counts.get(theirs), int | float)}
    if "input_tokens" in found or "output_tokens" in found:
        found["total_tokens"] = found.get("input_tokens", 0) + found.get("output_tokens", 0)
    return found


def messages_of_events(events: Iterable[Mapping[str, Any]], asked: Sequence[Any], answer: str | None) -> list[Message]:
    """The transcript of a trial: what was asked, the turns, and the calls with the reply that they led to."""
    calls: list[Message] = []
    turns: list[Message] = []
    for each in events:
        payload = mapping(each.get("payload"))
        match each.get("event_type"):
            case "tool.call.completed" | "tool.call.failed":
                calls.append(call_document(each, payload))
            case "turn.user.message":
                turns.append({"role": "user", "content": text_of(payload.get("content"))})
            case "turn.assistant.message":
                reported = {"tool_calls": calls} if calls else {}
                turns.append({"role": "assistant", "content": text_of(payload.get("content")), **reported})
                calls = []
    before = [dict(mapping(message)) for message in asked]
    if turns:
        return [*(message for message in before if message.get("role") == "system"), *turns]
    if answer is None and not calls:
        return before
    return [*before, {"role": "assistant", "content": answer or "", **({"tool_calls": calls} if calls else {})}]


def call_document(reported: Mapping[str, Any], payload: Mapping[str, Any]) -> Message:
    """One call of a tool in the words of a transcript."""
    result = payload.get("result")
    failed = reported.get("event_type") == "tool.call.failed"
    stated = {
        "tool": payload.get("tool_name"),
        "input": payload.get("arguments"),
        "output": result.get("content", result) if isinstance(result, Mapping) else result,
        "id": payload.get("tool_call_id"),
        "status": "error" if failed else "ok",
        "end_time": moment(reported.get("occurred_at")),
        "duration_ms": payload.get("duration_ms"),
    }
    return {name: value for name, value in stated.items() if value is not None}


def moment(value: Any) -> str | None:
    """A point in time as text."""
    return value.isoformat() if isinstance(value, datetime) else value if isinstance(value, str) else None
