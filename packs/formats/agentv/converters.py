"""Converters of files to text for graders: the preprocessors of suites and assertions (agentv F.13)."""

from collections.abc import Iterator
from typing import Any

from packs.formats.agentv.context import Around
from packs.formats.agentv.layout import seen_from
from packs.formats.agentv.prompts import file_blocks
from packs.formats.agentv.reading import is_text
from packs.formats.document import Document
from packs.formats.media import read_type
from packs.formats.values import listing


def trouble_of(around: Around, entry: Any) -> str:
    """Why an entry is no converter; empty where it is one."""
    if not isinstance(entry, dict):
        return "it is not a mapping"
    if not is_text(entry.get("type")):
        return "it does not say for which type of files it is"
    parts = listing(entry.get("command"))
    if not parts or not all(is_text(part) for part in parts):
        return "its command must be a list of texts that are not blank"
    return "" if around.find(parts[-1]) is not None else f"there is no file {parts[-1]!r:.160}"


def refusal(around: Around, document: Document) -> str:
    """Why the preprocessors of a suite or an assertion cannot be used; empty where nothing is wrong with them."""
    stated = document.get("preprocessors", [])
    if not isinstance(stated, list):
        return "`preprocessors` must be a list"
    return next((reason for entry in stated if (reason := trouble_of(around, entry))), "")


def converters_of(around: Around, own: Any) -> list[Document]:
    """The converters of a grader: its own, then those of the suite for other types. Each has the folder of the pack in
    which its command runs; of several for one type the last counts."""
    found: dict[str, Document] = {}
    for entry in (*listing(around.suite.get("preprocessors")), *listing(own)):
        if not trouble_of(around, entry):
            *front, last = entry["command"]
            # The last part is a file, found as all files are.
            command = [*front, seen_from(around.folder, around.find(last) or last)]
            found[read_type(entry["type"])] = {"type": entry["type"], "command": command, "directory": around.folder}
    return list(found.values())


def shown_files(around: Around, messages: list[Document]) -> dict[str, Document]:
    """The files that messages show, by the paths as written: the name in the pack, and the text of those that are."""
    return {path: {"name": name, **_text(around, name)} for path, name in _files(around, messages)}


def _files(around: Around, messages: list[Document]) -> Iterator[tuple[str, str]]:
    for path in file_blocks(messages):
        name = around.find(path)
        if name is not None:
            yield path, name


def _text(around: Around, name: str) -> dict[str, str]:
    data = around.texts.get(name)
    if data is None or b"\0" in data:
        return {}
    try:
        return {"text": data.decode().replace("\r\n", "\n")}
    except UnicodeDecodeError:
        return {}
