"""The answer that a sound row's own verifier accepts, where the row states one."""

from collections.abc import Callable, Mapping
from typing import Any

from packs.formats.answers import entry_values, letter_at
from packs.formats.benchmark_pack.header import section
from packs.formats.document import Document


def reference_answer(family: str, row: Document) -> str | None:
    """The gold answer of a row; None where it states none."""
    give = _GOLD.get(family)
    return give(section(row, "input"), section(row, "eval")) if give else None


def _choice(given: Document, expected: Document) -> str | None:
    """The letter of the first right choice; a text that is no choice as it is."""
    answer, choices = expected.get("answer"), given.get("choices")
    entry = answer[0] if isinstance(answer, list) and answer else answer
    if not isinstance(choices, list) or not all(isinstance(choice, str) for choice in choices):
        return None
    values = entry_values(entry, choices)
    letters = (letter_at(index) for index in range(len(choices)))
    return next((letter for letter in letters if letter in values), entry if isinstance(entry, str) else None)


def _first(value: Any) -> str | None:
    if not isinstance(value, list) or not value or isinstance(value[0], bool | dict | list | None):
        return None
    return str(value[0])


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) and value.strip() else None


_GOLD: Mapping[str, Callable[[Document, Document], str | None]] = {
    "multiple_choice": _choice,
    "short_answer": lambda given, expected: _first(expected.get("accepted_answers")),
    "free_response": lambda given, expected: _first(section(expected, "rubric").get("accepted_answers")),
    "code_completion": lambda given, expected: (
        _text(expected.get("reference_solution")) or _text(expected.get("canonical_solution"))
    ),
    "repo_patch": lambda given, expected: _text(expected.get("gold_patch")),
}
