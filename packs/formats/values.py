"""Parts of a document by the kind that is expected of them, whatever stands there."""

from typing import Any, TypeGuard


def mapping(value: Any) -> dict[str, Any]:
    """The value where it is a mapping, an empty one otherwise."""
    return value if isinstance(value, dict) else {}


def listing(value: Any) -> list[Any]:
    """The value where it is a list, an empty one otherwise."""
    return value if isinstance(value, list) else []


def is_number(value: Any) -> TypeGuard[int | float]:
    """Whether a JSON value is a number; true and false are none."""
    return isinstance(value, int | float) and not isinstance(value, bool)
