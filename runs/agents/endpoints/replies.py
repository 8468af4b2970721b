"""From the JSON and the event streams of OpenAI-compatible endpoints to replies."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import orjson

from runs.agents.endpoints.contract import Delta, EndpointFailed, ModelReply, ToolCall, Trouble, Usage
from runs.agents.endpoints.statuses import trouble_of_error

SHOWN_CHARACTERS = 600
DONE = b"[DONE]"
WEB_PAGE = re.compile(r"(<!--.*?-->\s*)*<(!doctype\s+html|html|head|body)\b", re.IGNORECASE)


def read_json(body: bytes) -> dict[str, Any]:
    """The object that a body holds. Raises EndpointFailed for anything else."""
    try:
        value = orjson.loads(body)
    except orjson.JSONDecodeError:
        raise bad_reply(what_it_is(body)) from None
    if not isinstance(value, dict):
        raise bad_reply("it is not a JSON object")
    refuse_errors(value)
    return value


def what_it_is(body: bytes) -> str:
    """What a body is that is no JSON, in words."""
    text = shorten(body.decode("utf-8", "replace"))
    if not text:
        return "it is empty"
    return f"it is {'a web page' if WEB_PAGE.match(text) else 'not JSON'}: {text}"


def refuse_errors(value: Mapping[str, Any]) -> None:
    """Some endpoints tell of trouble with status 200, or in the middle of a stream. Raises EndpointFailed."""
    if value.get("error"):
        raise EndpointFailed(trouble_of_error(value), f"The endpoint reported an error: {shorten(said(value))}")


def said(value: Any) -> str:
    """What an endpoint says of an error, in whatever shape it says it."""
    error = value.get("error", value) if isinstance(value, Mapping) else value
    if isinstance(error, Mapping):
        for name in ("message", "detail", "error"):
            if isinstance(error.get(name), str):
                return str(error[name])
    return error if isinstance(error, str) else orjson.dumps(error, default=str).decode()


def bad_reply(what: str) -> EndpointFailed:
    return EndpointFailed(Trouble.BAD_REPLY, f"The endpoint's answer cannot be used: {what}.")


def shorten(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= SHOWN_CHARACTERS else f"{text[:SHOWN_CHARACTERS]}…"


def data_lines(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """The data of each event of a stream of server-sent events."""
    rest = b""
    data: list[bytes] = []
    for chunk in chunks:
        *lines, rest = (rest + chunk).split(b"\n")
        for line in lines:
            line = line.removesuffix(b"\r")
            if line.startswith(b"data:"):
                data.append(line[5:].removeprefix(b" "))
            elif not line and data:
                yield b"\n".join(data)
                data = []
    if rest.startswith(b"data:"):
        data.append(rest[5:].strip())
    if data:
        yield b"\n".join(data)


@dataclass(slots=True)
class Draft:
    """A reply of which the parts come one after the other."""

    model: str = ""
    texts: list[str] = field(default_factory=list)
    calls: dict[int, dict[str, str]] = field(default_factory=dict)
    finish_reason: str = ""
    usage: Mapping[str, Any] = field(default_factory=dict)
    has_message: bool = False

    def add(self, chunk: Mapping[str, Any]) -> bool:
        """Take in one chunk; gives whether it brought content."""
        refuse_errors(chunk)
        self.model = text_of(chunk.get("model")) or self.model
        if isinstance(chunk.get("usage"), Mapping):
            self.usage = chunk["usage"]
        choice = first_choice(chunk)
        if choice is None:
            return False
        self.finish_reason = text_of(choice.get("finish_reason")) or self.finish_reason
        self.has_message = True
        delta = choice.get("delta")
        return isinstance(delta, Mapping) and self._add_delta(delta)

    def _add_delta(self, delta: Mapping[str, Any]) -> bool:
        text = text_of(delta.get("content"))
        if text:
            self.texts.append(text)
        fragments = delta.get("tool_calls")
        for fragment in fragments if isinstance(fragments, list) else []:
            self._add_fragment(fragment)
        return bool(text or fragments)

    def _add_fragment(self, fragment: Any) -> None:
        function = fragment.get("function") if isinstance(fragment, Mapping) else None
        if not isinstance(function, Mapping):
            raise bad_reply("a tool call has no function")
        place = fragment.get("index")
        call = self.calls.setdefault(
            place if isinstance(place, int) else len(self.calls), {"id": "", "name": "", "arguments": ""}
        )
        call["id"] = call["id"] or text_of(fragment.get("id"))
        call["name"] = call["name"] or text_of(function.get("name"))
        call["arguments"] += arguments_text(function.get("arguments"))

    def since(self, texts: int, calls: int) -> Iterator[Delta]:
        """What came after so many texts and calls; a call counts when it has begun."""
        for text in self.texts[texts:]:
            yield Delta(text)
        for call in list(self.calls.values())[calls:]:
            yield Delta(tool_call=ToolCall(call["id"], call["name"], call["arguments"]))

    def reply(self) -> ModelReply:
        """The finished reply."""
        calls = tuple(
            ToolCall(call["id"] or f"call_{place}", call["name"], call["arguments"])
            for place, call in sorted(self.calls.items())
        )
        return ModelReply("".join(self.texts), self.model, calls, self.finish_reason, read_usage(self.usage))


@dataclass(slots=True)
class Teller:
    """Hands on a draft as it grows."""

    hear: Callable[[Delta], None]
    texts: int = 0
    calls: int = 0

    def tell(self, draft: Draft) -> None:
        """Hand on what is new in the draft."""
        new = list(draft.since(self.texts, self.calls))
        self.texts, self.calls = len(draft.texts), len(draft.calls)
        for delta in new:
            call = delta.tool_call
            self.hear(delta if call is None else Delta(tool_call=replace(call, arguments="")))


def whole_reply(value: Mapping[str, Any]) -> ModelReply:
    """A reply that came in one piece. Raises EndpointFailed."""
    choice = first_choice(value)
    message = choice.get("message") if choice else None
    if choice is None or not isinstance(message, Mapping):
        raise bad_reply("it holds no message")
    draft = Draft(text_of(value.get("model")), finish_reason=text_of(choice.get("finish_reason")))
    draft.texts.append(text_of(message.get("content")) or text_of(message.get("refusal")))
    calls = message.get("tool_calls")
    for index, call in enumerate(calls if isinstance(calls, list) else []):
        if not isinstance(call, Mapping):
            raise bad_reply("a tool call has no function")
        draft._add_fragment({**call, "index": index})
    if isinstance(value.get("usage"), Mapping):
        draft.usage = value["usage"]
    return draft.reply()


def responses_reply(value: Mapping[str, Any]) -> ModelReply:
    """A reply of the responses API: the texts of its messages, one after the other. Raises EndpointFailed."""
    output = value.get("output")
    if not isinstance(output, list):
        raise bad_reply("it holds no output")
    status = text_of(value.get("status"))
    if status in ("failed", "cancelled"):
        raise EndpointFailed(Trouble.SERVER, f"The endpoint ended the call with status {status!r}.")
    cut = value.get("incomplete_details")
    reason = text_of(cut.get("reason")) if isinstance(cut, Mapping) else ""
    messages = [item for item in output if isinstance(item, Mapping) and item.get("type") == "message"]
    texts = [text_of(message.get("content")) for message in messages]
    usage = value.get("usage")
    return ModelReply(
        "\n\n".join(text for text in texts if text),
        text_of(value.get("model")),
        finish_reason=reason or status,
        usage=read_usage(usage if isinstance(usage, Mapping) else {}),
    )


def first_choice(value: Mapping[str, Any]) -> Mapping[str, Any] | None:
    choices = value.get("choices")
    if isinstance(choices, list) and choices and isinstance(choices[0], Mapping):
        return choices[0]
    return None


def text_of(value: Any) -> str:
    """A text, or the texts of a list of content parts; empty for anything else."""
    if isinstance(value, str):
        return value
    if isinstance(value, list):
        return "".join(text_of(part.get("text")) for part in value if isinstance(part, Mapping))
    return ""


def arguments_text(value: Any) -> str:
    """The arguments of a call as text; some endpoints give them as an object."""
    return value if isinstance(value, str) else "" if value is None else orjson.dumps(value).decode()


def read_usage(usage: Mapping[str, Any]) -> Usage:
    """Tokens and, where the endpoint tells it, the cost, in either API's words."""
    cost = usage.get("cost")
    return Usage(
        count_of(usage, "prompt_tokens", "input_tokens"),
        count_of(usage, "completion_tokens", "output_tokens"),
        float(cost) if isinstance(cost, int | float) and not isinstance(cost, bool) else None,
    )


def count_of(usage: Mapping[str, Any], *names: str) -> int | None:
    for name in names:
        count = usage.get(name)
        if isinstance(count, int) and not isinstance(count, bool):
            return count
    return None
