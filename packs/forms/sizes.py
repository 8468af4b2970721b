"""How much of a value a form draws with fields; what is larger is edited as JSON text, or not in a form at all."""

from typing import Any

from packs.formats.costs import MAX_VALUES, is_wide
from packs.formats.findings import to_pointer

# Values and depth of free data, and values of data that a schema describes: a page stays quick to draw up to these.
MAX_FREE = (150, 6)
MAX_KNOWN = (2500, 24)


def is_larger(value: Any, limit: tuple[int, int]) -> bool:
    """Whether a value holds more values, or is nested deeper, than a limit of (values, depth)."""
    count, depth = limit
    level: list[Any] = [value]
    while level:
        count -= len(level)
        depth -= 1
        if count < 0 or depth < 0:
            return True
        level = [item for found in level for item in _below(found)]
    return False


def _below(value: Any) -> list[Any]:
    if isinstance(value, dict):
        return list(value.values())
    return value if isinstance(value, list) else []


def too_wide(value: Any, pointer: str = "", depth: int = MAX_FREE[1]) -> frozenset[str]:
    """The parts of a value that have to stay out of a form so that the rest is not too much for a page.

    They are the smallest that do, of at most `depth` levels of mappings; lists stay out whole.
    """
    if not is_wide(value):
        return frozenset()
    if not isinstance(value, dict) or not depth or len(value) > MAX_VALUES:
        return frozenset({pointer})
    found = {key: too_wide(part, pointer + to_pointer((key,)), depth - 1) for key, part in value.items()}
    if is_wide([part for key, part in value.items() if not found[key]]):
        return frozenset({pointer})
    return frozenset().union(*found.values())
