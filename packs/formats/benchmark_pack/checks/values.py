"""Questions about single values, and the two rules that most fields can break (benchmark-pack 6.2)."""

from typing import Any

from packs.formats.findings import Rule
from packs.formats.values import is_finite, is_text

UNKNOWN_FIELD = Rule(
    "benchmark_pack.E201",
    "{name} has fields that this family does not know: {keys}.",
    hint="{advice}",
    rule="ConfigError",
)
WRONG_VALUE = Rule(
    "benchmark_pack.E203", "{name} must be {expected}.", hint="Give {expected} here.", rule="ConfigError"
)


def is_words_or_number(value: Any) -> bool:
    return is_text(value) or is_finite(value)


def is_amount(value: Any) -> bool:
    return is_finite(value) and value >= 0
