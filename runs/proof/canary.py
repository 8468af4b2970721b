"""A canary: a text that stands nowhere else, so that it shows who has read what was not meant for them."""

import re
from collections.abc import Iterator
from typing import Any
from uuid import uuid4

from packs.formats.leaks import texts_of
from packs.formats.task import Task

PREFIX = "packwright-canary"
# What every canary has: by it a text without one is passed over at once.
UUID = "[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{12}"
# What may come between its digits when it is said again.
_BETWEEN = re.compile(r"[\s\-_:]+")
_DIGITS = re.compile(r"(?:[0-9a-f][\s\-_:]*){32}", re.IGNORECASE)


def new_canary() -> str:
    """A canary that no other pack has."""
    return f"{PREFIX} {uuid4()}"


def holds(text: str, canary: str) -> bool:
    """Whether a text has a canary, also in other letters, spacing or hyphens. Its UUID is enough."""
    own = re.search(UUID, canary)
    return own is not None and _plain(own[0]) in _plain(text)


def may_hold(text: str) -> bool:
    """Whether a text could have a canary of any pack."""
    return _DIGITS.search(text) is not None


def _plain(text: str) -> str:
    return _BETWEEN.sub("", text).casefold()


def places_of(task: Task, canary: str, files: Iterator[tuple[str, str]]) -> Iterator[str]:
    """Where an agent reads a canary: its prompt, its context, or files by their paths."""
    shown: list[tuple[str, Any]] = [("the prompt", task.prompt), ("the context", task.visible)]
    for place, value in (*shown, *((f"`{path}`", text) for path, text in files)):
        if holds(" ".join(texts_of(value)), canary):
            yield place
