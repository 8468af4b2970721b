"""Messages and the blocks in them (agentv C): role markers (S27) and the files that they name (S56 to S58)."""

import re
from collections.abc import Iterator
from typing import Any

from packs.formats.agentv.checks.outside import BLANK_FILE
from packs.formats.agentv.context import Around
from packs.formats.agentv.layout import inside
from packs.formats.agentv.reading import is_text
from packs.formats.agentv.rules import NO_FILE_NAME
from packs.formats.findings import Finding, Path, Rule
from packs.formats.values import listing, mapping

ROLE_MARKER = Rule(
    "agentv.W127",
    "The text holds {marker}, which looks like the beginning of another message.",
    hint="Write a message of its own for each speaker.",
    rule="S27",
)
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
_MARKER = re.compile(r"@\[(?:system|user|assistant|tool)\]:", re.IGNORECASE)


def check_messages(around: Around, messages: list[Any], path: Path) -> Iterator[Finding]:
    """What no schema can say of a list of messages; paths begin with `path`."""
    for index, message in enumerate(messages):
        content, place = mapping(message).get("content"), (*path, index, "content")
        if isinstance(content, str):
            yield from check_markers(content, place)
        for position, item in enumerate(listing(content)):
            yield from _check_item(around, item, (*place, position))


def check_markers(text: str, path: Path) -> Iterator[Finding]:
    """One finding for each text in it that looks like the beginning of a message."""
    for match in _MARKER.finditer(text):
        yield ROLE_MARKER.at(path, marker=match[0])


def _check_item(around: Around, item: Any, path: Path) -> Iterator[Finding]:
    kind, value = mapping(item).get("type"), mapping(item).get("value")
    if isinstance(item, str):
        yield from check_markers(item, path)
    elif kind == "text" and isinstance(value, str):
        yield from check_markers(value, (*path, "value"))
    elif kind == "file" and is_text(value):
        yield from check_file(around, value, path)


def check_file(around: Around, value: str, path: Path) -> Iterator[Finding]:
    """The findings about a file that a block names."""
    name = around.find(value)
    if name is None:
        yield NO_FILE.at(path, name=repr(value)[:160])
        if inside(around.folder, value.lstrip("/")) is None:
            yield LEAVES_PACK.at(path, name=repr(value)[:160])
    elif around.is_folder(name):
        yield NO_TEXT_FILE.at(path, name=repr(value)[:160])
    elif (text := around.text(name)) is not None and not text.strip():
        yield BLANK_FILE.at(path, name=repr(value)[:160])
