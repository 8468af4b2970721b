"""How much work files and documents make: guessed before anything reads them, and what is said of too much."""

import json
from typing import Any

import orjson

from packs.formats.adapter import Files
from packs.formats.findings import Rule
from packs.formats.yamlio import aliased

# What a request may read and check takes less than half a second up to these.
MAX_BYTES = 4_000_000
MAX_VALUES = 10_000
# Checking and storing one document of up to so many takes less than half a second; writing it as text takes longer.
MAX_KEPT_BYTES = 8_000_000
MAX_KEPT_VALUES = 100_000
# Checking and writing more cases than this takes longer than half a second.
MANY_CASES = 500
# Characters that aliases may stand for there; each may be a value as good as two characters can be one.
MAX_ALIASED = 2 * MAX_VALUES

_SPLIT = "Split the pack, or ask the operator to raise {setting}."
MUCH_TIME = Rule(
    "pack.E020",
    "This took more than {seconds} s of processor time.",
    hint=_SPLIT.format(setting="PACKWRIGHT_JOB_SECONDS"),
)
MUCH_MEMORY = Rule(
    "pack.E021",
    "This took more than {mebibytes} MiB of memory.",
    hint=_SPLIT.format(setting="PACKWRIGHT_JOB_MEMORY"),
)


def values_in(data: bytes) -> int:
    """About how many values a text of YAML, JSON, JSON Lines or CSV has at most: what stands between its separators."""
    return sum(map(data.count, (b"\n", b"\r", b",", b"[", b"{", b"- "))) + 1


def is_costly(files: Files) -> bool:
    """Whether reading and checking files is too much for a request."""
    if sum(map(len, files.values())) > MAX_BYTES or sum(map(values_in, files.values())) > MAX_VALUES:
        return True
    return sum(map(aliased, files.values())) > MAX_ALIASED


def weight(value: Any) -> tuple[int, int]:
    """The size of a value in bytes of JSON, and about how many values it holds: a comma stands between two."""
    try:
        text = orjson.dumps(value)
    except TypeError:
        text = json.dumps(value).encode()
    return len(text), text.count(b",") + 1


def is_wide(value: Any) -> bool:
    """Whether showing a value of a document, or writing it as text, is too much for a request."""
    size, count = weight(value)
    return size > MAX_BYTES or count > MAX_VALUES


def is_heavy(document: Any) -> bool:
    """Whether checking and storing a document is too much for a request."""
    size, count = weight(document)
    return size > MAX_KEPT_BYTES or count > MAX_KEPT_VALUES
