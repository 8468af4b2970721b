"""A failed trial, as a format sees it that makes a case of it: nothing of it knows who ran the trial, or how."""

import re
from dataclasses import dataclass, field

from packs.formats.document import Document

# What a failed trial can show, by the words in `Failure.signs`.
LOOP, RETRY, OVER_BUDGET, UNSAFE, BROKE_OFF = "loop", "retry", "over_budget", "unsafe", "broke_off"


@dataclass(frozen=True, slots=True)
class Failure:
    """What went wrong in one trial.

    `provenance` are sealed facts (`packs.formats.provenance`); `trace` is the trial up to the step that was pointed at,
    in the shape of task-suite 8.1. `request` is what the agent was asked, `expected` and `forbidden` what should have
    happened and what must not happen again, one line each. `case` is the document of the case that was tried, in the
    format `format`, where the author changed nothing about what is asked and expected. `day` is a date (2026-01-31).
    """

    facts: Document
    title: str = ""
    key: str = ""
    request: str = ""
    expected: tuple[str, ...] = ()
    forbidden: tuple[str, ...] = ()
    output: str = ""
    reference: str | None = None
    format: str = ""
    challenge_key: str = ""
    case_key: str = ""
    case: Document | None = None
    trace: Document = field(default_factory=dict)
    signs: frozenset[str] = frozenset()
    day: str = ""

    @property
    def trace_ref(self) -> str:
        """The name of the trace that everything rests on."""
        return str(self.facts.get("trace", ""))

    def replay(self, number: int) -> str:
        """The key of a case that this failure becomes, with its number."""
        return f"{slug_of(self.case_key or self.title)}-replay-{number}"

    def case_in(self, format_name: str) -> Document | None:
        """The document of the case that was tried, for a format that can read it."""
        return self.case if self.format == format_name else None


def slug_of(text: str, length: int = 48) -> str:
    """A text as part of a key: small letters, digits and hyphens."""
    found = re.sub(r"[^a-z0-9]+", "-", text.casefold()).strip("-")[:length].strip("-")
    return found or "case"
