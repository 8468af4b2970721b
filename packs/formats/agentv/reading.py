"""Reading one file of a pack: YAML by the format's rules (agentv A.2), JSON Lines, and what they say in its numbers."""

from dataclasses import replace
from typing import Any, TypeGuard

from packs.formats import jsonio, yamlio
from packs.formats.findings import Finding, Rule

DIALECT = replace(yamlio.CORE_12, name="agentv", text_keys=True)

BAD_ROW = Rule(
    "agentv.E011",
    "Line {line} of {name} is not a JSON object: {reason}",
    hint="Write one test in each line, as in {{'id': 'a', 'input': 'Hi', 'criteria': 'Greets'}} with double quotes.",
    rule="S11",
)


def read_yaml(data: bytes | str, file: str = "") -> tuple[Any, list[Finding]]:
    """The value of a YAML file and what is wrong with it; the value is None where the file has an error."""
    value, findings = yamlio.read(data, file=file, dialect=DIALECT)
    findings = [replace(found, rule="S01", path=()) if found.is_error else found for found in findings]
    return (None if any(found.is_error for found in findings) else value), findings


def read_rows(data: bytes, file: str) -> tuple[list[tuple[int, dict[str, Any]]], list[Finding]]:
    """The objects of a JSON Lines file with their lines, and a finding for every line that is none."""
    rows, findings = [], list[Finding]()
    for row in jsonio.read_lines(data.splitlines(keepends=True), file=file):
        if isinstance(row.value, dict) and not any(found.is_error for found in row.findings):
            rows.append((row.line, row.value))
            findings += row.findings
        else:
            errors = [found.message for found in row.findings if found.is_error]
            reason = next(iter(errors), "it holds a list or a single value.")
            reported = BAD_ROW.at(("tests",), line=row.line, name=file, reason=reason)
            findings.append(replace(reported, file=file, line=row.line, column=1, field="tests"))
    return rows, findings


def is_nothing(value: Any) -> bool:
    """Whether AgentV takes a value for none at all, as JavaScript does: empty lists and mappings are something."""
    return value is None or (isinstance(value, str | int | float) and not value)


def is_text(value: Any) -> TypeGuard[str]:
    """Whether a value is a text that says something."""
    return isinstance(value, str) and bool(value.strip())
