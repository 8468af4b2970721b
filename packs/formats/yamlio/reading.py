"""From YAML text to plain JSON values, in one pass over the events and within fixed limits."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from math import isfinite
from sys import intern
from typing import Any

from packs.formats.findings import MAX_FINDINGS, Finding, Rule, Step
from packs.formats.yamlio.dialects import CORE_12, TYPED_STARTS, Dialect
from packs.formats.yamlio.events import (
    AliasEvent,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    YAMLError,
    collector_paused,
    describe,
    event_source,
    unreadable,
)
from packs.formats.yamlio.rules import (
    ALIASES_TOO_LARGE,
    ANCHOR,
    BAD_KEY,
    BAD_MERGE,
    DATE,
    DUPLICATE_KEY,
    KEY_AS_TEXT,
    LATER_DOCUMENT,
    LOST_DIGITS,
    MAX_ALIASED,
    MAX_DEPTH,
    MAX_EVENTS,
    MAX_SCALAR,
    SCALAR_TOO_LONG,
    SECOND_DOCUMENT,
    TAG,
    TOO_DEEP,
    TOO_MANY_EVENTS,
    UNKNOWN_ALIAS,
    UNSTORABLE,
    UNTEXTUAL_KEY,
)

_PREFIX = "tag:yaml.org,2002:"
_CONTAINER_TAGS = {None, "!", _PREFIX + "map", _PREFIX + "seq"}
_SCALAR_TYPES: dict[str, tuple[type, ...]] = {
    "str": (str,),
    "int": (int,),
    "float": (float, int),
    "bool": (bool,),
    "null": (type(None),),
}
_SHOWN = 80


class _Refused(Exception):
    """Reading cannot go on; the findings say why."""


def read(data: bytes | str, *, file: str = "", dialect: Dialect) -> tuple[Any, list[Finding]]:
    """The value of a YAML text as plain JSON values, and what is wrong with the text.

    The value is None when the text cannot be read to its end, and when it is empty. Never raises. Equal aliases are
    the same object, so values must not be changed in place.
    """
    finding = unreadable(data, file, dialect.takes_utf16)
    if finding:
        return None, [finding]
    builder = _Builder(event_source(data), dialect, file)
    value = None
    with collector_paused():
        try:
            value = builder.document()
        except YAMLError as error:
            builder.stop(describe(error, data, file))
        except _Refused:
            value = None
        except StopIteration:
            builder.stop(replace(TOO_MANY_EVENTS.at((), limit=MAX_EVENTS), file=file))
    return value, builder.findings


def aliased(data: bytes) -> int:
    """How many characters the aliases of a text stand for; the text itself may be short. Never raises."""
    if b"&" not in data or b"*" not in data:
        return 0
    builder = _Builder(event_source(data), CORE_12, "")
    with collector_paused(), suppress(YAMLError, _Refused, StopIteration):
        builder.document()
    return builder.aliased


def _shown(text: str) -> str:
    return text if len(text) <= _SHOWN else text[:_SHOWN] + "..."


class _Builder:
    """Pulls events and builds values; one method a kind of node, recursion bounded by MAX_DEPTH."""

    __slots__ = ("aliased", "anchors", "dialect", "end", "file", "findings", "keys", "next", "path")

    def __init__(self, source: Callable[[], Any], dialect: Dialect, file: str) -> None:
        self.next = source
        self.dialect = dialect
        self.file = file
        self.findings: list[Finding] = []
        self.path: list[Step] = []
        # Texts that were keys, and are texts however they are written; few of them make most keys.
        self.keys: dict[str, str] = {}
        # Anchor name to (value, characters of source it stands for, levels of nesting in it, once known).
        self.anchors: dict[str, tuple[Any, int, int | None]] = {}
        self.aliased = 0
        # Where the container that was closed last ends.
        self.end: Any = None

    def report(self, rule: Rule, mark: Any, *last: Step, **values: Any) -> None:
        """Note a finding at the current path, or at a child of it."""
        if len(self.findings) < MAX_FINDINGS:
            finding = rule.at((*self.path, *last), **values)
            self.findings.append(replace(finding, file=self.file, line=mark.line + 1, column=mark.column + 1))

    def stop(self, finding: Finding) -> None:
        """Note the finding that ended reading; it always has room."""
        self.findings[MAX_FINDINGS - 1 :] = [finding]

    def refuse(self, rule: Rule, mark: Any, **values: Any) -> _Refused:
        finding = rule.at(tuple(self.path), **values)
        self.stop(replace(finding, file=self.file, line=mark.line + 1, column=mark.column + 1))
        return _Refused()

    def document(self) -> Any:
        self.next()
        event = self.next()
        if type(event).__name__ == "StreamEndEvent":
            return None
        value = self.node(self.next())
        self.next()
        self.rest()
        return value

    def rest(self) -> None:
        """Look at what follows the first document; its syntax matters only where there may be no more."""
        try:
            event = self.next()
        except YAMLError:
            if self.dialect.one_document:
                raise
            return
        if type(event).__name__ == "DocumentStartEvent":
            self.report(SECOND_DOCUMENT if self.dialect.one_document else LATER_DOCUMENT, event.start_mark)

    def node(self, event: Any) -> Any:
        """The value that starts with this event."""
        kind = type(event)
        if kind is ScalarEvent:
            return self.scalar(event)
        if kind is AliasEvent:
            return self.alias(event)
        if len(self.path) >= MAX_DEPTH:
            raise self.refuse(TOO_DEEP, event.start_mark, limit=MAX_DEPTH)
        if event.tag not in _CONTAINER_TAGS:
            self.report(TAG, event.start_mark, tag=_shown(event.tag))
        aliased = self.aliased
        value: Any = self.mapping() if kind is MappingStartEvent else self.sequence()
        if event.anchor:
            size = self.end.index - event.start_mark.index
            self.anchor(event, value, size + self.aliased - aliased)
        return value

    def sequence(self) -> list[Any]:
        values: list[Any] = []
        path, step = self.path, 0
        path.append(0)
        get = self.next
        while True:
            event = get()
            kind = type(event)
            if kind is ScalarEvent and event.tag is None and event.anchor is None:
                text = event.value
                typed = event.implicit[0] and text[:1] in TYPED_STARTS
                values.append(self.plain(event) if typed or len(text) > MAX_SCALAR else text)
            elif kind is SequenceEndEvent:
                break
            else:
                path[-1] = step
                values.append(self.node(event))
            step += 1
        path.pop()
        self.end = event.end_mark
        return values

    def mapping(self) -> dict[str, Any]:
        values: dict[str, Any] = {}
        marks: dict[str, Any] = {}
        merged: list[tuple[Any, Any]] = []
        path, keys = self.path, self.keys
        path.append("")
        get = self.next
        while True:
            event = get()
            if type(event) is MappingEndEvent:
                break
            known = keys.get(event.value) if type(event) is ScalarEvent and event.tag is event.anchor is None else None
            key = path[-1] = known or self.key(event)
            if key in marks:
                self.repeated(key, marks[key], event.start_mark)
                self.node(get())
                continue
            marks[key] = event.start_mark
            if key == "<<" and type(event) is ScalarEvent and event.implicit[0]:
                merged.append((self.node(get()), event.start_mark))
                continue
            event = get()
            if type(event) is ScalarEvent and event.tag is None and event.anchor is None:
                text = event.value
                typed = event.implicit[0] and text[:1] in TYPED_STARTS
                values[key] = self.plain(event) if typed or len(text) > MAX_SCALAR else text
            else:
                values[key] = self.node(event)
        path.pop()
        self.end = event.end_mark
        return self.merge(values, merged) if merged else values

    def key(self, event: Any) -> str:
        """The text of a key; refuses what cannot be one, since its value could not be placed."""
        if type(event) is AliasEvent:
            value = self.alias(event)
            if isinstance(value, str):
                return value
        if type(event) is not ScalarEvent:
            raise self.refuse(BAD_KEY, event.start_mark)
        text: str = event.value
        self.path[-1] = text
        if len(text) > MAX_SCALAR or event.anchor or event.tag:
            value = self.scalar(event)
            return text if not isinstance(value, str) else value
        if event.implicit[0] and text[:1] in TYPED_STARTS and self.is_typed(text):
            rule = KEY_AS_TEXT if self.dialect.text_keys else UNTEXTUAL_KEY
            self.report(rule, event.start_mark, key=_shown(text))
            return text
        return self.keys.setdefault(text, intern(text))

    def is_typed(self, text: str) -> bool:
        return not isinstance(self.dialect.resolve(text), str)

    def repeated(self, key: str, first: Any, second: Any) -> None:
        self.report(DUPLICATE_KEY, second, key=_shown(key), first=first.line + 1, second=second.line + 1)

    def merge(self, values: dict[str, Any], merged: list[tuple[Any, Any]]) -> dict[str, Any]:
        """Add what `<<` brings in: keys of the mapping itself win, then those of earlier mappings."""
        for source, mark in merged:
            parts = source if isinstance(source, list) else [source]
            for part in parts:
                if not isinstance(part, dict):
                    self.report(BAD_MERGE, mark, "<<")
                    break
                for key, value in part.items():
                    values.setdefault(key, value)
        return values

    def scalar(self, event: Any) -> Any:
        """A scalar with everything that the short way leaves out: size, tag and anchor."""
        text = event.value
        if len(text) > MAX_SCALAR:
            raise self.refuse(SCALAR_TOO_LONG, event.start_mark, size=len(text), limit=MAX_SCALAR)
        value = self.plain(event) if event.implicit[0] or event.tag else text
        if event.tag:
            value = self.tagged(event, value)
        if event.anchor:
            self.anchor(event, value, len(text))
        return value

    def plain(self, event: Any) -> Any:
        """The value of a scalar by the dialect's rules; what JSON cannot hold stays text with a finding."""
        text = event.value
        if len(text) > MAX_SCALAR:
            raise self.refuse(SCALAR_TOO_LONG, event.start_mark, size=len(text), limit=MAX_SCALAR)
        value = self.dialect.resolve(text)
        if type(value) is int and not -(2**63) <= value < 2**64:
            return self.large(value, event)
        if type(value) is float and not isfinite(value):
            self.report(UNSTORABLE, event.start_mark, text=text)
            return text
        if value is text and self.dialect.dates is not None and self.dialect.dates.fullmatch(text):
            self.report(DATE, event.start_mark, text=text)
        return value

    def large(self, value: int, event: Any) -> Any:
        """An integer that JSON readers take as a float."""
        try:
            rounded = float(value)
        except OverflowError:
            return event.value
        if int(rounded) != value:
            self.report(LOST_DIGITS, event.start_mark, text=_shown(event.value), value=rounded)
        return rounded

    def tagged(self, event: Any, value: Any) -> Any:
        """The value of a scalar with a tag: only tags of YAML's own types, and only where the text fits them."""
        name = event.tag.removeprefix(_PREFIX)
        types = _SCALAR_TYPES.get(name)
        if name == "str":
            return event.value
        if types is None or type(value) not in types:
            self.report(TAG, event.start_mark, tag=_shown(event.tag))
            return event.value
        return float(value) if name == "float" else value

    def anchor(self, event: Any, value: Any, size: int) -> None:
        if self.dialect.tell_anchors:
            self.report(ANCHOR, event.start_mark, name=_shown(event.anchor))
        height = None if isinstance(value, dict | list) else 0
        self.anchors[event.anchor] = (value, size, height)

    def alias(self, event: Any) -> Any:
        """The value that an alias stands for; counted before anything is made of it."""
        name = event.anchor
        if name not in self.anchors:
            raise self.refuse(UNKNOWN_ALIAS, event.start_mark, name=_shown(name))
        value, size, height = self.anchors[name]
        self.aliased += size + 1
        if self.aliased > MAX_ALIASED:
            raise self.refuse(ALIASES_TOO_LARGE, event.start_mark, limit=MAX_ALIASED)
        if height is None:
            height = _height(value)
            self.anchors[name] = (value, size, height)
        if len(self.path) + height > MAX_DEPTH:
            raise self.refuse(TOO_DEEP, event.start_mark, limit=MAX_DEPTH)
        return value


def _height(value: Any) -> int:
    """How many levels of lists and mappings a value has; 0 for a scalar."""
    height = 0
    level = [value]
    while level := [item for item in level if isinstance(item, dict | list)]:
        height += 1
        level = [child for item in level for child in (item.values() if isinstance(item, dict) else item)]
    return height
