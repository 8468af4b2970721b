"""Parts of a document by the kind that is expected of them, whatever stands there."""

from collections.abc import Mapping
from math import isfinite
from typing import Any, TypeGuard

# The largest whole number that a float holds exactly; more counts nothing.
LARGEST_WHOLE = 2**53


def mapping(value: Any) -> dict[str, Any]:
    """The value where it is a mapping, an empty one otherwise."""
    return value if isinstance(value, dict) else {}


def listing(value: Any) -> list[Any]:
    """The value where it is a list, an empty one otherwise."""
    return value if isinstance(value, list) else []


def exact_text(document: Mapping[str, Any], key: str) -> str:
    """The text of a field as it is written; empty if it is absent or no text."""
    value = document.get(key)
    return value if isinstance(value, str) else ""


def trimmed(value: Any) -> str:
    """A text without surrounding white space; empty for anything that is not text."""
    return value.strip() if isinstance(value, str) else ""


def words_in(value: Any) -> tuple[str, ...]:
    """The texts of a value that is one text, or a list or mapping of texts; blank ones are left out."""
    listed = [value] if isinstance(value, str) else value if isinstance(value, list | dict) else ()
    return tuple(dict.fromkeys(word for each in listed if (word := trimmed(each))))


def labels_in(metadata: Mapping[str, Any]) -> dict[str, tuple[str, ...]]:
    """The tags and the difficulty that free metadata states by these names, as `Adapter.labels` gives them."""
    tags = metadata.get("tags", metadata.get("tag"))
    return {"tag": words_in(tags), "difficulty": words_in(metadata.get("difficulty"))}


def is_number(value: Any) -> TypeGuard[int | float]:
    """Whether a JSON value is a number; true and false are none."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def is_finite(value: Any) -> TypeGuard[float]:
    """Whether a value is a finite number; true and false are none."""
    return type(value) is int or (type(value) is float and isfinite(value))


def is_whole(value: Any, least: int = 1) -> TypeGuard[float]:
    """Whether a JSON value is a whole number of at least `least` that counts something; 3.0 is one, true is none."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    return least <= value <= LARGEST_WHOLE and float(value).is_integer()


def is_text(value: Any) -> TypeGuard[str]:
    """Whether a value is a text that says something."""
    return type(value) is str and not value.isspace() and value != ""


def is_texts(value: Any) -> TypeGuard[list[str]]:
    """Whether a value is a list of texts that say something, at least one."""
    return type(value) is list and bool(value) and all(map(is_text, value))
