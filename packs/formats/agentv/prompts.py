"""What an agent is told, and what a hook gets to read of it (agentv C.4)."""

from typing import Any

import orjson

from packs.formats.agentv.context import Around
from packs.formats.document import Document
from packs.formats.values import listing

_SAYS_WHO = frozenset({"assistant", "tool"})


def prompt_of(around: Around, messages: list[Document]) -> str:
    """The prompt: a single user message as it is, several with a line above each that says who speaks.

    Files stand in it with their text, so that every agent can read them.
    """
    parts = [(str(message.get("role", "")), _content(around, message)) for message in messages]
    reported = [(role, text) for role, text in parts if text]
    if len(reported) == 1 and reported[0][0] not in _SAYS_WHO:
        return reported[0][1]
    return "\n\n".join(f"@[{role.capitalize()}]:\n{text}" for role, text in reported)


def plain_input(messages: list[Document]) -> str:
    """What hooks get as `case_input`: the texts with a blank between them, without the content of files."""
    return " ".join(text for message in messages for text in _texts(message.get("content")))


def file_paths(messages: list[Document]) -> list[str]:
    """The files that messages name, as written."""
    return file_blocks(messages, ("file",))


def file_blocks(messages: list[Document], types: tuple[str, ...] = ("file", "image")) -> list[str]:
    """The paths of blocks of these types, as written."""
    blocks = [block for message in messages for block in listing(message.get("content")) if isinstance(block, dict)]
    return [block["value"] for block in blocks if block.get("type") in types and isinstance(block.get("value"), str)]


def _texts(content: Any) -> list[str]:
    if isinstance(content, str):
        return [content]
    if isinstance(content, dict):
        return [_json(content)]
    blocks = [block for block in listing(content) if isinstance(block, dict)]
    return [block["value"] for block in blocks if block.get("type") == "text" and isinstance(block.get("value"), str)]


def _content(around: Around, message: Document) -> str:
    content = message.get("content")
    if not isinstance(content, list):
        reported = content if isinstance(content, str) else "" if content is None else _json(content)
    else:
        reported = "\n".join(text for block in content if (text := _block(around, block)))
    calls = message.get("tool_calls")
    return "\n".join(part for part in (reported, _json(calls) if isinstance(calls, list) else "") if part)


def _block(around: Around, block: Any) -> str:
    if not isinstance(block, dict):
        return str(block)
    value = block.get("value")
    match block.get("type"):
        case "text" if isinstance(value, str):
            return value
        case "file" | "image" if isinstance(value, str):
            return _file(around, value, is_image=block["type"] == "image")
        case _:
            return _json(block)


def _file(around: Around, path: str, *, is_image: bool) -> str:
    name = around.find(path)
    text = None if name is None or is_image else around.text(name)
    return f'<file path="{path}" />' if text is None else f'<file path="{path}">\n{text}\n</file>'


def _json(value: Any) -> str:
    return orjson.dumps(value, option=orjson.OPT_INDENT_2).decode()
