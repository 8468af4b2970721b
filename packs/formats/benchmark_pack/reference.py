"""The answers that a row states: the one that its own verifier accepts, and all that agents must not read."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from packs.formats.answers import Answer, entry_values, letter_at, normal
from packs.formats.benchmark_pack.header import section
from packs.formats.document import Document
from packs.formats.findings import Path


def reference_answer(family: str, row: Document) -> str | None:
    """The gold answer of a row; None where it states none."""
    give = _GOLD.get(family)
    return give(section(row, "input"), section(row, "eval")) if give else None


def reference_files(family: str, row: Document) -> dict[str, str]:
    """The file that is the gold answer of a terminal task, path to text: its expected state, where that is a file."""
    state = section(section(row, "eval"), "expected_state") if family == "terminal_task" else {}
    path, content = state.get("path"), state.get("content")
    return {path: content} if isinstance(path, str) and isinstance(content, str) else {}


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

# Where answers stand: the way from `eval`.
_PLACES: Mapping[str, tuple[Path, ...]] = {
    "multiple_choice": (("answer",),),
    "short_answer": (("accepted_answers",),),
    "free_response": (("rubric", "accepted_answers"), ("reference_answer",)),
    "code_completion": (("reference_solution",), ("canonical_solution",)),
    "repo_patch": (("gold_patch",),),
}


def answers_of(family: str, row: Document) -> Iterator[Answer]:
    """The right answers of a row that are texts, each with its place in the row."""
    expected = row.get("eval")
    if not isinstance(expected, dict):
        return
    for place in _PLACES.get(family, ()):
        value: Any = expected
        for step in place:
            value = value.get(step) if isinstance(value, dict) else None
        at: Path = ("eval", *place)
        for index, text in enumerate(value if isinstance(value, list) else (value,)):
            if isinstance(text, str):
                path = (*at, index) if isinstance(value, list) else at
                yield Answer(path, text, family == "multiple_choice" and _is_choice(row, text))


def _is_choice(row: Document, text: str) -> bool:
    choices = section(row, "input").get("choices")
    return isinstance(choices, list) and normal(text) in {normal(str(choice)) for choice in choices}
