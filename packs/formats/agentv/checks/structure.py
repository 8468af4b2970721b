"""Structure (agentv I): what AgentV's checks refuse, and what the schema asks for besides."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from packs.formats.agentv.kinds import kind_of
from packs.formats.agentv.rules import (
    ADVISED,
    BAD_INPUT,
    BAD_OPTION,
    IGNORED_SETTING,
    MISSING,
    NO_INPUT,
    NO_TURNS,
    NOT_LISTED,
    OUT_OF_RANGE,
    REFUSED,
    SLIP,
    UNKNOWN_SETTING,
    UNKNOWN_SUITE_KEY,
    UNKNOWN_TEST_KEY,
    WRONG_TYPE,
)
from packs.formats.agentv.schema import SCHEMA
from packs.formats.agentv.schema.assertions import COMMON, TAIL
from packs.formats.document import Document, NodeKind
from packs.formats.findings import Finding, Path
from packs.formats.structure import Structure

# Where a field that AgentV does not know may belong.
_ELSEWHERE = {
    UNKNOWN_SUITE_KEY.code: "Put it into `metadata`, which results get.",
    UNKNOWN_TEST_KEY.code: "Move it into `metadata`, which scripts and results get.",
    UNKNOWN_SETTING.code: "Check its spelling.",
}
# What an assertion of a program states; everything else in it is handed to the program as it stands (F.7).
_OF_PROGRAMS = frozenset({*COMMON, *TAIL, "command", "cwd", "target", "preprocessors"})

STRUCTURES: Mapping[NodeKind, Structure] = {
    kind: Structure(schema, ADVISED, elsewhere=_ELSEWHERE) for kind, schema in SCHEMA.items()
}
_REFUSALS: Mapping[NodeKind, Structure] = {kind: Structure(schema, REFUSED, REFUSED) for kind, schema in SCHEMA.items()}
_GENERAL = frozenset(
    rule.code for rule in (WRONG_TYPE, NOT_LISTED, OUT_OF_RANGE, MISSING, SLIP, BAD_OPTION, IGNORED_SETTING)
)


def refused(kind: NodeKind, document: Document) -> Iterator[Finding]:
    """What AgentV's checks refuse of a document's structure, at the places that they name."""
    if STRUCTURES[kind].check.is_valid(document):
        return
    for finding in _REFUSALS[kind].examine(document):
        if finding.code == NO_TURNS.code:
            yield replace(finding, path=("mode",))
        elif finding.code == BAD_INPUT.code and document["input"] is None:
            yield NO_INPUT.at(finding.path)
        else:
            yield finding


def with_structure(kind: NodeKind, document: Document, findings: Iterable[Finding]) -> Iterator[Finding]:
    """The findings of other rules about a document, and what the schema says besides: of values where these say
    nothing yet, and of every key that AgentV does not know."""
    others = list(findings)
    yield from others
    reported = {finding.path for finding in others}
    for finding in STRUCTURES[kind].examine(document):
        if finding.code not in _GENERAL or not (finding.path in reported or _is_of_a_program(document, finding.path)):
            yield finding


def _is_of_a_program(document: Document, path: Path) -> bool:
    """Whether a value is configuration that only a program of the pack reads."""
    value: Any = document
    for step in path:
        if isinstance(value, dict) and kind_of(value) == "code-grader" and step not in _OF_PROGRAMS:
            return True
        value = value.get(step) if isinstance(value, dict) else value[int(step)] if isinstance(value, list) else None
    return False
