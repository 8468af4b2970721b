"""PyYAML's C event stream: the one door to libyaml, with everything that can go wrong in it as one exception."""

import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from itertools import islice
from typing import Any

from yaml import MarkedYAMLError, YAMLError
from yaml._yaml import CParser
from yaml.events import (
    AliasEvent,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
)

from packs.formats.findings import Finding
from packs.formats.yamlio.rules import BAD_CHARACTER, MAX_BYTES, MAX_EVENTS, NOT_UTF8, SYNTAX, TOO_LARGE
from packs.formats.yamlio.syntax import UNPRINTABLE, explain

__all__ = [
    "AliasEvent",
    "MappingEndEvent",
    "MappingStartEvent",
    "ScalarEvent",
    "SequenceEndEvent",
    "SequenceStartEvent",
    "YAMLError",
    "collector_paused",
    "describe",
    "event_source",
    "is_utf16",
    "plain_bytes",
    "unreadable",
]

_UTF16_MARKS = (b"\xff\xfe", b"\xfe\xff")


def is_utf16(data: bytes | str) -> bool:
    """Whether bytes begin with the mark of UTF-16."""
    return isinstance(data, bytes) and data.startswith(_UTF16_MARKS)


def _text_of(data: bytes | str) -> str:
    return data if isinstance(data, str) else data.decode("utf-16" if is_utf16(data) else "utf-8", "replace")


def plain_bytes(data: bytes) -> bytes:
    """A text as UTF-8 with LF, to be looked into with patterns: UTF-16 with its mark and CR are taken as YAML does."""
    if is_utf16(data):
        data = _text_of(data).encode("utf-8", "replace")
    return data.replace(b"\r\n", b"\n").replace(b"\r", b"\n") if b"\r" in data else data


@contextmanager
def collector_paused() -> Iterator[None]:
    """Keep the cyclic garbage collector from walking a growing tree again and again; trees hold no cycles."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def event_source(data: bytes | str) -> Callable[[], Any]:
    """A function that gives the next event of the stream.

    It raises YAMLError where the text is not YAML, and StopIteration after the last event or MAX_EVENTS of them.
    """
    parser = CParser(data.encode("utf-8", "surrogatepass") if isinstance(data, str) else data)
    return islice(iter(parser.get_event, None), MAX_EVENTS).__next__


def unreadable(data: bytes | str, file: str, takes_utf16: bool = True) -> Finding | None:
    """The finding about a file that need not be given to the parser at all."""
    if is_utf16(data) and not takes_utf16:
        return _at_end_of("", NOT_UTF8.at((), byte=data[0]), file)
    if len(data) > MAX_BYTES:
        return replace(TOO_LARGE.at((), size=len(data), limit=MAX_BYTES), file=file)
    return None


def describe(error: YAMLError, data: bytes | str, file: str) -> Finding:
    """The finding that says in plain words why the parser stopped."""
    if not isinstance(error, MarkedYAMLError):
        return _describe_encoding(data, file)
    mark: Any = error.problem_mark or error.context_mark
    began: Any = error.context_mark or mark
    line, column, first = (mark.line, mark.column, began.line) if mark else (0, 0, 0)
    text = _text_of(data)
    char = text[mark.index : mark.index + 1] if mark else ""
    finding = SYNTAX.at((), **explain(error.problem or "", error.context or "", first + 1, char))
    return replace(finding, file=file, line=line + 1, column=column + 1)


def _describe_encoding(data: bytes | str, file: str) -> Finding:
    text = _text_of(data)
    if isinstance(data, bytes) and not is_utf16(data):
        try:
            data.decode("utf-8")
        except UnicodeDecodeError as error:
            before = data[: error.start].decode("utf-8", "replace")
            return _at_end_of(before, NOT_UTF8.at((), byte=data[error.start]), file)
    match = UNPRINTABLE.search(text)
    if match is None:
        return replace(SYNTAX.at((), **explain("it cannot be decoded", "", 1, "")), file=file, line=1, column=1)
    return _at_end_of(text[: match.start()], BAD_CHARACTER.at((), character=ord(match[0])), file)


def _at_end_of(before: str, finding: Finding, file: str) -> Finding:
    line_start = before.rfind("\n") + 1
    return replace(finding, file=file, line=before.count("\n") + 1, column=len(before) - line_start + 1)
