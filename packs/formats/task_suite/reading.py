"""Reading one YAML file of a pack within the format's limits (task-suite 2.1)."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from packs.formats import yamlio
from packs.formats.findings import Finding, Rule
from packs.formats.yamlio.dialects import resolve_core

MAX_BYTES = 1024 * 1024
MAX_DEPTH = 64
MAX_NODES = 10_000

DIALECT = yamlio.Dialect("task_suite", resolve_core, one_document=True, text_keys=False, tell_anchors=True)

NOT_A_MAPPING = Rule(
    "task_suite.E003",
    "A file is a mapping of fields; this one holds {found}.",
    hint="Write one field in each line, as in `task_id: my-task_1`.",
    rule="TS-003",
)
TOO_LARGE = Rule(
    "task_suite.E007",
    "The file is larger than the format allows: {what}.",
    hint="Move long material to a file below evals/_shared and name it here.",
    rule="TS-007",
)
EXPANDED = Rule(
    "task_suite.W008",
    "Anchors, aliases and merge keys are replaced by their values when the file is written again.",
    hint="Write the values out where they are used.",
    rule="TS-008",
)

# What the reader of YAML says, in the numbers of the format; the rest is TS-001.
_RULES = {
    "yaml.E002": "TS-004",
    "yaml.E005": "TS-007",
    "yaml.E006": "TS-007",
    "yaml.E007": "TS-007",
    "yaml.E008": "TS-007",
    "yaml.E009": "TS-007",
    "yaml.E012": "TS-005",
    "yaml.E013": "TS-005",
    "yaml.E014": "TS-006",
    "yaml.E015": "TS-009",
    "yaml.E016": "TS-002",
}
_ABOUT_THE_FILE = frozenset({"TS-001", "TS-002", "TS-003", "TS-007", "TS-008"})
_ANCHOR, _TEXT_KEY = "yaml.W004", "yaml.E013"


def read_mapping(data: bytes | str, file: str = "") -> tuple[dict[str, Any] | None, list[Finding]]:
    """The mapping that a file holds and what is wrong with its form; None where the form has an error.

    Findings have the path inside the file, its name, and line and column. Never raises.
    """
    if trouble := bytes_trouble(len(data)):
        return None, [_first(TOO_LARGE.at((), what=trouble), file)]
    value, found = yamlio.read(data, file=file, dialect=DIALECT)
    findings = list(_named(found, file))
    if any(finding.is_error for finding in findings):
        return None, findings
    trouble = size_trouble(value)
    if trouble:
        return None, [*findings, _first(TOO_LARGE.at((), what=trouble), file)]
    if not isinstance(value, dict):
        return None, [*findings, _first(NOT_A_MAPPING.at((), found=_said(value)), file)]
    return value, findings


def _named(found: list[Finding], file: str) -> Iterator[Finding]:
    """The reader's findings with the format's numbers; all anchors together are one warning."""
    expanded = next((finding for finding in found if finding.code == _ANCHOR), None)
    if expanded is not None:
        yield replace(EXPANDED.at(()), file=file, line=expanded.line, column=expanded.column)
    for finding in found:
        if finding.code == _ANCHOR:
            continue
        rule = _RULES.get(finding.code, "TS-001") if finding.is_error else ""
        path = () if rule in _ABOUT_THE_FILE else finding.path
        yield replace(finding, rule=rule or finding.rule, path=path)


def _first(finding: Finding, file: str) -> Finding:
    return replace(finding, file=file, line=1, column=1)


def bytes_trouble(size: int) -> str:
    """Why a file of so many bytes is too large; empty when it is not."""
    return f"{size} bytes, {MAX_BYTES} at most" if size > MAX_BYTES else ""


def size_trouble(value: Any) -> str:
    """Why a value is too deep or too large once its aliases are written out; empty when it is not."""
    level, depth, nodes = [value], 0, 1
    while level := [item for item in level if isinstance(item, dict | list)]:
        depth += 1
        nodes += sum(len(item) for item in level)
        if depth > MAX_DEPTH:
            return f"values are nested more than {MAX_DEPTH} levels deep"
        if nodes > MAX_NODES:
            return f"it holds more than {MAX_NODES} values"
        level = [child for item in level for child in (item.values() if isinstance(item, dict) else item)]
    return ""


def _said(value: Any) -> str:
    if value is None or value == "":
        return "nothing"
    return "a list" if isinstance(value, list) else "a single value"
