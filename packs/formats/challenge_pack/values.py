"""Reading a native document the way the rules need it: trimmed, and safe against any wrong type.

A wrong type is a finding of the structure; to a rule the value then counts as absent.
"""

from collections.abc import Iterable, Iterator
from typing import Any

from packs.formats.document import Document
from packs.formats.findings import Path

NAME = "challenge_pack"
SPEC: Path = ("version", "evaluation_spec")
# Dimensions that a text can stand for, with their source (challenge-pack d.8).
BUILT_IN = {
    "correctness": "validators",
    "reliability": "reliability",
    "latency": "latency",
    "cost": "cost",
    "behavioral": "behavioral",
}
# Source to the names of its target and limit under `scorecard.normalization`, and of the budget that stands in.
SHARED_NORMALIZATION = {
    "latency": ("target_ms", "max_ms", "max_duration_ms"),
    "cost": ("target_usd", "max_usd", "max_cost_usd"),
}


def text(document: Document, key: str) -> str:
    """The trimmed text of a field; empty if it is absent or no text."""
    value = document.get(key)
    return value.strip() if isinstance(value, str) else ""


def mapping(document: Document, key: str) -> Document:
    """The mapping under a key; empty if it is absent or no mapping."""
    value = document.get(key)
    return value if isinstance(value, dict) else {}


def listing(document: Document, key: str) -> list[Any]:
    """The list under a key; empty if it is absent or no list."""
    value = document.get(key)
    return value if isinstance(value, list) else []


def entries(document: Document, key: str) -> Iterator[tuple[int, Document]]:
    """The mappings of a list with their positions; null is no entry, another type counts as an empty mapping."""
    for position, item in enumerate(listing(document, key)):
        if item is not None:
            yield position, item if isinstance(item, dict) else {}


def repeated(document: Document, field: str, name: str = "key") -> Iterator[tuple[int, str]]:
    """The entries of a list that state the same name as one before, with it and their positions."""
    seen = {""}
    for position, item in entries(document, field):
        stated = text(item, name)
        if stated in seen and stated:
            yield position, stated
        seen.add(stated)


def texts(document: Document, key: str) -> Iterator[tuple[int, str]]:
    """The texts of a list as they are written, with their positions; another type is an empty text, null none."""
    for position, item in enumerate(listing(document, key)):
        if item is not None:
            yield position, item if isinstance(item, str) else ""


def number(document: Document, key: str) -> int | float | None:
    """The number under a key; None if it is absent or no number."""
    value = document.get(key)
    return value if isinstance(value, int | float) and not isinstance(value, bool) else None


def flag(document: Document, key: str) -> bool:
    """Whether a field is true; absent means false."""
    return document.get(key) is True


def given(document: Document, key: str) -> bool:
    """Whether a field is there at all; null means absent."""
    return document.get(key) is not None


def evaluation_spec(pack: Document) -> Document:
    """The evaluation spec in a pack's own document."""
    return mapping(mapping(pack, "version"), "evaluation_spec")


def execution_mode(pack: Document) -> str:
    """How the agent is driven; an absent mode counts as native (challenge-pack a.4)."""
    return text(mapping(pack, "version"), "execution_mode") or "native"


def content_name(path: str) -> str:
    """The name of the file beside the pack that holds an asset's bytes; empty when the path leads elsewhere."""
    parts = [part for part in path.strip().split("/") if part not in ("", ".")]
    return "" if ".." in parts else "/".join(parts)


def one_of(values: Iterable[str]) -> str:
    """The values of a closed set, for a message."""
    return ", ".join(values)
