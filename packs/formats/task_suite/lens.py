"""The YAML lens: one node's document as text that the author edits."""

from collections.abc import Iterable
from dataclasses import replace

from packs.formats import yamlio
from packs.formats.document import Document, NodeKind
from packs.formats.findings import Finding
from packs.formats.task_suite.reading import read_mapping


def load_node(kind: NodeKind, text: str) -> tuple[Document | None, list[Finding]]:
    """Read one node's document from lens text; see `Adapter.load_node`."""
    return read_mapping(text)


def place_node(kind: NodeKind, text: str, findings: Iterable[Finding]) -> list[Finding]:
    """Fill in line and column, in lens text, of findings whose paths start at the node's document."""
    waiting = list(findings)
    marks = yamlio.locate(text, {finding.path for finding in waiting})
    return [replace(finding, line=marks[finding.path].line, column=marks[finding.path].column) for finding in waiting]
