"""The YAML lens: one node's document as text that the author edits."""

from collections.abc import Iterable
from dataclasses import replace

from packs.formats import yamlio
from packs.formats.challenge_pack.reader import read_node
from packs.formats.challenge_pack.structure import NODE_LISTS
from packs.formats.document import Document, NodeKind
from packs.formats.findings import Finding, Rule
from packs.formats.structure import described

NOT_A_DOCUMENT = Rule(
    "challenge_pack.E011",
    "A document is a mapping of fields; this is {found}.",
    hint="Write one field in each line, as in `key: value`.",
    rule="D2",
)
NODES_INSIDE = Rule(
    "challenge_pack.E012",
    "{name} cannot be edited here: the entries are documents of their own.",
    hint="Take the list out of this text and edit its entries one by one.",
)


def load_node(kind: NodeKind, text: str) -> tuple[Document | None, list[Finding]]:
    """Read one node's document from lens text; see `Adapter.load_node`."""
    value, findings = read_node(kind, text)
    if not isinstance(value, dict):
        if not any(finding.is_error for finding in findings):
            trouble = NOT_A_DOCUMENT.at((), found=described(value))
            findings = [*findings, replace(trouble, line=1, column=1)]
        return None, findings
    inside = [NODES_INSIDE.at(path, name=path[-1]) for path in NODE_LISTS.get(kind, ()) if _holds(value, path)]
    return (None if inside else value), findings + yamlio.place_in(text, "", inside)


def _holds(value: object, path: Iterable[str | int]) -> bool:
    for step in path:
        if not isinstance(value, dict) or step not in value:
            return False
        value = value[step]
    return True
