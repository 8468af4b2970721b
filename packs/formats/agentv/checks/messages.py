"""Messages and the blocks in them (agentv C): S21 to S27 and S55 to S58."""

import re
from collections.abc import Iterator
from typing import Any

from packs.formats.agentv.checks.outside import BLANK_FILE
from packs.formats.agentv.context import Around
from packs.formats.agentv.layout import inside
from packs.formats.agentv.reading import is_text
from packs.formats.findings import Finding, Path, Rule

NO_MESSAGE = Rule(
    "agentv.E121", "A message must be a mapping.", hint="Write `role` and `content`, as in {{role: user}}.", rule="S21"
)
UNKNOWN_ROLE = Rule(
    "agentv.E122", "{role} is not a valid role of a message.", hint="Use system, user or assistant.", rule="S22"
)
NO_CONTENT = Rule(
    "agentv.E123",
    "The message has no content that can be read.",
    hint="Write a text, a mapping, or a list of texts and blocks.",
    rule="S23",
)
BAD_ITEM = Rule("agentv.E124", "A part of a message must be text or a block.", hint="Put it in quotes.", rule="S24")
NO_BLOCK_TYPE = Rule(
    "agentv.E125", "The block does not say its type.", hint="Add `type: text` or `type: file`.", rule="S25"
)
NO_TEXT = Rule("agentv.E126", "The text block has no text in `value`.", hint="Write the text as `value`.", rule="S26")
ROLE_MARKER = Rule(
    "agentv.W127",
    "The text holds {marker}, which looks like the beginning of another message.",
    hint="Write a message of its own for each speaker.",
    rule="S27",
)
NO_FILE_NAME = Rule("agentv.E155", "The file block names no file.", hint="Write its path as `value`.", rule="S55")
NO_FILE = Rule(
    "agentv.E156",
    "There is no file {name}.",
    hint="Add it, or fix the path: files are looked for beside the suite and in every folder above it.",
    rule="S56",
)
NO_TEXT_FILE = Rule("agentv.E158", "{name} is a folder, not a file.", hint="Name one file in it.", rule="S58")
LEAVES_PACK = Rule(
    "agentv.W302",
    "The path {name} leads out of the pack, so nothing is read there.",
    hint="Put the file into the pack and name it by a path from the suite's folder.",
)
# The numbers of the rules about files that messages name.
FILE_REFERENCES = frozenset(rule.rule for rule in (NO_FILE_NAME, NO_FILE, BLANK_FILE, NO_TEXT_FILE))
ROLES = ("system", "user", "assistant")
_MARKER = re.compile(r"@\[(?:system|user|assistant|tool)\]:", re.IGNORECASE)


def check_messages(around: Around, messages: list[Any], path: Path) -> Iterator[Finding]:
    """The findings about a list of messages; paths begin with `path`."""
    for index, message in enumerate(messages):
        place = (*path, index)
        if not isinstance(message, dict):
            yield NO_MESSAGE.at(place)
            continue
        role = message.get("role")
        if role not in ROLES:
            yield UNKNOWN_ROLE.at((*place, "role"), role=repr(role)[:80])
        yield from _check_content(around, message, (*place, "content"))


def _check_content(around: Around, message: dict[str, Any], path: Path) -> Iterator[Finding]:
    content = message.get("content")
    if isinstance(content, str):
        yield from check_markers(content, path)
    elif isinstance(content, list):
        for index, item in enumerate(content):
            yield from _check_item(around, item, (*path, index))
    elif not isinstance(content, dict) and ("content" in message or "tool_calls" not in message):
        yield NO_CONTENT.at(path)


def check_markers(text: str, path: Path) -> Iterator[Finding]:
    """One finding for each text in it that looks like the beginning of a message."""
    for match in _MARKER.finditer(text):
        yield ROLE_MARKER.at(path, marker=match[0])


def _check_item(around: Around, item: Any, path: Path) -> Iterator[Finding]:
    if isinstance(item, str):
        yield from check_markers(item, path)
        return
    if not isinstance(item, dict):
        yield BAD_ITEM.at(path)
        return
    kind, value = item.get("type"), item.get("value")
    if not isinstance(kind, str):
        yield NO_BLOCK_TYPE.at((*path, "type"))
    elif kind == "text":
        if isinstance(value, str):
            yield from check_markers(value, (*path, "value"))
        else:
            yield NO_TEXT.at((*path, "value"))
    elif kind == "file":
        yield from check_file(around, value, path)


def check_file(around: Around, value: Any, path: Path) -> Iterator[Finding]:
    """The findings about a file that a block names."""
    if not is_text(value):
        yield NO_FILE_NAME.at((*path, "value"))
        return
    name = around.find(value)
    if name is None:
        yield NO_FILE.at(path, name=repr(value)[:160])
        if inside(around.folder, value.lstrip("/")) is None:
            yield LEAVES_PACK.at(path, name=repr(value)[:160])
    elif around.is_folder(name):
        yield NO_TEXT_FILE.at(path, name=repr(value)[:160])
    elif (text := around.text(name)) is not None and not text.strip():
        yield BLANK_FILE.at(path, name=repr(value)[:160])
