"""What an agent is told: a sentence about its family, then the public fields of the row in readable form."""

from collections.abc import Mapping
from typing import Any

import orjson

from packs.formats.answers import letter_at
from packs.formats.document import Document

_ROLE = "You are taking part in an evaluation. Nobody answers questions."
_TOLD: Mapping[str, str] = {
    "multiple_choice": "Choose an answer, and end with a line that holds nothing but its letter.",
    "short_answer": "Answer the question, and end with a line that holds nothing but the answer.",
    "free_response": "Answer in a few words of your own.",
    "code_completion": "Reply with the whole program and nothing else: no explanation and no code fences.",
    "repo_patch": "Fix the repository in your working directory, or reply with a patch as `git diff` writes it.",
    "terminal_task": "Do the task in your working directory; what counts is the state that you leave there.",
}
_WORKING = "Work on the task below; `task.json` in your working directory says the same."


def prompt_of(family: str, payload: Document) -> str:
    """The prompt of a row; it holds public values only."""
    return f"{_ROLE} {_TOLD.get(family, _WORKING)}\n\n{question_of(payload)}".rstrip()


def question_of(payload: Document) -> str:
    """The public fields of a row, as a prompt states them."""
    parts = (f"{name.replace('_', ' ').capitalize()}:\n{_readable(name, value)}" for name, value in payload.items())
    return "\n\n".join(parts)


def _readable(name: str, value: Any) -> str:
    if isinstance(value, str):
        return value
    if name == "choices" and isinstance(value, list) and len(value) <= 26:
        return "\n".join(f"{letter_at(index)}. {choice}" for index, choice in enumerate(value))
    return orjson.dumps(value, option=orjson.OPT_INDENT_2).decode()
