"""What a kind of grader states of itself, and the words in which its settings are written."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from packs.formats.findings import Finding, Path
from packs.formats.schema.kinds import Purpose, kind
from packs.formats.schema.pieces import Schema, share, strict, yes_no

Settings = Mapping[str, Any]

IGNORE_CASE = yes_no("Ignore case", default=False)
SHARED_WORDS = "Shared words are counted, not what they say; add a check of the facts."
TIDY_BLANKS = yes_no("Tidy blanks", "Remove outer blanks and make inner runs one.", default=False)


class Target(StrEnum):
    """What a kind looks at: any evidence, a captured file, or the tool calls."""

    EVIDENCE = "evidence"
    FILE = "file"
    TOOL_CALLS = "tool_calls"


class Expected(StrEnum):
    """Whether a kind compares with an expected text."""

    NEEDED = "needed"
    IGNORED = "ignored"
    REFUSED = "refused"


class Syntax(StrEnum):
    """What an expected text must be."""

    PATTERN = "pattern"
    SCHEMA = "schema"
    PATH = "path"
    ANY = ""


class Gold(StrEnum):
    """What the expected text says of the right answer: all of it, the first of several, or nothing for certain."""

    WHOLE = "whole"
    FIRST = "first"
    NONE = ""


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of grader that a challenge pack can name (challenge-pack d.3).

    `says` is a sentence about what passes, `example` shows it. `settings` is the schema of its configuration, None
    where it has none. `rule` is what the specification calls the rule about it; without one a configuration is not
    checked before a run. `check` reports, for settings of the right types, what no schema can say; those of `own` are
    left to it but for their types. With `needs_settings` a configuration must be there. `weakness` tells authors of
    proofs what the kind cannot refuse by its definition, and what is tighter; empty where it can be tight. `evidence`
    names the shape of what a scorecard shows.
    """

    label: str
    purpose: Purpose
    says: str
    example: str
    settings: Schema | None = None
    rule: str = ""
    check: Callable[[Settings, Path], Iterable[Finding]] = lambda settings, path: ()
    own: frozenset[str] = frozenset()
    needs_settings: bool = False
    target: Target = Target.EVIDENCE
    expected: Expected = Expected.NEEDED
    syntax: Syntax = Syntax.ANY
    gold: Gold = Gold.NONE
    weakness: str = ""
    evidence: str = "text_compare"

    @property
    def offer(self) -> Schema:
        """The kind in the gallery of checks: a validator of it needs no more than is opened for it."""
        is_configured = self.needs_settings or bool(self.settings and self.settings.get("required"))
        needed = {
            "target": self.target is Target.FILE,
            "expected_from": self.expected is Expected.NEEDED,
            "config": is_configured,
        }
        target = {Target.EVIDENCE: "final_output", Target.TOOL_CALLS: "tool_calls"}.get(self.target)
        return kind(
            self.label,
            self.purpose,
            self.says,
            self.example,
            fields=["config"] if self.settings else [],
            needs=[name for name, is_needed in needed.items() if is_needed],
            start={"target": target, "config": {} if is_configured else None},
        )

    @property
    def properties(self) -> dict[str, Schema]:
        """The settings by name."""
        return self.settings["properties"] if self.settings else {}


def settings(properties: Mapping[str, Schema], **more: Any) -> Schema:
    """The schema of a configuration."""
    return strict("Configuration", properties, **more)


def threshold(default: float) -> Schema:
    return share("Threshold", "Least score that passes.", default=default)
