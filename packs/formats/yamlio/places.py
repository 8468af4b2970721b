"""Where in a YAML text a value stands: a second pass over the events, made only when findings need lines."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from packs.formats.findings import Path
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


def locate(data: bytes | str, paths: Iterable[Path]) -> dict[Path, Mark]:
    """The place of each path's value, or of its nearest ancestor that exists (so for a key that is missing).

    The first of two equal keys counts. What a merge or an alias brings in has the place where it is brought in. Where
    the text cannot be read to its end, what comes before has its place. Time is linear in the size of the text,
    however many paths are asked for. Never raises.
    """
    root = _Wanted()
    wanted = list(paths)
    for path in wanted:
        node = root
        for step in path:
            node = node.steps.setdefault(step, _Wanted())
    if unreadable(data, "") is None:
        _scan(data, root)
    return {path: _nearest(root, path) for path in wanted}


def _nearest(root: _Wanted, path: Path) -> Mark:
    mark = root.mark or Mark(1, 1, key_line=1, key_column=1)
    node = root
    for step in path:
        node = node.steps[step]
        if node.mark is None:
            break
        mark = node.mark
    return mark


def _scan(data: bytes | str, root: _Wanted) -> None:
    get = event_source(data)
    try:
        get()
        get()
        event = get()
        _visit(get, event, event, root, 0)
    except (YAMLError, StopIteration):
        return


def _visit(get: Callable[[], Any], event: Any, key: Any, wanted: _Wanted, depth: int) -> None:
    """Mark a node and go on below it; `key` is the event of its key, or its own."""
    at, key_at = event.start_mark, key.start_mark
    text, is_plain = (event.value, not event.style) if type(event) is ScalarEvent else ("", False)
    wanted.mark = Mark(at.line + 1, at.column + 1, text, is_plain, key_at.line + 1, key_at.column + 1)
    if not wanted.steps or depth > MAX_DEPTH:
        _skip(get, event)
    elif type(event) is MappingStartEvent:
        _visit_mapping(get, wanted, depth)
    elif type(event) is SequenceStartEvent:
        _visit_sequence(get, wanted, depth)


def _visit_mapping(get: Callable[[], Any], wanted: _Wanted, depth: int) -> None:
    while type(key := get()) is not MappingEndEvent:
        child = wanted.steps.get(key.value) if type(key) is ScalarEvent else None
        if type(key) is not ScalarEvent:
            _skip(get, key)
        event = get()
        if child is None or child.mark is not None:
            _skip(get, event)
        else:
            _visit(get, event, key, child, depth + 1)


def _visit_sequence(get: Callable[[], Any], wanted: _Wanted, depth: int) -> None:
    index = 0
    while type(event := get()) is not SequenceEndEvent:
        child = wanted.steps.get(index)
        if child is None:
            _skip(get, event)
        else:
            _visit(get, event, event, child, depth + 1)
        index += 1


def _skip(get: Callable[[], Any], event: Any) -> None:
    """Pass over the rest of the node that starts with this event."""
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
