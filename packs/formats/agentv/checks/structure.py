"""Structure (agentv I): values that the schema refuses and that AgentV takes without a word, or leaves out."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from packs.formats.agentv.kinds import kind_of
from packs.formats.agentv.schema import SCHEMA
from packs.formats.agentv.schema.assertions import COMMON, TAIL
from packs.formats.document import Document, NodeKind
from packs.formats.findings import Finding, Path, Rule
from packs.formats.structure import Structure

_SILENT = "AgentV does not report this"
WRONG_TYPE = Rule(
    "agentv.W321",
    "{name} must be {expected}; this is {found}.",
    hint="Give {expected} here. " + _SILENT + "; it leaves the value out, or reads it as something else.",
)
NOT_LISTED = Rule(
    "agentv.W322",
    "{name} does not take {found}.",
    hint="Use one of: {known}. " + _SILENT + ".",
)
OUT_OF_RANGE = Rule(
    "agentv.W323",
    "{name} must be {expected}; this is {found}.",
    hint="Change the value. " + _SILENT + ".",
)
MISSING = Rule("agentv.W324", "{name} is missing.", hint="Add {name}. " + _SILENT + ".")

# What an assertion of a program states; everything else in it is handed to the program as it stands (F.7).
_OF_PROGRAMS = frozenset({*COMMON, *TAIL, "command", "cwd", "target", "preprocessors"})

STRUCTURES: Mapping[NodeKind, Structure] = {
    kind: Structure(
        schema,
        {"type": WRONG_TYPE, "enum": NOT_LISTED, "limit": OUT_OF_RANGE, "required": MISSING},
    )
    for kind, schema in SCHEMA.items()
}

_CODES = frozenset(rule.code for rule in (WRONG_TYPE, NOT_LISTED, OUT_OF_RANGE, MISSING))


def with_structure(kind: NodeKind, document: Document, findings: Iterable[Finding]) -> Iterator[Finding]:
    """The findings of other rules about a document, and what the schema refuses besides."""
    for finding in STRUCTURES[kind].beside(document, findings):
        if finding.code not in _CODES or not _is_of_a_program(document, finding.path):
            yield finding


def _is_of_a_program(document: Document, path: Path) -> bool:
    """Whether a value is configuration that only a program of the pack reads."""
    value: Any = document
    for step in path:
        if isinstance(value, dict) and kind_of(value) == "code-grader" and step not in _OF_PROGRAMS:
            return True
        value = value.get(step) if isinstance(value, dict) else value[int(step)] if isinstance(value, list) else None
    return False
