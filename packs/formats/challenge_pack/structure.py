"""Structure: what the schemas refuse, and keys that nobody reads (challenge-pack D2, D3, D4, D6)."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from packs.formats.advice import did_you_mean
from packs.formats.challenge_pack.rules import RULES
from packs.formats.challenge_pack.schema import SCHEMA
from packs.formats.document import Document, NodeKind
from packs.formats.findings import Finding, Path, Rule, apart_from
from packs.formats.structure import Structure, described

NOT_NODES = Rule(
    "challenge_pack.E010",
    "{name} must be a list of mappings; {found}.",
    hint="Begin every entry with a dash and its key.",
    rule="D2",
)
OWN_KEY = Rule("challenge_pack.N001", "The key {name!r} is kept as your own; nothing reads it.", rule="D6")

# Where the documents of other nodes would stand; what is left there is no list of mappings.
NODE_LISTS: Mapping[NodeKind, tuple[Path, ...]] = {
    NodeKind.PACK: (("challenges",), ("input_sets",), ("version", "assets")),
    NodeKind.INPUT_SET: (("cases",), ("items",)),
}
TOP_KEYS = (*SCHEMA[NodeKind.PACK]["properties"], "challenges", "input_sets")

STRUCTURES: Mapping[NodeKind, Structure] = {
    kind: Structure(schema, {**RULES, "type": RULES["E003"], "missing": RULES["W006"], "own_key": OWN_KEY})
    for kind, schema in SCHEMA.items()
}
# The rules about types and shapes: what stands below such a value says nothing.
_BROKEN = frozenset(RULES[code].code for code in ("E003", "E007", "E411", "E412"))
_UNKNOWN = frozenset(RULES[code].code for code in ("E006", "W005"))


def is_sound(kind: NodeKind, document: Document) -> bool:
    """Whether the schema refuses nothing in a document, and every key is known."""
    return STRUCTURES[kind].check.is_valid(document)


def examine(kind: NodeKind, document: Document) -> Iterator[Finding]:
    """The structure findings of one node; paths start at its document."""
    reserved = NODE_LISTS.get(kind, ())
    for path in reserved:
        yield from _misplaced(document, path)
    found = list(STRUCTURES[kind].examine(document, reserved))
    broken = {finding.path for finding in found if finding.code in _BROKEN}
    for finding in found:
        if not any(finding.path[:depth] in broken for depth in range(len(finding.path))):
            yield _about_key(kind, finding) if finding.code in _UNKNOWN else _at_its_place(finding)


def beside(structure: Iterable[Finding], findings: Iterable[Finding]) -> Iterator[Finding]:
    """The structure findings of a document, then those of other rules where these say nothing yet."""
    found = list(structure)
    yield from found
    reported = {finding.path for finding in found if finding.is_error}
    broken = {finding.path for finding in found if finding.code in _BROKEN}
    yield from (each for each in apart_from(broken, findings) if not (each.is_error and each.path in reported))


def is_broken(kind: NodeKind, document: Document) -> bool:
    """Whether values of a document have other types than their fields."""
    return any(finding.code in _BROKEN for finding in examine(kind, document))


def _misplaced(document: Document, path: Path) -> Iterator[Finding]:
    value: Any = document
    for step in path:
        if not isinstance(value, dict) or step not in value:
            return
        value = value[step]
    found = f"it is {described(value)}"
    if isinstance(value, list):
        wrong = [f"entry {i + 1} is {described(item)}" for i, item in enumerate(value) if not isinstance(item, dict)]
        found = wrong[0] if wrong else "they belong to nodes of their own"
    yield NOT_NODES.at(path, name=path[-1], found=found)


def _about_key(kind: NodeKind, finding: Finding) -> Finding:
    """An unknown key, which may be one of the top level of the file."""
    key, path = str(finding.path[-1]), finding.path
    if kind is NodeKind.PACK and len(path) == 1:
        return replace(finding, hint=did_you_mean(key, TOP_KEYS, finding.hint))
    if key in TOP_KEYS:
        return replace(finding, hint=f"Move {key} to the top level of the file, beside pack and version.")
    return finding


def _at_its_place(finding: Finding) -> Finding:
    """A finding where the format reports it: of a dimension that is a text, at the field that it does not have."""
    if finding.code == RULES["E804"].code and isinstance(finding.path[-1], int):
        return replace(finding, path=(*finding.path, "source"))
    if finding.code == RULES["E821"].code:
        return replace(finding, path=(*finding.path[:-1], "strategy"))
    return finding
