"""Which rows of a comparison are shown, and in which order."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from runs.statistics.comparing.rows import WEIGHTS, Change, ComparedCase

# Keys of sorting; a minus sign before one turns the order round.
ORDERS: Mapping[str, Callable[[ComparedCase], Any]] = {
    "state": lambda row: WEIGHTS[row.state],
    "key": lambda row: row.name,
    "delta": lambda row: row.delta or 0.0,
}
DEFAULT_ORDER = "state"


def holding(rows: Sequence[ComparedCase], text: str) -> list[ComparedCase]:
    """The rows whose case or challenge holds every word of a text."""
    words = text.lower().split()[:8]
    return [row for row in rows if all(word in f"{row.key} {row.challenge}".lower() for word in words)]


def counts_of(rows: Sequence[ComparedCase]) -> dict[Change, int]:
    """How many rows each filter finds, the weightiest change first; a row may be found by several."""
    counts = Counter(kind for row in rows for kind in row.kinds)
    return {change: counts[change] for change in Change if counts[change]}


def chosen(rows: Sequence[ComparedCase], kind: str) -> list[ComparedCase]:
    """The rows of one kind of change; all for no kind."""
    return [row for row in rows if kind in row.kinds] if kind else list(rows)


def ordered(rows: Sequence[ComparedCase], order: str) -> list[ComparedCase]:
    """Rows by a key of ORDERS; those that have no delta come last. What is equal keeps its order."""
    name = order.removeprefix("-")
    if name not in ORDERS:
        name = order = DEFAULT_ORDER
    found = sorted(rows, key=ORDERS[name], reverse=order.startswith("-"))
    return sorted(found, key=lambda row: row.delta is None) if name == "delta" else found
