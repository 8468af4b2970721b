"""How much of a value a form draws with fields; what is larger is edited as JSON text."""

from typing import Any

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
