"""Questions about single values, and the two rules that most fields can break (benchmark-pack 6.2)."""

from math import isfinite
from typing import Any, TypeGuard

from packs.formats.findings import Rule

UNKNOWN_FIELD = Rule(
    "benchmark_pack.E201",
    "{name} has fields that this family does not know: {keys}.",
    hint="{advice}",
    rule="ConfigError",
)
WRONG_VALUE = Rule(
    "benchmark_pack.E203", "{name} must be {expected}.", hint="Give {expected} here.", rule="ConfigError"
)


def is_text(value: Any) -> TypeGuard[str]:
    """Whether a value is a text that says something."""
    return type(value) is str and not value.isspace() and value != ""


def is_texts(value: Any) -> TypeGuard[list[str]]:
    """Whether a value is a list of texts that say something, at least one."""
    return type(value) is list and bool(value) and all(map(is_text, value))


def is_number(value: Any) -> TypeGuard[float]:
    """Whether a value is a finite number; true and false are none."""
    return type(value) is int or (type(value) is float and isfinite(value))


def is_words_or_number(value: Any) -> bool:
    return is_text(value) or is_number(value)


def is_amount(value: Any) -> bool:
    return is_number(value) and value >= 0


def is_command(value: Any) -> bool:
    """Whether a value is a shell line or an argument list."""
    return is_text(value) or is_texts(value)
