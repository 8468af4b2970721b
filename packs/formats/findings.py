"""Findings: trouble with content as values, and the rules that they come from.

A finding is returned and collected, never raised. The same values are shown by the command line, the forms, the
YAML lens, the API and the import preview.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from packs.formats.characters import without_halves

Step = str | int
Path = tuple[Step, ...]

MAX_FINDINGS = 1000
# How many findings of each kind are listed before others of a kind are.
FIRST_OF_KIND = 3


class Severity(StrEnum):
    """How much a finding matters: an error refuses publishing, a warning and a note do not."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


def render_path(path: Path) -> str:
    """Write a path as formats do: `input_sets[0].cases[1].key`."""
    text = ""
    for step in path:
        if isinstance(step, int):
            text += f"[{step}]"
        else:
            text += f".{step}" if text else step
    return text


def to_pointer(path: Path) -> str:
    """Write a path as a JSON Pointer (RFC 6901): `/input_sets/0/cases/1/key`."""
    return "".join("/" + str(step).replace("~", "~0").replace("/", "~1") for step in path)


def from_pointer(pointer: str) -> tuple[str, ...]:
    """Split a JSON Pointer into its steps; list indices stay texts.

    Raises ValueError when the pointer is neither empty nor starts with a slash.
    """
    if not pointer:
        return ()
    if not pointer.startswith("/"):
        raise ValueError(f"not a JSON Pointer: {pointer!r}")
    return tuple(step.replace("~1", "/").replace("~0", "~") for step in pointer[1:].split("/"))


def index_of(step: str) -> int | None:
    """The place in a list that a step spells; None for other steps, and for numbers that no list reaches."""
    return int(step) if step.isascii() and step.isdecimal() and len(step) < 10 else None


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing wrong or doubtful in content.

    `path` leads from the root of the checked document to the value; `field` is the format's own spelling of it where
    that differs from `render_path(path)`; `rule` is what the format's specification calls the rule. `line` and `column`
    count from 1 and are 0 while unknown; `file` is empty while unknown.
    """

    code: str
    severity: Severity
    path: Path
    message: str
    hint: str = ""
    rule: str = ""
    field: str = ""
    file: str = ""
    line: int = 0
    column: int = 0

    @property
    def is_error(self) -> bool:
        return self.severity is Severity.ERROR

    @property
    def field_path(self) -> str:
        """The format's own spelling of the path."""
        return self.field or render_path(self.path)

    def below(self, prefix: Path) -> "Finding":
        """The same finding seen from further up: `prefix` leads to the document in which it was found."""
        field = f"{render_path(prefix)}.{self.field}" if self.field and prefix else self.field
        return replace(self, path=prefix + self.path, field=field)

    def as_dict(self) -> dict[str, Any]:
        """The JSON shape that the command line and the API share."""
        return {
            "file": self.file,
            "line": self.line or None,
            "column": self.column or None,
            "severity": self.severity.value,
            "code": self.code,
            "rule": self.rule,
            "path": without_halves(self.field_path),
            "message": without_halves(self.message),
            "hint": without_halves(self.hint),
        }


@dataclass(frozen=True, slots=True)
class Rule:
    """A declared rule: a stable code, its words with `{placeholders}`, and the specification's id for it.

    Codes are public: `<format>.E101` for errors, `W` for warnings, `N` for notes; never used again for another rule.
    """

    code: str
    message: str
    hint: str = ""
    rule: str = ""

    @property
    def severity(self) -> Severity:
        letter = self.code.rpartition(".")[2][:1]
        return {"E": Severity.ERROR, "W": Severity.WARNING, "N": Severity.NOTE}[letter]

    def at(self, path: Path, *, field: str = "", **values: Any) -> Finding:
        """The finding of this rule at a place; `values` fill the placeholders of message and hint."""
        return Finding(
            code=self.code,
            severity=self.severity,
            path=path,
            message=self.message.format(**values),
            hint=self.hint.format(**values),
            rule=self.rule,
            field=field,
        )


def rules(format: str, stated: Mapping[str, tuple[str, str, str]]) -> dict[str, Rule]:  # noqa: A002
    """Rules of a format by their codes, each with what is wrong, what to do, and what the specification calls it."""
    return {code: Rule(f"{format}.{code}", *words) for code, words in stated.items()}


TOO_MANY = Rule(
    "pack.W001",
    "Only the first {limit} findings are listed; there are more.",
    hint="Fix some of these and check again.",
)


@dataclass(frozen=True, slots=True)
class Kind:
    """All findings of one code: how many there are, and what the first of them says."""

    code: str
    severity: Severity
    count: int
    message: str


def kinds_of(findings: Iterable[Finding]) -> list[Kind]:
    """The kinds of findings, errors first, the most frequent first."""
    first: dict[str, Finding] = {}
    totals: Counter[str] = Counter()
    for finding in findings:
        first.setdefault(finding.code, finding)
        totals[finding.code] += 1
    kinds = [Kind(code, each.severity, totals[code], each.message) for code, each in first.items()]
    order = list(Severity)
    return sorted(kinds, key=lambda kind: (order.index(kind.severity), -kind.count, kind.code))


def foremost(findings: Sequence[Finding], limit: int = MAX_FINDINGS) -> list[Finding]:
    """At most `limit` findings in their order: the first of each kind, then errors before all others."""
    if len(findings) <= limit:
        return list(findings)
    seen: Counter[str] = Counter()
    ranks = []
    for finding in findings:
        ranks.append((seen[finding.code] >= FIRST_OF_KIND, not finding.is_error))
        seen[finding.code] += 1
    chosen = sorted(range(len(findings)), key=ranks.__getitem__)[:limit]
    return [findings[at] for at in sorted(chosen)]


def apart_from(broken: Set[Path], findings: Iterable[Finding]) -> Iterator[Finding]:
    """The findings that are neither at nor below one of these places: they would only repeat what is said there."""
    for finding in findings:
        if broken and any(finding.path[:depth] in broken for depth in range(len(finding.path) + 1)):
            continue
        yield finding


def has_errors(findings: Iterable[Finding]) -> bool:
    return any(finding.is_error for finding in findings)
