"""Where in a YAML text a value stands: a second pass over the events, made only when findings need lines."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any

from packs.formats.findings import Finding, Path
from packs.formats.yamlio.events import (
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
    YAMLError,
    event_source,
    unreadable,
)
from packs.formats.yamlio.rules import MAX_DEPTH


@dataclass(frozen=True, slots=True)
class Mark:
    """Where a value stands, counted from 1.

    `text` is a scalar as its author wrote it, escapes and quotes resolved; empty for lists, mappings and aliases.
    `is_plain`: the scalar has no quotes and is no block. The key is where the value's own key stands; an item of a
    list, and the whole document, have the place of the value there.
    """

    line: int
    column: int
    text: str = ""
    is_plain: bool = False
    key_line: int = 0
    key_column: int = 0


class _Wanted:
    """A wanted path, or a step on the way to one."""

    __slots__ = ("mark", "steps")

    def __init__(self) -> None:
        self.steps: dict[Any, _Wanted] = {}
        self.mark: Mark | None = None

    def missing(self) -> int:
        """How many paths in it, its own included, have no mark."""
        if self.mark is None and not self.steps:
            return 1
        return (self.mark is None) + sum(child.missing() for child in self.steps.values())


def locate(data: bytes | str, paths: Iterable[Path]) -> dict[Path, Mark]:
    """The place of each path's value, or of its nearest ancestor that exists (so for a key that is missing).

    The first of two equal keys counts. What a merge or an alias brings in has the place where it is brought in. Where
    the text cannot be read to its end, what comes before has its place. Time is linear in the size of the text,
    however many paths are asked for, and ends with the last place that is wanted. Never raises.
    """
    root = _Wanted()
    wanted = list(paths)
    for path in wanted:
        node = root
        for step in path[:MAX_DEPTH]:
            node = node.steps.setdefault(step, _Wanted())
    if wanted and unreadable(data, "") is None:
        _Scan(event_source(data), root).run()
    return {path: _nearest(root, path) for path in wanted}


def place_in(data: bytes | str, file: str, findings: Iterable[Finding]) -> list[Finding]:
    """Findings whose paths are those of the text, with file, line and column."""
    waiting = list(findings)
    marks = locate(data, {finding.path for finding in waiting})
    return [
        replace(finding, file=file, line=mark.line, column=mark.column)
        for finding in waiting
        for mark in [marks[finding.path]]
    ]


def _nearest(root: _Wanted, path: Path) -> Mark:
    mark = root.mark or Mark(1, 1, key_line=1, key_column=1)
    node = root
    for step in path[:MAX_DEPTH]:
        node = node.steps[step]
        if node.mark is None:
            break
        mark = node.mark
    return mark


class _Scan:
    """One pass over the events that marks what is wanted and stops when nothing more can be marked."""

    def __init__(self, get: Callable[[], Any], root: _Wanted) -> None:
        self.get = get
        self.root = root
        self.left = root.missing()

    def run(self) -> None:
        try:
            self.get()
            self.get()
            event = self.get()
            self.visit(event, event, self.root)
        except (YAMLError, StopIteration):
            return

    def visit(self, event: Any, key: Any, wanted: _Wanted) -> None:
        """Mark a node and go on below it; `key` is the event of its key, or its own."""
        at, key_at = event.start_mark, key.start_mark
        text, is_plain = (event.value, not event.style) if type(event) is ScalarEvent else ("", False)
        wanted.mark = Mark(at.line + 1, at.column + 1, text, is_plain, key_at.line + 1, key_at.column + 1)
        self.left -= 1
        if not wanted.steps:
            self.stop_when_done()
            self.skip(event)
            return
        if type(event) is MappingStartEvent:
            self.mapping(wanted)
        elif type(event) is SequenceStartEvent:
            self.sequence(wanted)
        # What was not found in this node is nowhere.
        self.left -= sum(child.missing() for child in wanted.steps.values() if child.mark is None)
        self.stop_when_done()

    def stop_when_done(self) -> None:
        if self.left <= 0:
            raise StopIteration

    def mapping(self, wanted: _Wanted) -> None:
        get = self.get
        while type(key := get()) is not MappingEndEvent:
            child = wanted.steps.get(key.value) if type(key) is ScalarEvent else None
            if type(key) is not ScalarEvent:
                self.skip(key)
            event = get()
            if child is None or child.mark is not None:
                self.skip(event)
            else:
                self.visit(event, key, child)

    def sequence(self, wanted: _Wanted) -> None:
        get = self.get
        index = 0
        while type(event := get()) is not SequenceEndEvent:
            child = wanted.steps.get(index)
            if child is None:
                self.skip(event)
            else:
                self.visit(event, event, child)
            index += 1

    def skip(self, event: Any) -> None:
        """Pass over the rest of the node that starts with this event."""
        get = self.get
        depth = 0
        while True:
            kind = type(event)
            if kind is MappingStartEvent or kind is SequenceStartEvent:
                depth += 1
            elif kind is MappingEndEvent or kind is SequenceEndEvent:
                depth -= 1
            if depth == 0:
                return
            event = get()
