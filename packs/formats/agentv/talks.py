"""How a conversation is played: the options of a test beside its turns (agentv C.7)."""

from collections.abc import Callable, Mapping
from typing import Any

from packs.formats.document import Document


def _is_size(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 1


# What each option may be, in words and as a test.
OPTIONS: Mapping[str, tuple[str, Callable[[Any], bool]]] = {
    "aggregation": ("one of mean, min, max", lambda value: value in ("mean", "min", "max")),
    "on_turn_failure": ("one of continue, stop", lambda value: value in ("continue", "stop")),
    "window_size": ("a whole number of at least 1", _is_size),
}


def usable_options(test: Document) -> Document:
    """The options of a test that count; the others are as if they were not stated."""
    return {name: test[name] for name, (_, is_usable) in OPTIONS.items() if name in test and is_usable(test[name])}
