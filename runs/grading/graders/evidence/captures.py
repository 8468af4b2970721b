"""Files, listings and command results taken from the workspace after the agent ended (challenge-pack d.4, h.3)."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from packs.formats.values import exact_text
from runs.grading.graders.contract import Source
from runs.grading.graders.values import as_count, compact_json


@dataclass(slots=True)
class CapturedFile:
    """A file that was looked for; `content` is empty when it does not exist."""

    key: str
    path: str
    exists: bool
    content: str
    truncated: bool = False
    source: Source | None = None


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry of a directory listing; `size` in bytes."""

    path: str
    size: int
    is_dir: bool

    def as_dict(self) -> dict[str, Any]:
        shape: dict[str, Any] = {"path": self.path, "size": self.size}
        if self.is_dir:
            shape["is_dir"] = True
        return shape


@dataclass(slots=True)
class Listing:
    """A directory and what was found below it."""

    key: str
    path: str
    entries: tuple[Entry, ...]
    source: Source | None = None

    def as_text(self) -> str:
        """The listing as evidence text: JSON with the members key, path and entries in this order."""
        entries = [entry.as_dict() for entry in self.entries]
        return compact_json({"key": self.key, "path": self.path, "entries": entries}, sort_keys=False)


@dataclass(frozen=True, slots=True)
class Execution:
    """The result of a test command, as its event tells it."""

    payload: dict[str, Any]
    source: Source | None


def read_file(payload: Mapping[str, Any]) -> CapturedFile | None:
    """The file that an event tells of; None when the event names no check."""
    key = exact_text(payload, "key")
    if not key:
        return None
    return CapturedFile(
        key,
        exact_text(payload, "path"),
        payload.get("exists") is True,
        exact_text(payload, "content"),
        payload.get("truncated") is True,
    )


def read_listing(payload: Mapping[str, Any]) -> Listing | None:
    """The listing that an event tells of; None when the event names no check."""
    key = exact_text(payload, "key")
    if not key:
        return None
    entries = payload.get("entries")
    found = entries if isinstance(entries, list) else []
    return Listing(key, exact_text(payload, "path"), tuple(_entry(item) for item in found if isinstance(item, Mapping)))


def _entry(item: Mapping[str, Any]) -> Entry:
    return Entry(exact_text(item, "path"), as_count(item.get("size")) or 0, item.get("is_dir") is True)
